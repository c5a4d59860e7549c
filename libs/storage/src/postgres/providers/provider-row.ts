import type { Provider, ProviderToken } from '@palisade/domain';
import type { Selectable } from 'kysely';
import type { ProviderTokensTable, ProvidersTable } from '../schema/tables.js';

export function toProvider(row: Selectable<ProvidersTable>): Provider {
  return {
    id: row.id,
    ...(row.display_name !== null && { displayName: row.display_name }),
    settings: row.settings,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
  };
}

export function toToken(row: Selectable<ProviderTokensTable>): ProviderToken {
  return {
    id: row.id,
    provider: row.provider_id,
    kind: row.kind,
    ...(row.description !== null && { description: row.description }),
    digest: row.digest,
    hint: row.hint,
    createdAt: row.created_at,
    ...(row.expires_at && { expiresAt: row.expires_at }),
    ...(row.last_used_at && { lastUsedAt: row.last_used_at }),
    ...(row.revoked_at && { revokedAt: row.revoked_at }),
  };
}
