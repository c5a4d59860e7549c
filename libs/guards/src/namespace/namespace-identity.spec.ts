import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId, parseTenantId } from '@palisade/domain';
import { type IdentityClaim, resolveIdentity } from './namespace-identity.js';

function claim(
  method: IdentityClaim['method'],
  namespaces: string[],
  more: Partial<IdentityClaim> = {},
): IdentityClaim {
  return { method, namespaces: namespaces.map(parseNamespaceId), clientId: `${method} client`, ...more };
}

describe(resolveIdentity.name, () => {
  it('is what the only credential says', () => {
    expect(resolveIdentity([claim('api_key', ['acme'])], undefined)).toEqual({
      namespace: 'acme',
      clientId: 'api_key client',
      method: 'api_key',
    });
  });

  it('takes the client from the strongest credential, the user and the tenant from whichever says so', () => {
    const token = claim('jwt', ['acme', 'bolt'], { userId: 'ann' });
    const key = claim('api_key', ['acme'], { tenantId: parseTenantId('acme-inc') });
    expect(resolveIdentity([key, token, claim('certificate', ['acme'])], 'acme')).toEqual({
      namespace: 'acme',
      clientId: 'certificate client',
      userId: 'ann',
      tenantId: 'acme-inc',
      method: 'certificate',
    });
  });

  it('is for the one namespace that credentials have in common', () => {
    const claims = [claim('jwt', ['acme', 'bolt']), claim('certificate', ['bolt'])];
    expect(resolveIdentity(claims, undefined)).toMatchObject({ namespace: 'bolt' });
  });

  it('is for the requested one of several', () => {
    expect(resolveIdentity([claim('jwt', ['acme', 'bolt'])], 'bolt')).toMatchObject({ namespace: 'bolt' });
  });

  it.each(['core', '', 'ACME', 'acme ', 'acme, acme', '../acme', '*', '__proto__'])(
    'knows no namespace %j of the caller',
    (requested) => {
      expect(() => resolveIdentity([claim('jwt', ['acme', 'bolt'])], requested)).toThrow(
        expect.objectContaining({ code: 'NAMESPACE_NOT_FOUND' }),
      );
    },
  );

  it('knows no namespace that only one of the credentials is for', () => {
    const claims = [claim('jwt', ['acme', 'bolt']), claim('certificate', ['bolt'])];
    expect(() => resolveIdentity(claims, 'acme')).toThrow(expect.objectContaining({ code: 'NAMESPACE_NOT_FOUND' }));
  });

  it('wants to know which one of several', () => {
    expect(() => resolveIdentity([claim('jwt', ['acme', 'bolt'])], undefined)).toThrow(
      expect.objectContaining({ code: 'NAMESPACE_AMBIGUOUS' }),
    );
  });

  it.each([
    ['namespaces', claim('jwt', ['acme']), claim('certificate', ['bolt'])],
    ['users', claim('jwt', ['acme'], { userId: 'ann' }), claim('api_key', ['acme'], { userId: 'bob' })],
    [
      'tenants',
      claim('certificate', ['acme'], { tenantId: parseTenantId('a') }),
      claim('jwt', ['acme'], { tenantId: parseTenantId('b') }),
    ],
  ])('is nobody when credentials are of different %s', (_, first, second) => {
    expect(resolveIdentity([first, second], 'acme')).toBeUndefined();
  });

  it('is nobody without a credential', () => {
    expect(resolveIdentity([], undefined)).toBeUndefined();
  });
});
