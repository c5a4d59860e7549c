import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import { administers, holdsScope, type AdminPrincipal } from './principal.js';

function admin(overrides: Partial<AdminPrincipal>): AdminPrincipal {
  return { kind: 'admin', actor: 'ann', scopes: [], namespaces: [], ...overrides };
}

describe(holdsScope.name, () => {
  it.each([
    ['read', ['read']],
    ['operate', ['read', 'operate']],
    ['admin', ['read', 'operate', 'admin']],
  ] as const)('%s includes exactly %j', (held, included) => {
    const answers = (['read', 'operate', 'admin'] as const).filter((scope) =>
      holdsScope(admin({ scopes: [held] }), scope),
    );
    expect(answers).toEqual(included);
  });

  it('is false without scopes', () => {
    expect(holdsScope(admin({ scopes: [] }), 'read')).toBe(false);
  });
});

describe(administers.name, () => {
  it('knows the namespaces that are listed', () => {
    const billing = parseNamespaceId('billing');
    expect(administers(admin({ namespaces: [billing] }), billing)).toBe(true);
    expect(administers(admin({ namespaces: [billing] }), parseNamespaceId('billing-2'))).toBe(false);
    expect(administers(admin({ namespaces: '*' }), billing)).toBe(true);
  });
});
