import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import {
  DEFAULT_PROVIDER_SETTINGS,
  parseProviderId,
  type ProviderToken,
  StoreUnavailableError,
} from '@palisade/domain';
import { isReservedActor, UnauthenticatedError } from '@palisade/guards';
import { MemoryStore } from '@palisade/storage';
import { StoredTokens, TokenUsage } from './stored-tokens.js';
import { TokenCache } from './token-cache.js';

const acme = parseProviderId('acme');
const globex = parseProviderId('globex');
const change = { actor: 'test', at: new Date(0) };

function token(overrides: Partial<ProviderToken> = {}): ProviderToken {
  return {
    id: 't-1',
    provider: acme,
    kind: 'bearer',
    digest: 'd1',
    hint: 'abcd',
    createdAt: new Date(0),
    ...overrides,
  };
}

describe(StoredTokens.name, () => {
  let store: MemoryStore;
  let now: number;
  let tokens: StoredTokens;

  beforeEach(async () => {
    store = new MemoryStore();
    await store.providers.create(acme, { settings: DEFAULT_PROVIDER_SETTINGS }, change);
    await store.providers.create(globex, { settings: DEFAULT_PROVIDER_SETTINGS }, change);
    now = Date.UTC(2026, 10, 3);
    tokens = new StoredTokens(new TokenCache(store, () => now), new TokenUsage(store), () => now);
  });

  it('identifies the provider of a bearer token', async () => {
    await store.providers.addToken(token(), change);
    await expect(tokens.identify('d1')).resolves.toEqual({ kind: 'provider', provider: 'acme', actor: 'token:t-1' });
  });

  it('names callers as no admin of an issuer can be named', async () => {
    await store.providers.addToken(token(), change);
    await store.providers.addToken(token({ id: 'c-1', digest: 'd2', kind: 'client' }), change);
    const bearer = await tokens.identify('d1');
    const client = await tokens.identifyClient({ provider: acme, clientId: 'c-1' });
    expect([isReservedActor(bearer.actor), isReservedActor(client.actor)]).toEqual([true, true]);
  });

  it.each([
    ['is unknown', undefined, 'invalid'],
    ['is the secret of a client', token({ kind: 'client' }), 'invalid'],
    ['is revoked', token({ revokedAt: new Date(0) }), 'revoked'],
    ['has expired', token({ expiresAt: new Date(Date.UTC(2026, 10, 3)) }), 'expired'],
  ])('rejects a token that %s', async (_, stored, reason) => {
    if (stored !== undefined) {
      await store.providers.addToken(stored, change);
    }
    await expect(tokens.identify('d1')).rejects.toMatchObject({ reason });
  });

  it('rejects a cached token the moment it expires', async () => {
    await store.providers.addToken(token({ expiresAt: new Date(now + 1000) }), change);
    await tokens.identify('d1');
    now += 1000;
    await expect(tokens.identify('d1')).rejects.toMatchObject({ reason: 'expired' });
  });

  it('learns of a revocation by another replica within five seconds', async () => {
    await store.providers.addToken(token(), change);
    await tokens.identify('d1');
    await store.providers.revokeToken(acme, 't-1', change);
    now += 4999;
    await expect(tokens.identify('d1')).resolves.toBeDefined();
    now += 1;
    await expect(tokens.identify('d1')).rejects.toMatchObject({ reason: 'revoked' });
  });

  it('asks the store once for a token that is used, or tried, often', async () => {
    const find = jest.spyOn(store.providers, 'findTokenByDigest');
    await store.providers.addToken(token(), change);
    for (let use = 0; use < 10; use++) {
      await tokens.identify('d1');
      await expect(tokens.identify('unknown')).rejects.toThrow(UnauthenticatedError);
    }
    expect(find).toHaveBeenCalledTimes(2);
  });

  it('notes a use at most once a minute', async () => {
    const touch = jest.spyOn(store.providers, 'touchToken');
    await store.providers.addToken(token(), change);
    await tokens.identify('d1');
    now += 59_999;
    await tokens.identify('d1');
    expect(touch).toHaveBeenCalledTimes(1);
    now += 1;
    await tokens.identify('d1');
    expect(touch.mock.calls).toEqual([
      ['t-1', new Date(now - 60_000)],
      ['t-1', new Date(now)],
    ]);
  });

  it('admits a token whose use cannot be noted', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    jest.spyOn(store.providers, 'touchToken').mockRejectedValue(new StoreUnavailableError(1));
    await store.providers.addToken(token(), change);
    await expect(tokens.identify('d1')).resolves.toBeDefined();
    await new Promise(setImmediate);
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
  });

  it('identifies a client by the provider and id in its access token', async () => {
    await store.providers.addToken(token({ kind: 'client' }), change);
    const grant = { provider: acme, clientId: 't-1' };
    await expect(tokens.identifyClient(grant)).resolves.toMatchObject({ provider: 'acme', actor: 'client:t-1' });
    await expect(tokens.identifyClient({ ...grant, provider: globex })).rejects.toMatchObject({ reason: 'invalid' });
  });

  it('identifies a client by its own secret only', async () => {
    await store.providers.addToken(token({ kind: 'client' }), change);
    await store.providers.addToken(token({ kind: 'client', id: 't-2', digest: 'd2' }), change);
    await expect(tokens.identifyClientBySecret('t-1', 'd1')).resolves.toMatchObject({ id: 't-1' });
    await expect(tokens.identifyClientBySecret('t-1', 'd2')).rejects.toMatchObject({ reason: 'invalid' });
  });
});
