import { describe, expect, it } from '@jest/globals';
import type { JWTPayload } from 'jose';
import { AdminAuthenticator } from './admin-authenticator.js';
import { UnauthenticatedError } from './authentication.errors.js';
import { type JwtRequirements, JwtVerifier } from './jwt-verifier.js';
import { digestSecret } from './secret-digest.js';

const JWT = {
  issuer: 'https://login.example.com',
  audience: 'palisade',
  jwksUri: 'https://login.example.com/keys',
  namespacesClaim: 'namespaces',
  providersClaim: 'providers',
  identityClaim: 'email',
};

const CLAIMS: Readonly<Record<string, JWTPayload>> = {
  'good.jwt.token': { sub: 'u1', scope: 'read', namespaces: ['billing'] },
  'proxy.jwt.token': { sub: 'p1', scope: 'proxy admin', namespaces: '*', pool: 'standard', id_prefix: 'p' },
};

/** Vouches for these tokens of the issuer above. */
class FakeVerifier extends JwtVerifier {
  override verify(token: string, { issuer }: JwtRequirements): Promise<JWTPayload> {
    const claims = CLAIMS[token];
    return claims !== undefined && issuer === JWT.issuer
      ? Promise.resolve(claims)
      : Promise.reject(new UnauthenticatedError('invalid'));
  }
}

describe(AdminAuthenticator.name, () => {
  const tokens = [
    { name: 'ann', digest: digestSecret('first-secret'), scope: 'operate' },
    { name: 'bob', digest: digestSecret('second-secret'), scope: 'admin' },
  ] as const;

  it('gives each static token its scope and those that it includes', async () => {
    const admins = new AdminAuthenticator({ tokens }, new FakeVerifier());
    await expect(admins.authenticate('second-secret')).resolves.toEqual({
      kind: 'admin',
      actor: 'bob',
      scopes: ['read', 'operate', 'admin'],
      namespaces: '*',
    });
    await expect(admins.authenticate('first-secret')).resolves.toMatchObject({
      actor: 'ann',
      scopes: ['read', 'operate'],
    });
    await expect(admins.authenticate('first-secret')).resolves.toMatchObject({
      actor: 'ann',
      scopes: ['read', 'operate'],
    });
  });

  it('does not take a digest for the token', async () => {
    const admins = new AdminAuthenticator({ tokens }, new FakeVerifier());
    await expect(admins.authenticate(digestSecret('first-secret'))).rejects.toThrow(UnauthenticatedError);
  });

  it('knows admins by tokens of the issuer', async () => {
    const admins = new AdminAuthenticator({ tokens, jwt: JWT }, new FakeVerifier());
    await expect(admins.authenticate('good.jwt.token')).resolves.toMatchObject({
      actor: 'u1',
      namespaces: ['billing'],
    });
    await expect(admins.authenticate('other.jwt.token')).rejects.toThrow(UnauthenticatedError);
  });

  it('knows a proxy by its token, which makes nobody an admin', async () => {
    const proxyClaims = { poolClaim: 'pool', idPrefixClaim: 'id_prefix' };
    const admins = new AdminAuthenticator({ tokens, jwt: { ...JWT, proxyClaims } }, new FakeVerifier());
    const principal = await admins.authenticate('proxy.jwt.token');
    expect(principal).toEqual({ kind: 'proxy', actor: 'proxy:jwt:p1', pool: 'standard', idPrefix: 'p' });
  });

  it('admits no proxy where proxies have no business', async () => {
    const admins = new AdminAuthenticator({ tokens, jwt: JWT }, new FakeVerifier());
    await expect(admins.authenticate('proxy.jwt.token')).rejects.toThrow(UnauthenticatedError);
  });

  it.each(['', 'good.jwt.token', 'anything'])('admits nobody with %j when nothing is configured', async (token) => {
    await expect(new AdminAuthenticator({ tokens: [] }, new FakeVerifier()).authenticate(token)).rejects.toThrow(
      UnauthenticatedError,
    );
  });
});
