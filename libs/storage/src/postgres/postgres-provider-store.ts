import {
  type ChangeContext,
  type Provider,
  type ProviderDraft,
  ProviderExistsError,
  type ProviderId,
  ProviderNotFoundError,
  ProviderStore,
  type ProviderToken,
  type SigningPurpose,
} from '@palisade/domain';
import { type Selectable, sql } from 'kysely';
import { isStorable } from '../storable-text.js';
import type { Connection, Database } from './connection/database.js';
import {
  addToken,
  countTokensEnding,
  expireToken,
  findTokenByDigest,
  listTokens,
  revokeToken,
  touchToken,
} from './provider-tokens.js';
import { providerChanged } from '../change-records.js';
import { isSameJson } from '../json.js';
import { suspendBindings } from './bindings/change-bindings.js';
import { appendRecords } from './log/append-records.js';
import type { ProvidersTable } from './connection/tables.js';
import { deleteAllResources } from './directory/delete-all-resources.js';

/** Removing a provider with millions of users takes longer than any other statement may. */
const DELETE_TIMEOUT = '1h';

/** Returns the stored key, which is the first one that any caller proposed. */
export async function getOrCreateSigningKey(
  connection: Connection,
  purpose: SigningPurpose,
  propose: () => Promise<string>,
): Promise<string> {
  const key = await findSigningKey(connection, purpose);
  if (key !== undefined) {
    return key;
  }
  const jwk = await propose();
  await connection
    .insertInto('signing_keys')
    .values({ purpose, jwk })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await findSigningKey(connection, purpose)) ?? jwk;
}

async function findSigningKey(connection: Connection, purpose: SigningPurpose): Promise<string | undefined> {
  const query = connection.selectFrom('signing_keys').select('jwk').where('purpose', '=', purpose);
  return (await query.executeTakeFirst())?.jwk;
}

export class PostgresProviderStore extends ProviderStore {
  constructor(private readonly database: Database) {
    super();
  }

  override create(id: ProviderId, draft: ProviderDraft, change: ChangeContext): Promise<Provider> {
    return this.database.transaction(async (transaction) => {
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
    });
  }

  /** A draft that equals what is stored changes nothing. */
  override update(id: ProviderId, draft: ProviderDraft, change: ChangeContext): Promise<Provider> {
    return this.database.transaction(async (transaction) => {
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
    });
  }

  override async find(id: ProviderId): Promise<Provider | undefined> {
    const row = await this.database.run((connection) =>
      connection.selectFrom('providers').selectAll().where('id', '=', id).executeTakeFirst(),
    );
    return row && toProvider(row);
  }

  override async list({ after, limit }: { readonly after?: ProviderId; readonly limit: number }): Promise<Provider[]> {
    const rows = await this.database.run((connection) => {
      const query = connection.selectFrom('providers').selectAll().orderBy('id').limit(limit);
      return (after === undefined ? query : query.where('id', '>', after)).execute();
    });
    return rows.map(toProvider);
  }

  /** Deletes its tokens, users, groups and memberships too, and suspends its groups' bindings. */
  override delete(id: ProviderId, change: ChangeContext): Promise<void> {
    return this.database.transaction(async (transaction) => {
      await sql`set local statement_timeout = ${sql.lit(DELETE_TIMEOUT)}`.execute(transaction);
      const { numDeletedRows } = await transaction
        .deleteFrom('providers')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      if (numDeletedRows === 0n) {
        throw new ProviderNotFoundError(id);
      }
      await appendRecords(transaction, [providerChanged(change, 'delete', id)]);
      await suspendBindings(transaction, id);
      await deleteAllResources(transaction, id);
    });
  }

  override async findByIssuer(issuer: string): Promise<Provider[]> {
    if (!isStorable(issuer)) {
      return [];
    }
    const trusted = JSON.stringify([{ issuer }]);
    const rows = await this.database.run((connection) =>
      connection
        .selectFrom('providers')
        .selectAll()
        .where(sql<boolean>`settings -> 'trustedIssuers' @> ${trusted}::jsonb`)
        .orderBy('id')
        .execute(),
    );
    return rows.map(toProvider);
  }

  override addToken(token: ProviderToken, change: ChangeContext): Promise<void> {
    return this.database.transaction((transaction) => addToken(transaction, token, change));
  }

  override findTokenByDigest(digest: string): Promise<ProviderToken | undefined> {
    return this.database.run((connection) => findTokenByDigest(connection, digest));
  }

  override listTokens(provider: ProviderId): Promise<ProviderToken[]> {
    return this.database.run((connection) => listTokens(connection, provider));
  }

  override countTokensEnding(period: { readonly after: Date; readonly until: Date }): Promise<number> {
    return this.database.run((connection) => countTokensEnding(connection, period));
  }

  override revokeToken(
    provider: ProviderId,
    tokenId: string,
    change: ChangeContext,
  ): Promise<ProviderToken | undefined> {
    return this.database.transaction((transaction) => revokeToken(transaction, provider, tokenId, change));
  }

  override expireToken(
    provider: ProviderId,
    tokenId: string,
    expiresAt: Date,
    change: ChangeContext,
  ): Promise<ProviderToken | undefined> {
    return this.database.transaction((transaction) => expireToken(transaction, provider, tokenId, expiresAt, change));
  }

  override touchToken(tokenId: string, usedAt: Date): Promise<void> {
    return this.database.run((connection) => touchToken(connection, tokenId, usedAt));
  }

  override getOrCreateSigningKey(purpose: SigningPurpose, propose: () => Promise<string>): Promise<string> {
    return this.database.run((connection) => getOrCreateSigningKey(connection, purpose, propose));
  }
}

function toProvider(row: Selectable<ProvidersTable>): Provider {
  return {
    id: row.id,
    ...(row.display_name !== null && { displayName: row.display_name }),
    settings: row.settings,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
  };
}

function columnsOf({ displayName, settings }: ProviderDraft): { display_name: string | null; settings: string } {
  return { display_name: displayName ?? null, settings: JSON.stringify(settings) };
}
