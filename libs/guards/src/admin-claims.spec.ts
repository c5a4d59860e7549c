import { describe, expect, it } from '@jest/globals';
import type { JWTPayload } from 'jose';
import { adminOf } from './admin-claims.js';
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
    'refuses the identity %s, which the service uses itself',
    (email) => {
      expect(() => admin({ email })).toThrow(UnauthenticatedError);
      expect(() => admin({ sub: email })).toThrow(UnauthenticatedError);
    },
  );

  it.each(['a\u0000b', 'a\nb', '\ud800', 'a'.repeat(256)])('refuses the identity %j', (email) => {
    expect(() => admin({ email })).toThrow(UnauthenticatedError);
  });

  it('refuses a token that names nobody', () => {
    expect(() => admin({ sub: '' })).toThrow(UnauthenticatedError);
  });
});
