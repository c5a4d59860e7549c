import { describe, expect, it } from '@jest/globals';
import { parseNamespacePattern, parsePoolName, parseTenantId, type ChangeContext, type Tenant } from '@palisade/domain';
import { tenantRegistered, tenantReplaced } from './change-action.js';

const at = new Date('2026-01-01T00:00:00Z');
const change: ChangeContext = { actor: 'ann', at };

function tenantOf(patterns: readonly string[], overrides: Partial<Tenant> = {}): Tenant {
  const namespacePatterns = patterns.map(parseNamespacePattern);
  const id = parseTenantId('acme');
  return { id, namespacePatterns, source: 'api', version: 1, createdAt: at, modifiedAt: at, ...overrides };
}

describe(tenantRegistered.name, () => {
  it('names the namespace of a tenant that has one', () => {
    expect(tenantRegistered(change, tenantOf(['orders']))).toMatchObject({ namespace: 'orders', tenantId: 'acme' });
  });

  it.each([[['orders*']], [['orders', 'billing']]])('names no namespace of a tenant with %j', (patterns) => {
    expect(tenantRegistered(change, tenantOf(patterns))).not.toHaveProperty('namespace');
  });

  it('names a hundred patterns and counts them all', () => {
    const patterns = Array.from({ length: 150 }, (_, index) => `n${index}`);

    const { detail } = tenantRegistered(change, tenantOf(patterns));

    expect(detail?.['patternCount']).toBe(150);
    expect(String(detail?.['patterns']).split(' ')).toHaveLength(100);
  });

  it('has no request id when the change has none', () => {
    expect(tenantRegistered(change, tenantOf(['a'])).detail).not.toHaveProperty('requestId');
  });
});

describe(tenantReplaced.name, () => {
  it('is a move when the pool changes, also to or from none', () => {
    const [none, premium] = [tenantOf(['a']), tenantOf(['a'], { pool: parsePoolName('premium') })];

    expect(tenantReplaced(change, none, premium)).toMatchObject({
      action: 'tenant.move',
      detail: { fromPool: null, toPool: 'premium' },
    });
    expect(tenantReplaced(change, premium, none)).toMatchObject({
      action: 'tenant.move',
      detail: { fromPool: 'premium', toPool: null },
    });
    expect(tenantReplaced(change, premium, premium)).toMatchObject({ action: 'tenant.replace' });
  });
});
