import {
  type ChangeContext,
  type Provider,
  type ProviderDraft,
  type ProviderId,
  ProviderStore,
  type ProviderToken,
  type SigningPurpose,
} from '@palisade/domain';
import { sql } from 'kysely';
import { isStorable } from '../storable-text.js';
import { createProvider, deleteProvider, toProvider, updateProvider } from './change-providers.js';
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
    return this.database.transaction((transaction) => createProvider(transaction, id, draft, change));
  }

  override update(id: ProviderId, draft: ProviderDraft, change: ChangeContext): Promise<Provider> {
    return this.database.transaction((transaction) => updateProvider(transaction, id, draft, change));
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

  override delete(id: ProviderId, change: ChangeContext): Promise<void> {
    return this.database.transaction((transaction) => deleteProvider(transaction, id, change));
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
