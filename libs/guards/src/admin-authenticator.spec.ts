import { describe, expect, it } from '@jest/globals';
import type { JWTPayload } from 'jose';
import { AdminAuthenticator, parseAdminTokenDigests } from './admin-authenticator.js';
import { UnauthenticatedError } from './authentication.errors.js';
import { type JwtRequirements, JwtVerifier } from './jwt-verifier.js';
import { digestSecret } from './secret-digest.js';

const A = 'a'.repeat(64);
const B = 'b'.repeat(64);

describe(parseAdminTokenDigests.name, () => {
  it('reads pairs of name and digest', () => {
    expect(parseAdminTokenDigests(`ann@example.com:${A}, ci:deploy:${B.toUpperCase()},`)).toEqual([
      { name: 'ann@example.com', digest: A },
      { name: 'ci:deploy', digest: B },
    ]);
  });

  it('reads an empty text as no pairs', () => {
    expect(parseAdminTokenDigests('')).toEqual([]);
  });

  it.each([A, `:${A}`, `ann:${A}0`, `ann:${'g'.repeat(64)}`, `a b:${A}`, 'ann:', `${'n'.repeat(101)}:${A}`])(
    'refuses %s',
    (text) => {
      expect(() => parseAdminTokenDigests(text)).toThrow(SyntaxError);
    },
  );

  it('does not repeat what it refuses', () => {
    expect(() => parseAdminTokenDigests('ann:my-plain-token')).toThrow(
      "pair 1: expected <name>:<64 hexadecimal digits of the token's SHA-256>",
    );
  });
});

const JWT = {
  issuer: 'https://login.example.com',
  audience: 'palisade',
  jwksUri: 'https://login.example.com/keys',
  namespacesClaim: 'namespaces',
  identityClaim: 'email',
};

/** Vouches for the token `good.jwt.token` of the issuer above. */
class FakeVerifier extends JwtVerifier {
  override verify(token: string, { issuer }: JwtRequirements): Promise<JWTPayload> {
    return token === 'good.jwt.token' && issuer === JWT.issuer
      ? Promise.resolve({ sub: 'u1', scope: 'read', namespaces: ['billing'] })
      : Promise.reject(new UnauthenticatedError('invalid'));
  }
}

describe(AdminAuthenticator.name, () => {
  const tokens = [
    { name: 'ann', digest: digestSecret('first-secret') },
    { name: 'bob', digest: digestSecret('second-secret') },
  ];

  it('knows each static token, which may do everything', async () => {
    const admins = new AdminAuthenticator({ tokens }, new FakeVerifier());
    await expect(admins.authenticate('second-secret')).resolves.toEqual({
      kind: 'admin',
      actor: 'bob',
      scopes: ['read', 'operate', 'admin'],
      namespaces: '*',
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

  it.each(['', 'good.jwt.token', 'anything'])('admits nobody with %j when nothing is configured', async (token) => {
    await expect(new AdminAuthenticator({ tokens: [] }, new FakeVerifier()).authenticate(token)).rejects.toThrow(
      UnauthenticatedError,
    );
  });
});
