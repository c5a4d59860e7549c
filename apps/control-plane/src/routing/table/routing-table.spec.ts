import { crc32 } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { parsePoolName, parseTenantId } from '@palisade/domain';
import {
  DEDICATED,
  PREMIUM,
  STANDARD,
  pool,
  route,
  routingSettings,
  tenant,
  type RoutingOverrides,
} from '../../../test/support/routing-settings.js';
import type { RoutingRule } from '../../config/control-plane-settings.js';
import { RoutingTable } from './routing-table.js';

function tableOf(settings: RoutingOverrides = {}, ...tenants: ReturnType<typeof tenant>[]): RoutingTable {
  const table = new RoutingTable(routingSettings(settings));
  table.apply({ revision: 1, changed: tenants, removed: [] });
  table.admitAll();
  return table;
}

const OPEN_SINGLE: RoutingRule = { match: { tier: 'enterprise' }, action: { deployment: 'single_tenant' } };

describe(RoutingTable.name, () => {
  describe('for a tenant', () => {
    it('takes what the tenant says itself over its rule', () => {
      const rules: RoutingRule[] = [
        { match: {}, action: { deployment: 'single_tenant', pool: DEDICATED, isolationLevel: 'none' } },
      ];
      const table = tableOf({ rules }, tenant('acme', ['acme'], { pool: PREMIUM, isolationLevel: 'session' }));
      expect(table.resolve('acme')).toEqual({
        tenant: 'acme',
        pattern: 'acme',
        pool: 'premium',
        chosenBy: 'tenant',
        rule: 0,
        deployment: 'multi_tenant',
        isolationLevel: 'session',
        connectionPools: {},
        resourceLimits: {},
      });
    });

    it('takes what the tenant omits from its rule, then from the pool', () => {
      const rules: RoutingRule[] = [{ match: {}, action: { deployment: 'multi_tenant', pool: DEDICATED } }];
      const table = tableOf({ rules }, tenant('acme', ['acme']));
      expect(table.resolve('acme')).toMatchObject({ pool: 'dedicated', chosenBy: 'rule', isolationLevel: 'session' });
    });

    it('remembers the same terms once for all tenants that have them', () => {
      const tenants = ['a', 'b'].map((id) => tenant(id, [id], { pool: PREMIUM }));
      const table = tableOf({}, ...tenants);
      const [a, b] = tenants.map(({ id }) => table.find(id));
      expect(a?.placement).toBe(b?.placement);
      expect(a?.pools).toBe(b?.pools);
    });

    it('promises proxies for itself only to the tenant that the named pool is for', () => {
      const named = ['a', 'b'].map((id) => tenant(id, [id], { pool: parsePoolName('a'), tier: 'enterprise' }));
      const pools = [pool(parsePoolName('a'), 'session'), pool(DEDICATED, 'session')];
      const table = tableOf({ pools, rules: [OPEN_SINGLE] }, ...named);
      expect(named.map(({ id }) => table.find(id)?.placement.deployment)).toEqual(['single_tenant', 'multi_tenant']);
    });

    it('remembers no terms for pools that the configuration does not have', () => {
      const table = tableOf();
      const unknown = tenant('a', ['a'], { pool: parsePoolName('gone') });
      expect(table.place(unknown).placement).not.toBe(table.place(unknown).placement);
    });

    it('puts settings of the tenant over those of its rule, and those over the ones of the file', () => {
      const rules: RoutingRule[] = [
        {
          match: {},
          action: {
            deployment: 'multi_tenant',
            connectionPools: { redis: { connectionsPerNamespace: 20, perSessionLimit: 2 } },
          },
        },
      ];
      const connectionPools = { redis: { connectionsPerNamespace: 3, maxTotalConnections: 100, perSessionLimit: 1 } };
      const own = { pool: STANDARD, connectionPools: { redis: { perSessionLimit: 9 } } };
      const table = tableOf({ rules, connectionPools }, tenant('acme', ['acme'], own));
      expect(table.resolve('acme')?.connectionPools).toEqual({
        redis: { connectionsPerNamespace: 20, maxTotalConnections: 100, perSessionLimit: 9 },
      });
    });

    it('comes before a more exact entry of namespace_routing', () => {
      const namespaceRoutes = [route('acme-eu', STANDARD)];
      const table = tableOf({ namespaceRoutes }, tenant('acme', ['acme-*'], { pool: PREMIUM }));
      expect(table.resolve('acme-eu')).toMatchObject({ pool: 'premium', chosenBy: 'tenant' });
    });

    it('leaves its namespaces to namespace_routing and the default when nothing places it', () => {
      const namespaceRoutes = [route('acme-eu', PREMIUM)];
      const table = tableOf({ namespaceRoutes, defaultPool: STANDARD }, tenant('acme', ['acme-*']));
      expect(table.resolve('acme-eu')).toMatchObject({
        tenant: 'acme',
        pool: 'premium',
        chosenBy: 'namespace_routing',
      });
      expect(table.resolve('acme-us')).toMatchObject({ tenant: 'acme', pool: 'standard', chosenBy: 'default_pool' });
      expect([...(table.find(parseTenantId('acme'))?.pools ?? [])]).toEqual(['premium', 'standard']);
    });

    it('keeps to a pool that the configuration has no more, at the strictest level', () => {
      const gone = parsePoolName('gone');
      const table = tableOf({ defaultPool: STANDARD }, tenant('acme', ['acme'], { pool: gone }));
      expect(table.resolve('acme')).toMatchObject({ pool: 'gone', isolationLevel: 'session' });
    });

    it('ends with the tenant', () => {
      const table = tableOf({}, tenant('acme', ['acme', 'acme-*'], { pool: PREMIUM }));
      table.apply({ revision: 2, changed: [], removed: [parseTenantId('acme')] });
      expect([table.resolve('acme'), table.resolve('acme-eu'), table.tenantCount]).toEqual([undefined, undefined, 0]);
    });

    it('follows the tenant to other patterns', () => {
      const table = tableOf({}, tenant('acme', ['acme'], { pool: PREMIUM }));
      table.apply({ revision: 2, changed: [tenant('acme', ['emca'], { pool: PREMIUM })], removed: [] });
      expect([table.resolve('acme'), table.resolve('emca')?.pool]).toEqual([undefined, 'premium']);
    });

    it('leaves a pattern to the tenant that has taken it over, in whatever order it learns of that', () => {
      const table = tableOf({}, tenant('acme', ['shared'], { pool: PREMIUM }));
      table.apply({ revision: 2, changed: [tenant('other', ['shared'], { pool: STANDARD })], removed: [] });
      table.apply({ revision: 3, changed: [tenant('acme', ['acme'], { pool: PREMIUM })], removed: [] });
      expect(table.resolve('shared')).toMatchObject({ tenant: 'other', pool: 'standard' });
    });
  });

  describe('for a rule that promises proxies of its own and names no pool', () => {
    const acme = tenant('acme', ['acme'], { tier: 'enterprise' });

    it('takes the pool "dedicated"', () => {
      expect(tableOf({ rules: [OPEN_SINGLE] }, acme).resolve('acme')?.pool).toBe('dedicated');
    });

    it('prefers a pool of the name of the tenant', () => {
      const pools = [pool(DEDICATED, 'session'), pool(parsePoolName('acme'), 'none')];
      expect(tableOf({ rules: [OPEN_SINGLE], pools }, acme).resolve('acme')).toMatchObject({
        pool: 'acme',
        deployment: 'single_tenant',
      });
    });

    it('rejects a configuration without such a pool, rather than sharing', () => {
      const pools = [pool(STANDARD, 'namespace')];
      expect(() => tableOf({ rules: [OPEN_SINGLE], pools, defaultPool: STANDARD })).toThrow(
        'tenant_routing.rules[0].action.pool: expected the name of a pool, as there is no pool "dedicated"',
      );
    });

    it('accepts a configuration with a pool for each tenant that can be meant', () => {
      const rules = [{ ...OPEN_SINGLE, match: { contracts: [parseTenantId('acme')] } }];
      const pools = [pool(parsePoolName('acme'), 'none')];
      expect(tableOf({ rules, pools }, acme).resolve('acme')?.pool).toBe('acme');
    });
  });

  describe('for a namespace of no tenant', () => {
    it.each([
      ['acme-eu-1', 'dedicated', 1],
      ['acme-us', 'premium', 0],
      ['acme-eu', 'standard', 2],
    ])('gives %s to the most exact entry: %s', (namespace, expected, entry) => {
      const namespaceRoutes = [route('acme-*', PREMIUM), route('acme-eu-*', DEDICATED), route('acme-eu', STANDARD)];
      expect(tableOf({ namespaceRoutes }).resolve(namespace)).toMatchObject({
        pool: expected,
        entry,
        chosenBy: 'namespace_routing',
        deployment: 'multi_tenant',
      });
    });

    it('divides a pattern by weight, the same namespace always to the same pool', () => {
      const table = tableOf({ namespaceRoutes: [route('*', STANDARD, 3), route('*', PREMIUM, 1)] });
      for (const namespace of ['acme', 'emca', 'beta', 'gamma', 'delta']) {
        const expected = crc32(namespace) % 4 < 3 ? ['standard', 0] : ['premium', 1];
        const { pool: name, entry } = table.resolve(namespace) ?? {};
        expect([name, entry]).toEqual(expected);
      }
    });

    it('divides about as the weights say', () => {
      const table = tableOf({ namespaceRoutes: [route('*', STANDARD, 3), route('*', PREMIUM, 1)] });
      const chosen = Array.from({ length: 4000 }, (_, at) => table.resolve(`tenant-${at}`)?.pool);
      expect(chosen.filter((name) => name === 'premium').length).toBeGreaterThan(900);
      expect(chosen.filter((name) => name === 'premium').length).toBeLessThan(1100);
    });

    it('asks namespace_routing, then a rule without conditions, then the default', () => {
      const rules: RoutingRule[] = [{ match: {}, action: { deployment: 'multi_tenant', pool: DEDICATED } }];
      const namespaceRoutes = [route('acme', PREMIUM)];
      const all = tableOf({ rules, namespaceRoutes, defaultPool: STANDARD });
      expect([all.resolve('acme')?.pool, all.resolve('x')?.chosenBy]).toEqual(['premium', 'rule']);
      expect(tableOf({ namespaceRoutes, defaultPool: STANDARD }).resolve('x')?.chosenBy).toBe('default_pool');
    });

    it('has no route where nothing says anything', () => {
      expect(tableOf().resolve('acme')).toBeUndefined();
    });
  });

  describe('for a single tenant', () => {
    const deployment = { model: 'single_tenant', tenantId: parseTenantId('acme') } as const;

    it('gives it everything', () => {
      const table = tableOf({ deployment, pools: [pool(DEDICATED, 'none')] });
      expect(table.resolve('anything')).toEqual({
        tenant: 'acme',
        pool: 'dedicated',
        deployment: 'single_tenant',
        isolationLevel: 'none',
        chosenBy: 'deployment',
        connectionPools: {},
        resourceLimits: {},
      });
    });

    it('does not mind tenants of an earlier configuration', async () => {
      const table = tableOf({ deployment }, tenant('other', ['x'], { pool: STANDARD }));
      expect([table.resolve('x')?.tenant, table.tenantCount]).toEqual(['acme', 0]);
      expect(await table.desiredState([], { panicThresholdPercent: 50 })).toMatchObject({
        exact: new Map(),
        fallback: 'dedicated',
      });
    });
  });

  it('leaves requests for a pool that the configuration has no more to a pool without proxies', async () => {
    const gone = parsePoolName('gone');
    const table = tableOf({ defaultPool: STANDARD }, tenant('acme', ['acme', 'acme-*'], { pool: gone }));
    const desired = await table.desiredState([], { panicThresholdPercent: 50 });
    expect(desired).toMatchObject({
      revision: 1,
      exact: new Map([['acme', 'gone']]),
      prefixes: new Map([['acme-', 'gone']]),
      fallback: 'standard',
    });
    expect(desired.pools.map(({ name }) => name)).toEqual(['dedicated', 'gone', 'premium', 'standard']);
  });

  it('divides a pattern at the load balancer as it does itself', async () => {
    const namespaceRoutes = [
      route('*', STANDARD, 3),
      route('*', PREMIUM, 1),
      route('x', STANDARD),
      route('x', STANDARD),
    ];
    const { prefixes, exact } = await tableOf({ namespaceRoutes }).desiredState([], { panicThresholdPercent: 50 });
    expect(prefixes.get('')).toEqual({
      parts: [
        { pool: 'standard', weight: 3 },
        { pool: 'premium', weight: 1 },
      ],
    });
    expect(exact.get('x')).toBe('standard');
  });

  it('counts the tenants of each pool, and their patterns', () => {
    const table = tableOf(
      {},
      tenant('a', ['a', 'a-*'], { pool: PREMIUM }),
      tenant('b', ['b'], { pool: PREMIUM }),
      tenant('c', ['c'], { pool: STANDARD }),
    );
    table.apply({ revision: 2, changed: [tenant('c', ['c'], { pool: PREMIUM })], removed: [parseTenantId('b')] });
    expect([table.membersOf(PREMIUM), table.membersOf(STANDARD)]).toEqual([
      { tenants: 2, patterns: 3 },
      { tenants: 0, patterns: 0 },
    ]);
  });
});
