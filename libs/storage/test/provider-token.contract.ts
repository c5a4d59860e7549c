import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { ProviderToken, Store } from '@palisade/domain';
import { createProvider, tokenOf } from './support/provider-samples.js';
import { changeAt, freshProvider } from './support/store-harness.js';

/** Secrets: tokens of providers and the key that signs access tokens. */
export function describeProviderTokenContract(store: () => Store): void {
  describe('secrets', () => {
    describe('tokens', () => describeTokens(store));
    describe('signing key', () => describeSigningKey(store));
  });
}

function describeTokens(store: () => Store): void {
  async function addToken(overrides: Partial<ProviderToken> = {}): Promise<ProviderToken> {
    const token = tokenOf(await createProvider(store()), overrides);
    await store().providers.addToken(token, changeAt(0));
    return token;
  }

  it('finds a token by its digest, whichever provider it belongs to', async () => {
    const token = await addToken({
      kind: 'client',
      description: 'blue',
      expiresAt: new Date('2027-01-01T00:00:00Z'),
    });

    expect(await store().providers.findTokenByDigest(token.digest)).toEqual(token);
    expect(await store().providers.findTokenByDigest('0'.repeat(64))).toBeUndefined();
  });

  it('lists the tokens of one provider', async () => {
    const first = await addToken();
    const second = tokenOf(first.provider);
    await store().providers.addToken(second, changeAt(1));
    await addToken();

    const tokens = await store().providers.listTokens(first.provider);

    expect(new Set(tokens.map(({ id }) => id))).toEqual(new Set([first.id, second.id]));
    expect(await store().providers.listTokens(freshProvider())).toEqual([]);
  });

  it('rejects a token of a provider that does not exist', async () => {
    const add = store().providers.addToken(tokenOf(freshProvider()), changeAt(0));

    await expect(add).rejects.toMatchObject({ code: 'PROVIDER_NOT_FOUND' });
  });

  it('keeps the first time when a token is revoked twice', async () => {
    const { id, provider, digest } = await addToken();

    await store().providers.revokeToken(provider, id, changeAt(3));
    const revoked = await store().providers.revokeToken(provider, id, changeAt(9));

    expect(revoked).toMatchObject({ id, revokedAt: new Date('2026-01-01T00:00:03Z') });
    expect(await store().providers.findTokenByDigest(digest)).toEqual(revoked);
  });

  it('sets an end to the life of a token that had none', async () => {
    const { id, provider, digest } = await addToken();

    const expiring = await store().providers.expireToken(provider, id, new Date('2026-02-01T00:00:00Z'), changeAt(1));

    expect(expiring).toMatchObject({ id, expiresAt: new Date('2026-02-01T00:00:00Z') });
    expect(await store().providers.findTokenByDigest(digest)).toEqual(expiring);
  });

  it('brings the end of a token forward, never back', async () => {
    const { id, provider } = await addToken({ expiresAt: new Date('2026-03-01T00:00:00Z') });
    const expire = (day: string) => store().providers.expireToken(provider, id, new Date(day), changeAt(1));

    expect(await expire('2026-04-01T00:00:00Z')).toMatchObject({ expiresAt: new Date('2026-03-01T00:00:00Z') });
    expect(await expire('2026-02-01T00:00:00Z')).toMatchObject({ expiresAt: new Date('2026-02-01T00:00:00Z') });
  });

  it('counts the tokens that end within a period, revoked ones left out', async () => {
    const [after, until] = [new Date('2031-05-01T00:00:00Z'), new Date('2031-05-31T00:00:00Z')];
    await addToken({ expiresAt: after });
    await addToken({ expiresAt: new Date('2031-05-01T00:00:01Z') });
    await addToken({ expiresAt: until });
    await addToken({ expiresAt: new Date('2031-05-31T00:00:01Z') });
    await addToken();
    const { id, provider } = await addToken({ expiresAt: until });
    await store().providers.revokeToken(provider, id, changeAt(1));

    expect(await store().providers.countTokensEnding({ after, until })).toBe(2);
  });

  it('has no token of one provider to revoke or expire for another', async () => {
    const { id, digest } = await addToken();
    const other = await createProvider(store());

    expect(await store().providers.revokeToken(other, id, changeAt(1))).toBeUndefined();
    expect(await store().providers.expireToken(other, id, new Date(0), changeAt(1))).toBeUndefined();
    expect(await store().providers.revokeToken(other, 'nothing', changeAt(1))).toBeUndefined();
    expect(await store().providers.findTokenByDigest(digest)).not.toHaveProperty('revokedAt');
  });

  it('notes when a token was last used', async () => {
    const { id, digest } = await addToken();

    await store().providers.touchToken(id, new Date('2026-01-05T00:00:00Z'));

    expect(await store().providers.findTokenByDigest(digest)).toMatchObject({
      lastUsedAt: new Date('2026-01-05T00:00:00Z'),
    });
  });

  it('ignores the use of a token that is gone', async () => {
    await expect(store().providers.touchToken(randomUUID(), new Date(0))).resolves.toBeUndefined();
  });
}

function describeSigningKey(store: () => Store): void {
  it('gives every caller the same key, whoever proposed it', async () => {
    const keys = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        store().providers.getOrCreateSigningKey('access-token', async () => JSON.stringify({ kty: 'test', index })),
      ),
    );

    expect(new Set(keys).size).toBe(1);
    const later = await store().providers.getOrCreateSigningKey('access-token', async () => '{"kty":"another"}');
    expect(later).toBe(keys[0]);
  });
}
