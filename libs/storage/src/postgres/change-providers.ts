import {
  type ChangeContext,
  type Provider,
  type ProviderDraft,
  ProviderExistsError,
  type ProviderId,
  ProviderNotFoundError,
  type ProviderToken,
} from '@palisade/domain';
import { type Selectable, sql } from 'kysely';
import { providerChanged } from '../change-records.js';
import { isSameJson } from '../json.js';
import { suspendBindings } from './bindings/change-bindings.js';
import { appendRecords } from './log/append-records.js';
import type { Connection } from './connection/database.js';
import type { ProvidersTable, ProviderTokensTable } from './connection/tables.js';
import { deleteAllResources } from './directory/delete-all-resources.js';

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

/** Removing a provider with millions of users takes longer than any other statement may. */
const DELETE_TIMEOUT = '1h';

/** @throws {ProviderExistsError} */
export async function createProvider(
  transaction: Connection,
  id: ProviderId,
  draft: ProviderDraft,
  change: ChangeContext,
): Promise<Provider> {
  const row = await transaction
    .insertInto('providers')
    .values({ id, ...columnsOf(draft), created_at: change.at, modified_at: change.at })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!row) {
    throw new ProviderExistsError(id);
  }
  await appendRecords(transaction, [providerChanged(change, 'create', id)]);
  return toProvider(row);
}

/** A draft that equals what is stored changes nothing. @throws {ProviderNotFoundError} */
export async function updateProvider(
  transaction: Connection,
  id: ProviderId,
  draft: ProviderDraft,
  change: ChangeContext,
): Promise<Provider> {
  const query = transaction.selectFrom('providers').selectAll().where('id', '=', id);
  const current = await query.forNoKeyUpdate().executeTakeFirst();
  if (!current) {
    throw new ProviderNotFoundError(id);
  }
  const columns = columnsOf(draft);
  if (current.display_name === columns.display_name && isSameJson(current.settings, JSON.parse(columns.settings))) {
    return toProvider(current);
  }
  const row = await transaction
    .updateTable('providers')
    .set({ ...columns, modified_at: change.at })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await appendRecords(transaction, [providerChanged(change, 'update', id)]);
  return toProvider(row);
}

/** With its tokens, users, groups and memberships; suspends its groups' bindings. @throws {ProviderNotFoundError} */
export async function deleteProvider(transaction: Connection, id: ProviderId, change: ChangeContext): Promise<void> {
  await sql`set local statement_timeout = ${sql.lit(DELETE_TIMEOUT)}`.execute(transaction);
  const { numDeletedRows } = await transaction.deleteFrom('providers').where('id', '=', id).executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) {
    throw new ProviderNotFoundError(id);
  }
  await appendRecords(transaction, [providerChanged(change, 'delete', id)]);
  await suspendBindings(transaction, id);
  await deleteAllResources(transaction, id);
}

function columnsOf({ displayName, settings }: ProviderDraft): { display_name: string | null; settings: string } {
  return { display_name: displayName ?? null, settings: JSON.stringify(settings) };
}
