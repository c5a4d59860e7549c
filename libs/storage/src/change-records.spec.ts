import { describe, expect, it } from '@jest/globals';
import {
  formatResourceId,
  parseNamespaceId,
  parseNamespacePattern,
  parsePoolName,
  parseProviderId,
  parseTenantId,
  type ChangeContext,
  type Tenant,
} from '@palisade/domain';
import {
  bindingChanged,
  membershipRemoved,
  providerChanged,
  resourceChanged,
  tenantRegistered,
  tenantReplaced,
  tokenChanged,
} from './change-records.js';

const provider = parseProviderId('acme');
const user = formatResourceId('User', provider, 'u1');
const group = formatResourceId('Group', provider, 'g1');
const change: ChangeContext = { actor: 'token:t1', requestId: 'r1', at: new Date('2026-01-01T00:00:00Z') };
const common = { timestamp: change.at, userId: 'token:t1', requestId: 'r1', result: 'success', provider: 'acme' };

describe(resourceChanged.name, () => {
  it('names the kind of resource in the action', () => {
    expect(resourceChanged(change, 'create', provider, user)).toEqual({
      ...common,
      action: 'user.create',
      resource: 'user:scim:acme:u1',
    });
    expect(resourceChanged(change, 'delete', provider, group)).toMatchObject({ action: 'group.delete' });
  });

  it('counts members when there are changes of them', () => {
    expect(resourceChanged(change, 'update', provider, group, { added: 2, removed: 0 })).toMatchObject({
      action: 'group.update',
      detail: { members_added: 2, members_removed: 0 },
    });
    expect(resourceChanged(change, 'update', provider, group, { added: 0, removed: 0 })).not.toHaveProperty('detail');
  });

  it('has no request id when the change has none', () => {
    const { actor, at } = change;

    expect(resourceChanged({ actor, at }, 'create', provider, user)).not.toHaveProperty('requestId');
  });
});

describe(membershipRemoved.name, () => {
  it('is about the group and names the member', () => {
    expect(membershipRemoved(change, provider, group, user)).toEqual({
      ...common,
      action: 'membership.remove',
      resource: 'group:scim:acme:g1',
      detail: { member: 'user:scim:acme:u1' },
    });
  });
});

describe(bindingChanged.name, () => {
  it('names the binding as a relationship and gives its namespace', () => {
    const key = { namespace: parseNamespaceId('orders'), boundSubject: group, relation: 'write' } as const;

    expect(bindingChanged(change, 'add', provider, key)).toEqual({
      ...common,
      action: 'binding.add',
      resource: 'namespace:orders#write@group:scim:acme:g1',
      namespace: 'orders',
    });
  });
});

describe(providerChanged.name, () => {
  it('is about the provider', () => {
    expect(providerChanged(change, 'update', provider)).toEqual({
      ...common,
      action: 'provider.update',
      resource: 'provider:acme',
    });
  });
});

describe(tokenChanged.name, () => {
  it('names the token by its id and nothing of its secret', () => {
    const token = { id: 't1', provider, digest: 'secret', hint: 'wxyz' };

    expect(tokenChanged(change, 'revoke', token)).toEqual({ ...common, action: 'token.revoke', resource: 'token:t1' });
  });
});

const at = new Date('2026-01-01T00:00:00Z');

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

    expect(detail?.['pattern_count']).toBe(150);
    expect(String(detail?.['patterns']).split(' ')).toHaveLength(100);
  });

  it('has no request id when the change has none', () => {
    expect(tenantRegistered({ actor: 'ann', at }, tenantOf(['a']))).not.toHaveProperty('requestId');
  });
});

describe(tenantReplaced.name, () => {
  it('is a move when the pool changes, also to or from none', () => {
    const [none, premium] = [tenantOf(['a']), tenantOf(['a'], { pool: parsePoolName('premium') })];

    expect(tenantReplaced(change, none, premium)).toMatchObject({
      action: 'tenant.move',
      detail: { from_pool: null, to_pool: 'premium' },
    });
    expect(tenantReplaced(change, premium, none)).toMatchObject({
      action: 'tenant.move',
      detail: { from_pool: 'premium', to_pool: null },
    });
    expect(tenantReplaced(change, premium, premium)).toMatchObject({ action: 'tenant.replace' });
  });
});
