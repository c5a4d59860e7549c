import { describe, expect, it } from '@jest/globals';
import type { JWTPayload } from 'jose';
import { adminOf, isOfProxy, proxyOf } from './admin-claims.js';
import { UnauthenticatedError } from './authentication.errors.js';

function admin(claims: JWTPayload) {
  return adminOf(
    { sub: 'u1', ...claims },
    { namespacesClaim: 'namespaces', providersClaim: 'providers', identityClaim: 'email' },
  );
}

describe(adminOf.name, () => {
  it('grants what the claims list', () => {
    expect(
      admin({ email: 'ann@example.com', scope: 'openid read operate', namespaces: ['billing', 'search'] }),
    ).toEqual({
      kind: 'admin',
      actor: 'ann@example.com',
      scopes: ['read', 'operate'],
      namespaces: ['billing', 'search'],
    });
  });

  it('grants nothing that the claims do not say', () => {
    expect(admin({})).toMatchObject({ scopes: [], namespaces: [] });
  });

  it('reads namespaces given as words, and scp for scope', () => {
    expect(admin({ scp: ['admin'], namespaces: 'billing search' })).toMatchObject({
      scopes: ['admin'],
      namespaces: ['billing', 'search'],
    });
  });

  it('reads * among the namespaces as all', () => {
    expect(admin({ namespaces: ['billing', '*'] }).namespaces).toBe('*');
  });

  it.each([[['Billing', 'a_b', 'ok']], [[1, null, { '*': true }, 'ok']], ['ok ** x*']])(
    'skips what is no namespace in %j',
    (namespaces) => {
      expect(admin({ namespaces }).namespaces).toEqual(['ok']);
    },
  );

  it.each([true, 7, { all: '*' }])('grants no namespace for the claim %j', (namespaces) => {
    expect(admin({ namespaces }).namespaces).toEqual([]);
  });

  it.each([false, 'false'])('names the admin by sub when email_verified is %j', (verified) => {
    expect(admin({ email: 'ceo@example.com', email_verified: verified }).actor).toBe('u1');
  });

  it.each(['admin', 'configuration', 'programmatic', 'token:environment', 'client:1'])(
    'rejects the identity %s, which the service uses itself',
    (email) => {
      expect(() => admin({ email })).toThrow(UnauthenticatedError);
      expect(() => admin({ sub: email })).toThrow(UnauthenticatedError);
    },
  );

  it.each(['a\u0000b', 'a\nb', '\ud800', 'a'.repeat(256)])('rejects the identity %j', (email) => {
    expect(() => admin({ email })).toThrow(UnauthenticatedError);
  });

  it('rejects a token that names nobody', () => {
    expect(() => admin({ sub: '' })).toThrow(UnauthenticatedError);
  });
});

describe(isOfProxy.name, () => {
  it.each([[{ scope: 'openid proxy' }], [{ scp: ['proxy', 'admin'] }]])('is true for %j', (claims) => {
    expect(isOfProxy(claims)).toBe(true);
  });

  it.each([[{}], [{ scope: 'proxies' }], [{ scope: 'admin', pool: 'standard' }]])('is false for %j', (claims) => {
    expect(isOfProxy(claims)).toBe(false);
  });
});

describe(proxyOf.name, () => {
  const NAMES = { poolClaim: 'pool', idPrefixClaim: 'id_prefix' };
  const CLAIMS = { sub: 'eu-workload', scope: 'proxy', pool: 'standard', id_prefix: 'eu-' };

  it('binds the proxy to the pool and to the ids that the claims state', () => {
    expect(proxyOf(CLAIMS, NAMES)).toEqual({
      kind: 'proxy',
      actor: 'proxy:jwt:eu-workload',
      pool: 'standard',
      idPrefix: 'eu-',
    });
    expect(proxyOf({ ...CLAIMS, id_prefix: '' }, NAMES).idPrefix).toBe('');
  });

  it.each([
    [{ pool: undefined }],
    [{ pool: ['standard'] }],
    [{ pool: '*' }],
    [{ pool: '' }],
    [{ id_prefix: undefined }],
    [{ id_prefix: null }],
    [{ id_prefix: '*' }],
    [{ id_prefix: 'EU-' }],
    [{ id_prefix: 'a'.repeat(101) }],
    [{ sub: undefined }],
    [{ sub: '' }],
    [{ sub: 'a\nb' }],
  ])('admits no proxy with %j', (claims) => {
    expect(() => proxyOf({ ...CLAIMS, ...claims } as JWTPayload, NAMES)).toThrow(UnauthenticatedError);
  });
});
