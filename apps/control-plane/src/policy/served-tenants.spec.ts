import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Tenant, TenantId } from '@palisade/domain';
import {
  DEDICATED,
  PREMIUM,
  STANDARD,
  route,
  routingSettings,
  tenant,
  type RoutingOverrides,
} from '../../test/support/routing-settings.js';
import { RoutingTable } from '../routing/table/routing-table.js';
import { ServedTenants, type Touched } from './served-tenants.js';

class World {
  nowMs = Date.UTC(2026, 0, 1);
  readonly table: RoutingTable;
  readonly served: ServedTenants;
  private revision = 0;

  constructor(overrides: RoutingOverrides = {}) {
    const settings = routingSettings(overrides);
    this.table = new RoutingTable(settings);
    this.served = new ServedTenants(this.table.finder, settings.pools, 30_000, () => this.nowMs);
  }

  change(changed: readonly Tenant[], removed: readonly string[] = []): Record<string, string[]> {
    this.revision += 1;
    this.table.apply({ revision: this.revision, changed, removed: removed as TenantId[] });
    const placed = changed.flatMap(({ id }) => this.table.find(id) ?? []);
    return inOrder(this.served.take(placed, removed as TenantId[]));
  }

  policies(pool = STANDARD): unknown[] {
    return [...this.served.policiesOf(pool)];
  }
}

function inOrder(touched: Touched): Record<string, string[]> {
  return Object.fromEntries([...touched].map(([pool, ids]) => [pool, [...ids].sort()]));
}

const REDIS = { connections_per_namespace: 5, max_total_connections: 100 };
const POOL_WITH_REDIS = {
  name: STANDARD,
  replicas: 1,
  resources: { cpu: 1, memoryBytes: 1 },
  isolationLevel: 'namespace',
  isolationSettings: {
    isolation_level: 'namespace',
    connection_pools: { redis: REDIS },
    resource_limits: { per_namespace: { max_rps: 100 } },
  },
} as const;

