import { type ChangeContext, type ProviderId, ProviderNotFoundError, type ProviderToken } from '@palisade/domain';
import { type Selectable, sql } from 'kysely';
import { tokenChanged } from '../change-records.js';
import { isStorable } from '../storable-text.js';
import { appendRecords } from './log/append-records.js';
import type { Connection } from './connection/database.js';
import type { ProviderTokensTable } from './connection/tables.js';

/** @throws {ProviderNotFoundError} */
export async function addToken(transaction: Connection, token: ProviderToken, change: ChangeContext): Promise<void> {
  const provider = await transaction
    .selectFrom('providers')
    .select('id')
    .where('id', '=', token.provider)
    .forKeyShare()
    .executeTakeFirst();
  if (!provider) {
    throw new ProviderNotFoundError(token.provider);
  }
  const values = {
    provider_id: token.provider,
    id: token.id,
    kind: token.kind,
    description: token.description ?? null,
    digest: token.digest,
    hint: token.hint,
    created_at: token.createdAt,
    expires_at: token.expiresAt ?? null,
    last_used_at: token.lastUsedAt ?? null,
    revoked_at: token.revokedAt ?? null,
  };
  await transaction.insertInto('provider_tokens').values(values).execute();
  await appendRecords(transaction, [tokenChanged(change, 'create', token)]);
}

export async function findTokenByDigest(connection: Connection, digest: string): Promise<ProviderToken | undefined> {
  if (!isStorable(digest)) {
    return undefined;
  }
  const query = connection.selectFrom('provider_tokens').selectAll().where('digest', '=', digest);
  const row = await query.executeTakeFirst();
  return row && toToken(row);
}

/** In the order in which they were added. */
export async function listTokens(connection: Connection, provider: ProviderId): Promise<ProviderToken[]> {
  const query = connection.selectFrom('provider_tokens').selectAll().where('provider_id', '=', provider);
  const rows = await query.orderBy('sequence').execute();
  return rows.map(toToken);
}

/** Looks at every token; they are as few as providers are. */
export async function countTokensEnding(
  connection: Connection,
  { after, until }: { readonly after: Date; readonly until: Date },
): Promise<number> {
  const { count } = await connection
    .selectFrom('provider_tokens')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', after)
    .where('expires_at', '<=', until)
    .executeTakeFirstOrThrow();
  return count;
}

/** Revoking twice keeps the first time. */
export async function revokeToken(
  transaction: Connection,
  provider: ProviderId,
  tokenId: string,
  change: ChangeContext,
): Promise<ProviderToken | undefined> {
  const token = await lockToken(transaction, provider, tokenId);
  return !token || token.revokedAt
    ? token
    : updateToken(transaction, { ...token, revokedAt: change.at }, 'revoke', change);
}

/** Never prolongs a token's life. */
export async function expireToken(
  transaction: Connection,
  provider: ProviderId,
  tokenId: string,
  expiresAt: Date,
  change: ChangeContext,
): Promise<ProviderToken | undefined> {
  const token = await lockToken(transaction, provider, tokenId);
  return !token || (token.expiresAt && token.expiresAt <= expiresAt)
    ? token
    : updateToken(transaction, { ...token, expiresAt }, 'expire', change);
}

export async function touchToken(connection: Connection, tokenId: string, usedAt: Date): Promise<void> {
  if (isStorable(tokenId)) {
    await sql`
      update provider_tokens set last_used_at = ${usedAt}
      where id = ${tokenId} and (last_used_at is null or last_used_at < ${usedAt})
    `.execute(connection);
  }
}

async function lockToken(
  transaction: Connection,
  provider: ProviderId,
  tokenId: string,
): Promise<ProviderToken | undefined> {
  if (!isStorable(tokenId)) {
    return undefined;
  }
  const row = await transaction
    .selectFrom('provider_tokens')
    .selectAll()
    .where('provider_id', '=', provider)
    .where('id', '=', tokenId)
    .forUpdate()
    .executeTakeFirst();
  return row && toToken(row);
}

async function updateToken(
  transaction: Connection,
  token: ProviderToken,
  kind: 'expire' | 'revoke',
  change: ChangeContext,
): Promise<ProviderToken> {
  await transaction
    .updateTable('provider_tokens')
    .set({ expires_at: token.expiresAt ?? null, revoked_at: token.revokedAt ?? null })
    .where('provider_id', '=', token.provider)
    .where('id', '=', token.id)
    .execute();
  await appendRecords(transaction, [tokenChanged(change, kind, token)]);
  return token;
}

function toToken(row: Selectable<ProviderTokensTable>): ProviderToken {
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
