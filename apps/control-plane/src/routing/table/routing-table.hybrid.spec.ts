import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId, type TenantDraft } from '@palisade/domain';
import { EXAMPLE_A, EXAMPLE_B } from '../../../test/support/hybrid-examples.js';
import { routingSettings, tenant } from '../../../test/support/routing-settings.js';
import type { RoutingRule } from '../../config/control-plane-settings.js';
import { explainRoute } from '../explain/explain-route.js';
import { RoutingTable } from './routing-table.js';

type Facts = Pick<TenantDraft, 'tier' | 'annualRevenue'>;

/** A table with one tenant, whose namespaces begin with its id. */
function tableWith(rules: readonly RoutingRule[], id: string, facts: Facts): RoutingTable {
  const table = new RoutingTable(routingSettings({ rules }));
  table.apply({ revision: 1, changed: [tenant(id, [`${id}-*`], facts)], removed: [] });
  return table;
}

/** Pool, deployment, isolation level and redis connections of each namespace of the tenant. */
function termsOf(table: RoutingTable, id: string): unknown[] {
  const { pool, deployment, isolationLevel, connectionPools } = table.resolve(`${id}-orders`) ?? {};
  return [pool, deployment, isolationLevel, connectionPools?.redis?.connectionsPerNamespace];
}

/** What each rule is said to have decided. */
function reasons(table: RoutingTable, id: string): string[] {
  return explainRoute(table, { namespace: parseNamespaceId(`${id}-orders`) })
    .steps.filter(({ stage }) => stage === 'tenant_routing')
    .map(({ candidate, reason }) => `${candidate} ${reason}`);
}

describe('hybrid routing, example A', () => {
  it.each([
    ['big', { tier: 'enterprise', annualRevenue: 100_001 }, ['dedicated', 'single_tenant', 'session', undefined]],
    ['prem', { tier: 'premium' }, ['premium', 'multi_tenant', 'session', undefined]],
    ['std', { tier: 'standard', annualRevenue: 500_000 }, ['standard', 'multi_tenant', 'namespace', undefined]],
    ['edge', { tier: 'enterprise', annualRevenue: 100_000 }, [undefined, undefined, undefined, undefined]],
    ['silent', { tier: 'enterprise' }, [undefined, undefined, undefined, undefined]],
    ['none', {}, [undefined, undefined, undefined, undefined]],
  ] as const)('places %s (%j): %j', (id, facts, expected) => {
    expect(termsOf(tableWith(EXAMPLE_A, id, facts), id)).toEqual(expected);
  });

  it('explains the first rule that holds, those before it, and that no other is asked', () => {
    expect(reasons(tableWith(EXAMPLE_A, 'prem', { tier: 'premium', annualRevenue: 5 }), 'prem')).toEqual([
      'tenant_routing.rules[0] does not hold: tier is premium, not enterprise; annual revenue is 5, not > 100000',
      'tenant_routing.rules[1] holds: tier is premium; it chooses the pool "premium"',
      'tenant_routing.rules[2] not asked, as an earlier rule holds',
    ]);
  });

  it('says only what fails of a rule that holds in part', () => {
    expect(reasons(tableWith(EXAMPLE_A, 'edge', { tier: 'enterprise' }), 'edge')[0]).toBe(
      'tenant_routing.rules[0] does not hold: annual revenue is not known, it must be > 100000',
    );
  });
});

describe('hybrid routing, example B', () => {
  it.each([
    ['healthcare-a', { tier: 'enterprise' }, ['dedicated', 'single_tenant', 'session', undefined]],
    ['finance-b', { tier: 'enterprise', annualRevenue: 1 }, ['dedicated', 'single_tenant', 'session', undefined]],
    ['other-c', { tier: 'enterprise' }, [undefined, undefined, undefined, undefined]],
    ['healthcare-a', { tier: 'standard' }, ['standard', 'multi_tenant', 'namespace', 5]],
    ['prem', { tier: 'premium', annualRevenue: 10_001 }, ['premium', 'multi_tenant', 'namespace', 20]],
    ['small', { tier: 'premium', annualRevenue: 10_000 }, [undefined, undefined, undefined, undefined]],
    ['std', { tier: 'standard' }, ['standard', 'multi_tenant', 'namespace', 5]],
  ] as const)('places %s (%j): %j', (id, facts, expected) => {
    expect(termsOf(tableWith(EXAMPLE_B, id, facts), id)).toEqual(expected);
  });

  it('explains who is named by a contract without naming the others', () => {
    const explained = reasons(tableWith(EXAMPLE_B, 'other-c', { tier: 'enterprise' }), 'other-c');
    expect(explained[0]).toBe('tenant_routing.rules[0] does not hold: contracts do not name "other-c"');
    expect(explained.join()).not.toMatch(/healthcare-a|finance-b/);
  });

  it('tells where each term comes from', () => {
    const table = tableWith(EXAMPLE_B, 'prem', { tier: 'premium', annualRevenue: 20_000 });
    expect(explainRoute(table, { namespace: parseNamespaceId('prem-orders') }).terms).toEqual([
      { name: 'deployment', value: 'multi_tenant', from: 'tenant_routing.rules[1]' },
      { name: 'pool', value: 'premium', from: 'tenant_routing.rules[1]' },
      { name: 'isolation_level', value: 'namespace', from: 'tenant_routing.rules[1]' },
      { name: 'connection_pools.redis.connections_per_namespace', value: 20, from: 'tenant_routing.rules[1]' },
    ]);
  });
});