describe(ServedTenants.name, () => {
  let world: World;
  beforeEach(() => {
    world = new World();
  });

  it('has each tenant in its pool, with what differs from the pool', () => {
    world = new World({
      pools: [POOL_WITH_REDIS],
      connectionPools: { redis: { connectionsPerNamespace: 5, maxTotalConnections: 100 } },
      resourceLimits: { maxRps: 100 },
      rules: [
        {
          match: { tier: 'premium' },
          action: {
            deployment: 'multi_tenant',
            pool: STANDARD,
            isolationLevel: 'session',
            connectionPools: { redis: { connectionsPerNamespace: 20, perSessionLimit: 2 } },
            resourceLimits: { maxRps: 50, bytes: 2 ** 20 },
          },
        },
      ],
    });
    const touched = world.change([
      tenant('plain', ['plain'], { pool: STANDARD, isolationLevel: 'namespace' }),
      tenant('ruled', ['ruled-*', 'r'], { tier: 'premium' }),
      tenant('capped', ['capped'], {
        pool: STANDARD,
        // A cap is the pool's alone, and it has no Kafka.
        connectionPools: { redis: { maxTotalConnections: 7 }, kafka: { connectionsPerNamespace: 1 } },
        resourceLimits: { maxRps: 100, cores: 0.25 },
      }),
    ]);
    expect(touched).toEqual({ standard: ['capped', 'plain', 'ruled'] });
    expect(world.policies()).toEqual([
      { tenant_id: 'plain', namespaces: ['plain'] },
      {
        tenant_id: 'ruled',
        namespaces: ['ruled-*', 'r'],
        isolation_level: 'session',
        connection_pools: { redis: { connections_per_namespace: 20, per_session_limit: 2 } },
        resource_limits: { memory: '1Mi', max_rps: 50 },
      },
      { tenant_id: 'capped', namespaces: ['capped'], resource_limits: { cpu: '0.25' } },
    ]);
  });

  it('keeps a tenant in the pool that it has left until the time is over', () => {
    world.change([tenant('acme', ['acme'], { pool: STANDARD })]);
    expect(world.change([tenant('acme', ['acme'], { pool: PREMIUM, isolationLevel: 'session' })])).toEqual({
      standard: ['acme'],
      premium: ['acme'],
    });
    const own = { tenant_id: 'acme', namespaces: ['acme'], isolation_level: 'session' };
    expect([world.policies(), world.policies(PREMIUM)]).toEqual([[own], [own]]);
    world.nowMs += 29_999;
    expect(world.change([])).toEqual({});
    world.nowMs += 1;
    expect(world.change([])).toEqual({ standard: ['acme'] });
    expect([world.policies(), world.served.policyOf(STANDARD, 'acme')]).toEqual([[], undefined]);
    expect(world.served.expiredIn(STANDARD)).toEqual(['acme']);
  });

  it('keeps a tenant that moves on in both pools that it has left', () => {
    world.change([tenant('acme', ['acme'], { pool: STANDARD })]);
    world.change([tenant('acme', ['acme'], { pool: PREMIUM })]);
    world.change([tenant('acme', ['acme'], { pool: DEDICATED })]);
    expect([STANDARD, PREMIUM, DEDICATED].map((pool) => world.policies(pool).length)).toEqual([1, 1, 1]);
    world.change([tenant('acme', ['acme'], { pool: STANDARD })]);
    world.nowMs += 30_000;
    world.change([]);
    expect([STANDARD, PREMIUM, DEDICATED].map((pool) => world.policies(pool).length)).toEqual([1, 0, 0]);
  });

  it('keeps a tenant in the pool that drains by the store', () => {
    const until = new Date(world.nowMs + 10_000);
    world.change([{ ...tenant('acme', ['acme'], { pool: PREMIUM }), draining: { pool: STANDARD, until } }]);
    expect(world.policies()).toHaveLength(1);
    world.nowMs += 10_000;
    world.change([]);
    expect(world.policies()).toEqual([]);
  });

  it('forgets a tenant that is removed in every pool at once', () => {
    world.change([tenant('acme', ['acme'], { pool: STANDARD })]);
    world.change([tenant('acme', ['acme'], { pool: PREMIUM })]);
    expect(world.change([], ['acme'])).toEqual({ standard: ['acme'], premium: ['acme'] });
    expect([world.policies(), world.policies(PREMIUM)]).toEqual([[], []]);
  });

  it('has a tenant that namespace_routing divides in each of its pools', () => {
    world = new World({ namespaceRoutes: [route('acme-eu', PREMIUM)], defaultPool: STANDARD });
    world.change([tenant('acme', ['acme-*'])]);
    const own = { tenant_id: 'acme', namespaces: ['acme-*', 'acme-eu'] };
    expect(world.policies()).toEqual([{ tenant_id: 'unregistered', namespaces: ['*'] }, own]);
    expect(world.policies(PREMIUM)).toEqual([own]);
  });

  describe('namespaces without a tenant', () => {
    it('are served where an entry, a rule or the default sends them', () => {
      world = new World({
        namespaceRoutes: [route('team-*', STANDARD, 3), route('team-*', PREMIUM, 1), route('solo', STANDARD)],
        rules: [
          {
            match: {},
            action: { deployment: 'multi_tenant', pool: DEDICATED, isolationLevel: 'session' },
          },
        ],
      });
      const terms = { tenant_id: 'unregistered', isolation_level: 'session' };
      expect(world.policies()).toEqual([{ ...terms, namespaces: ['team-*', 'solo'] }]);
      expect(world.policies(PREMIUM)).toEqual([{ ...terms, namespaces: ['team-*'] }]);
      expect(world.policies(DEDICATED)).toEqual([{ tenant_id: 'unregistered', namespaces: ['*'] }]);
    });

    it('are no longer served there when a tenant takes them over, and again when it leaves', () => {
      world = new World({ namespaceRoutes: [route('acme-eu', STANDARD), route('other', STANDARD)] });
      expect(world.change([tenant('acme', ['acme-*'], { pool: PREMIUM })])).toEqual({
        premium: ['acme'],
        standard: ['unregistered'],
      });
      expect(world.policies()).toEqual([{ tenant_id: 'unregistered', namespaces: ['other'] }]);
      expect(world.policies(PREMIUM)).toEqual([{ tenant_id: 'acme', namespaces: ['acme-*', 'acme-eu'] }]);
      expect(world.change([], ['acme'])).toEqual({ premium: ['acme'], standard: ['unregistered'] });
      expect(world.policies()).toEqual([{ tenant_id: 'unregistered', namespaces: ['acme-eu', 'other'] }]);
    });

    it('are not served by default where a tenant has them all', () => {
      world = new World({ defaultPool: STANDARD });
      world.change([tenant('acme', ['*'], { pool: PREMIUM })]);
      expect([world.policies(), world.policies(PREMIUM)]).toEqual([[], [{ tenant_id: 'acme', namespaces: ['*'] }]]);
    });

    it('belong to the only tenant of an installation for one', () => {
      const deployment = { model: 'single_tenant', tenantId: tenant('acme', ['x']).id } as const;
      world = new World({ deployment, defaultPool: STANDARD });
      expect([world.policies(), world.policies(PREMIUM)]).toEqual([[{ tenant_id: 'acme', namespaces: ['*'] }], []]);
      expect(world.served.policyOf(STANDARD, 'acme')).toEqual({ tenant_id: 'acme', namespaces: ['*'] });
    });
  });

  it('shows one moment, whatever changes while it is read', () => {
    world.change([tenant('a', ['a'], { pool: STANDARD }), tenant('b', ['b'], { pool: STANDARD })]);
    const policies = world.served.policiesOf(STANDARD);
    expect(policies.next().value).toMatchObject({ tenant_id: 'a', namespaces: ['a'] });
    world.change([tenant('c', ['b'], { pool: STANDARD })], ['b']);
    expect([...policies]).toEqual([{ tenant_id: 'b', namespaces: ['b'] }]);
  });
});
