import { describe, expect, it } from '@jest/globals';
import type { JWTPayload } from 'jose';
import { UnauthenticatedError } from '../authentication.errors.js';
import { claimOfToken, type TokenClaimNames } from './token-identifier.js';

const CLAIMS = { sub: 'svc-1', namespace: 'acme' };

function namespacesOf(claims: JWTPayload, names: TokenClaimNames = {}): readonly string[] {
  return claimOfToken({ sub: 'svc-1', ...claims }, names).namespaces;
}

describe(claimOfToken.name, () => {
  it('says for which namespace, which client, for whom and of which tenant', () => {
    const claims = { ...CLAIMS, azp: 'reports', email: 'ann@example.com', org: 'acme-inc' };
    expect(claimOfToken(claims, { tenantClaim: 'org' })).toEqual({
      method: 'jwt',
      namespaces: ['acme'],
      clientId: 'reports',
      userId: 'ann@example.com',
      tenantId: 'acme-inc',
    });
  });

  it.each([
    [{ azp: 'a', client_id: 'b', sub: 'c' }, 'a'],
    [{ client_id: 'b', sub: 'c' }, 'b'],
    [{ sub: 'c' }, 'c'],
  ])('takes for the client of %j %s', (claims, clientId) => {
    expect(claimOfToken({ namespace: 'acme', ...claims }, {}).clientId).toBe(clientId);
  });

  it('reads a list, of which it takes what are namespaces, once each', () => {
    expect(namespacesOf({ namespace: ['acme', 'bolt', 'acme', 'Not a namespace', '*', 7, null] })).toEqual([
      'acme',
      'bolt',
    ]);
  });

  it('reads claims of other names', () => {
    const claims = { 'https://example.com/ns': 'acme', who: 'svc-2', user: 'ann' };
    const names = { namespaceClaim: 'https://example.com/ns', clientClaim: 'who', userClaim: 'user' };
    expect(claimOfToken(claims, names)).toMatchObject({ namespaces: ['acme'], clientId: 'svc-2', userId: 'ann' });
  });

  it('leaves out an address that nobody has verified', () => {
    expect(claimOfToken({ ...CLAIMS, email: 'ann@example.com', email_verified: false }, {}).userId).toBeUndefined();
  });

  it.each([
    ['no namespace', { sub: 'svc-1' }, {}],
    ['an invalid namespace', { ...CLAIMS, namespace: 'acme bolt' }, {}],
    ['a wildcard', { ...CLAIMS, namespace: '*' }, {}],
    ['an empty list', { ...CLAIMS, namespace: [] }, {}],
    ['a list of none', { ...CLAIMS, namespace: ['*', '../acme'] }, {}],
    ['a nested list', { ...CLAIMS, namespace: [['acme']] }, {}],
    ['an object', { ...CLAIMS, namespace: { acme: true } }, {}],
    ['a very long list', { ...CLAIMS, namespace: Array.from({ length: 1001 }, () => 'acme') }, {}],
    ['no client', { namespace: 'acme' }, {}],
    ['an empty client', { ...CLAIMS, azp: '' }, {}],
    ['a client that is no text', { ...CLAIMS, azp: { a: 1 } }, {}],
    ['a client with control characters', { ...CLAIMS, azp: 'a\r\nb' }, {}],
    ['a very long client', { ...CLAIMS, azp: 'a'.repeat(256) }, {}],
    ['a name that is for others', { ...CLAIMS, azp: 'API-Key:0123' }, {}],
    ['a user who is the service', { ...CLAIMS, email: 'Admin' }, {}],
    ['an invalid tenant', { ...CLAIMS, org: 'Acme Inc.' }, { tenantClaim: 'org' }],
    ['a claim that every object has', CLAIMS, { namespaceClaim: 'constructor' }],
    ['the prototype for a claim', CLAIMS, { namespaceClaim: '__proto__' }],
  ])('rejects a token with %s', (_, claims: JWTPayload, names) => {
    expect(() => claimOfToken(claims, names)).toThrow(UnauthenticatedError);
  });
});
