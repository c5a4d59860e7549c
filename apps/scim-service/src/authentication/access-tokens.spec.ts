import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SignJWT, decodeJwt, decodeProtectedHeader, type JWTPayload } from 'jose';
import { StoreUnavailableError, parseProviderId, type ProviderToken } from '@palisade/domain';
import { UnauthenticatedError } from '@palisade/guards';
import { SigningKey } from '@palisade/platform';
import { MemoryStore } from '@palisade/storage';
import { ACCESS_TOKEN_ISSUER, AccessTokens } from './access-tokens.js';

const CLIENT: ProviderToken = {
  id: 'client-1',
  provider: parseProviderId('acme'),
  kind: 'client',
  digest: 'd1',
  hint: 'abcd',
  createdAt: new Date(0),
};
const NOW = Date.UTC(2026, 10, 3);

describe(AccessTokens.name, () => {
  let store: MemoryStore;
  let now: number;
  let tokens: AccessTokens;

  beforeEach(() => {
    store = new MemoryStore();
    now = NOW;
    tokens = new AccessTokens(new SigningKey(store, 'access-token'), () => now);
  });

  /** Signs with the real key what the service itself would never sign. */
  async function sign(claims: JWTPayload, typ = 'at+jwt'): Promise<string> {
    const { privateKey } = await new SigningKey(store, 'access-token').get();
    const valid = { iss: ACCESS_TOKEN_ISSUER, aud: 'urn:palisade:scim', exp: NOW / 1000 + 60, provider: 'acme' };
    return new SignJWT({ ...valid, ...claims }).setProtectedHeader({ alg: 'ES256', typ }).sign(privateKey);
  }

  it('[RFC9068-2] issues tokens that say for whom, by whom and how long', async () => {
    const { accessToken, expiresInSeconds } = await tokens.issue(CLIENT);
    expect(expiresInSeconds).toBe(3600);
    expect(decodeProtectedHeader(accessToken)).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) });
    expect(decodeJwt(accessToken)).toEqual({
      iss: 'urn:palisade:scim-service',
      aud: 'urn:palisade:scim',
      sub: 'client-1',
      client_id: 'client-1',
      provider: 'acme',
      jti: expect.any(String),
      iat: NOW / 1000,
      exp: NOW / 1000 + 3600,
    });
  });

  it('verifies its own tokens until they expire', async () => {
    const { accessToken } = await tokens.issue(CLIENT);
    now += 3_599_000;
    await expect(tokens.verify(accessToken)).resolves.toEqual({ provider: 'acme', clientId: 'client-1' });
    now += 1000;
    await expect(tokens.verify(accessToken)).rejects.toMatchObject({ reason: 'expired' });
  });

  it('verifies tokens that another replica issued', async () => {
    const { accessToken } = await new AccessTokens(new SigningKey(store, 'access-token'), () => now).issue(CLIENT);
    await expect(tokens.verify(accessToken)).resolves.toMatchObject({ clientId: 'client-1' });
  });

  it('issues no token that outlives its client', async () => {
    const { expiresInSeconds } = await tokens.issue({ ...CLIENT, expiresAt: new Date(NOW + 90_500) });
    expect(expiresInSeconds).toBe(90);
  });

  it.each([
    ['another audience', { aud: 'someone' }],
    ['another issuer', { iss: 'https://elsewhere' }],
    ['no end', { exp: undefined }],
    ['no provider', { provider: undefined }],
    ['a malformed provider', { provider: 'a/../b' }],
  ])('rejects a token with %s', async (_, claims) => {
    await expect(tokens.verify(await sign(claims))).rejects.toThrow(UnauthenticatedError);
  });

  it('rejects a token of another type', async () => {
    await expect(tokens.verify(await sign({}, 'JWT'))).rejects.toThrow(UnauthenticatedError);
  });

  it('rejects a token of another deployment', async () => {
    const elsewhere = new AccessTokens(new SigningKey(new MemoryStore(), 'access-token'), () => now);
    const { accessToken } = await elsewhere.issue(CLIENT);
    await expect(tokens.verify(accessToken)).rejects.toMatchObject({ reason: 'invalid' });
  });

  it('publishes public parts only', async () => {
    const [key] = await tokens.publicKeys();
    expect(Object.keys(key ?? {}).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  });

  it('loads the key again after the store was unreachable', async () => {
    jest.spyOn(store.providers, 'getOrCreateSigningKey').mockRejectedValueOnce(new StoreUnavailableError(1));
    await expect(tokens.publicKeys()).rejects.toThrow(StoreUnavailableError);
    await expect(tokens.publicKeys()).resolves.toHaveLength(1);
  });
});
