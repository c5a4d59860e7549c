import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId, parseTenantId } from '@palisade/domain';
import {
  DEDICATED,
  PREMIUM,
  STANDARD,
  route,
  routingSettings,
  tenant,
  type RoutingOverrides,
} from '../../../test/support/routing-settings.js';
import { RoutingTable } from '../table/routing-table.js';
import { explainRoute } from './explain-route.js';
import type { Explanation, Question, Stage } from './explanation.js';

function tableOf(settings: RoutingOverrides, ...tenants: ReturnType<typeof tenant>[]): RoutingTable {
  const table = new RoutingTable(routingSettings(settings));
  table.apply({ revision: 1, changed: tenants, removed: [] });
  return table;
}

const of = (table: RoutingTable, namespace: string): Explanation =>
  explainRoute(table, { namespace: parseNamespaceId(namespace) });

/** Each step of the stage: whether it chose the pool, the candidate and the reason. */
function told({ steps }: Explanation, stage: Stage): string[] {
  return steps
    .filter((step) => step.stage === stage)
    .map(({ isChosen, candidate, reason }) => `${isChosen ? 'CHOSEN ' : ''}${candidate}: ${reason}`);
}

describe(explainRoute.name, () => {
  it('tells every entry that matches, the most exact first, and why the others do not have it', () => {
    const namespaceRoutes = [
      route('*', STANDARD),
      route('acme-*', PREMIUM),
      route('acme-e?', DEDICATED),
      route('acme-eu', STANDARD),
    ];
    expect(told(of(tableOf({ namespaceRoutes }), 'acme-eu'), 'namespace_routing')).toEqual([
      'CHOSEN namespace_routing[3]: "acme-eu" matches',
      'namespace_routing[2]: "acme-e?" matches too, but "acme-eu" is the very name',
      'namespace_routing[1]: "acme-*" matches too, but "acme-eu" is the very name',
      'namespace_routing[0]: "*" matches too, but "acme-eu" is the very name',
    ]);
    expect(told(of(tableOf({ namespaceRoutes }), 'acme-us'), 'namespace_routing')).toEqual([
      'CHOSEN namespace_routing[1]: "acme-*" matches',
      'namespace_routing[0]: "*" matches too, but "acme-*" has a longer literal prefix',
      '2 other entries of namespace_routing: not matching',
    ]);
  });

  it('tells at most 100 parts of a divided entry', () => {
    const namespaceRoutes = Array.from({ length: 250 }, () => route('*', STANDARD));
    expect(told(of(tableOf({ namespaceRoutes }), 'acme'), 'namespace_routing')).toHaveLength(100);
  });

  it('asks rules behind namespace_routing where there is no tenant', () => {
    const rules = [{ match: {}, action: { deployment: 'multi_tenant', pool: PREMIUM } }] as const;
    const explained = of(tableOf({ rules, namespaceRoutes: [route('acme', STANDARD)] }), 'other');
    expect(explained.steps.map(({ stage, isChosen }) => [stage, isChosen])).toEqual([
      ['tenant', false],
      ['namespace_routing', false],
      ['tenant_routing', true],
      ['default_pool', false],
    ]);
    expect(explained.summary).toBe(
      'Namespace "other" goes to the pool "premium" (multi_tenant) at isolation level namespace. ' +
        'Chosen by tenant_routing.rules[0]: holds for all; it chooses the pool "premium".',
    );
  });

  it('says that there is no route, and why', () => {
    const { route: found, summary, steps } = of(tableOf({}), 'acme');
    expect([found, summary]).toEqual([
      undefined,
      'There is no route for namespace "acme": nothing chooses a pool for it, and there is no default_pool.',
    ]);
    expect(steps.at(-1)).toMatchObject({ stage: 'default_pool', isChosen: false, reason: 'there is none' });
  });

  it('tells what a rule gives a tenant that names its pool itself', () => {
    const rules = [
      { match: { tier: 'premium' }, action: { deployment: 'multi_tenant', isolationLevel: 'session' } },
    ] as const;
    const acme = tenant('acme', ['acme'], { pool: STANDARD, tier: 'premium' });
    const explained = of(tableOf({ rules }, acme), 'acme');
    expect(told(explained, 'tenant_routing')).toEqual([
      'tenant_routing.rules[0]: holds: tier is premium; it gives what the tenant does not say itself',
    ]);
    expect(explained.terms).toContainEqual({
      name: 'isolation_level',
      value: 'session',
      from: 'tenant_routing.rules[0]',
    });
    expect(explained.summary).toMatch(/What it does not say itself comes from tenant_routing\.rules\[0\]\.$/);
  });

  it('names the pools of a tenant whose namespaces go different ways', () => {
    const settings = { namespaceRoutes: [route('acme-eu', PREMIUM)], defaultPool: STANDARD };
    const table = tableOf(settings, tenant('acme', ['acme-*']));
    const question: Question = { tenant: { id: parseTenantId('acme') } };
    expect(explainRoute(table, question).summary).toBe(
      'Where tenant "acme" goes depends on the namespace: "premium" or "standard".',
    );
  });

  it('explains for every question what resolving finds', () => {
    const rules = [{ match: { tier: 'premium' }, action: { deployment: 'multi_tenant', pool: PREMIUM } }] as const;
    const namespaceRoutes = [route('x-*', DEDICATED), route('acme-eu', STANDARD)];
    const table = tableOf(
      { rules, namespaceRoutes, defaultPool: STANDARD },
      tenant('acme', ['acme-*'], { tier: 'premium' }),
      tenant('open', ['x-1', 'y']),
      tenant('own', ['own'], { pool: DEDICATED }),
    );
    for (const namespace of ['acme-eu', 'acme-us', 'x-1', 'x-2', 'y', 'own', 'nobody']) {
      expect(of(table, namespace).route).toEqual(table.resolve(namespace));
    }
  });

  it('names the tenant of a namespace only to those who may see it', () => {
    const rules = [
      { match: { contracts: [parseTenantId('acme')], tier: 'premium' }, action: { deployment: 'multi_tenant' } },
      {
        match: { annualRevenue: { operator: '>', amount: 1000 } },
        action: { deployment: 'multi_tenant', pool: PREMIUM },
      },
    ] as const;
    const table = tableOf({ rules }, tenant('acme', ['shared-*'], { tier: 'standard', annualRevenue: 777_777 }));
    const explained = explainRoute(table, { namespace: parseNamespaceId('shared-a') }, () => false);
    expect(explained.summary).toBe(
      'Namespace "shared-a" goes to the pool "premium" (multi_tenant) at isolation level namespace. ' +
        'Chosen by tenant_routing.rules[1]: holds; it chooses the pool "premium".',
    );
    expect(told(explained, 'tenant')).toEqual(['the tenant of the namespace: names no pool itself']);
    expect(told(explained, 'tenant_routing')).toEqual([
      'tenant_routing.rules[0]: does not hold',
      'CHOSEN tenant_routing.rules[1]: holds; it chooses the pool "premium"',
    ]);
    expect(JSON.stringify(explained)).not.toMatch(/acme|shared-\*|777|standard"/);
  });
});
