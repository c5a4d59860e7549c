import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parsePoolName } from '@palisade/domain';
import { ControlApp } from './support/control-app.js';

const HYBRID = `
deployment: { model: hybrid }
proxy_pools:
  standard: { replicas: 2, isolation_level: namespace }
  premium: { replicas: 3, isolation_level: namespace, resources: { cpu: 4, memory: 8Gi } }
  dedicated: { replicas: 1, isolation_level: session }
namespace_routing:
  - { namespace: canary-*, pool: standard, weight: 3 }
  - { namespace: canary-*, pool: premium, weight: 1 }
  - { namespace: prem-eu, pool: standard }
tenant_routing:
  rules:
    - match: { tier: enterprise, contracts: [healthcare-a, finance-b] }
      action: { deployment: single_tenant, isolation_level: session }
    - match: { tier: premium, annual_revenue: '>10000' }
      action:
        deployment: multi_tenant
        pool: premium
        isolation_level: namespace
        connection_pools: { redis: { connections_per_namespace: 20 } }
    - match: { tier: standard }
      action:
        deployment: multi_tenant
        pool: standard
        isolation_level: namespace
        connection_pools: { redis: { connections_per_namespace: 5 } }
default_pool: standard
`;

let app: ControlApp;
beforeAll(async () => {
  app = await ControlApp.start({ yaml: HYBRID });
  await app.register('healthcare-a', { namespace_pattern: 'health-*', tier: 'enterprise' });
  await app.register('prem', { namespace_pattern: 'prem-*', tier: 'premium', annual_revenue: 10_001 });
  await app.register('std', { namespace_pattern: 'std-*', tier: 'standard' });
  await app.register('own', {
    namespace_pattern: 'own',
    tier: 'standard',
    pool: 'premium',
    isolation_level: 'session',
  });
});
afterAll(() => app.close());

const resolve = (namespace: string) => app.api('get', `/routing/resolve?namespace=${namespace}`);
const explain = (body: object) => app.api('post', '/routing/explain').send(body).expect(200);

describe('resolving a namespace', () => {
  it('answers the whole route', async () => {
    const { body } = await resolve('prem-orders').expect(200);
    expect(body).toEqual({
      namespace: 'prem-orders',
      tenant_id: 'prem',
      deployment: 'multi_tenant',
      pool: 'premium',
      isolation_level: 'namespace',
      connection_pools: { redis: { connections_per_namespace: 20 } },
      resource_limits: {},
      matched: { by: 'rule', rule: 'tenant_routing.rules[1]', pattern: 'prem-*' },
    });
  });

  it.each([
    [
      'health-db',
      'dedicated',
      'single_tenant',
      'session',
      { by: 'rule', rule: 'tenant_routing.rules[0]', pattern: 'health-*' },
    ],
    [
      'std-db',
      'standard',
      'multi_tenant',
      'namespace',
      { by: 'rule', rule: 'tenant_routing.rules[2]', pattern: 'std-*' },
    ],
    ['own', 'premium', 'multi_tenant', 'session', { by: 'tenant', rule: 'tenant_routing.rules[2]', pattern: 'own' }],
    [
      'prem-eu',
      'premium',
      'multi_tenant',
      'namespace',
      { by: 'rule', rule: 'tenant_routing.rules[1]', pattern: 'prem-*' },
    ],
    [
      'canary-1',
      'standard',
      'multi_tenant',
      'namespace',
      { by: 'namespace_routing', entry: 'namespace_routing[0]', pattern: 'canary-*' },
    ],
    [
      'canary-5',
      'premium',
      'multi_tenant',
      'namespace',
      { by: 'namespace_routing', entry: 'namespace_routing[1]', pattern: 'canary-*' },
    ],
    ['stranger', 'standard', 'multi_tenant', 'namespace', { by: 'default_pool' }],
  ])('sends %s to %s (%s, %s)', async (namespace, pool, deployment, isolation_level, matched) => {
    const { body } = await resolve(namespace).expect(200);
    expect(body).toMatchObject({ pool, deployment, isolation_level });
    expect(body.matched).toEqual(matched);
  });

  it('answers 404 where nothing says where it goes', async () => {
    const bare = await ControlApp.start();
    const { body } = await bare.api('get', '/routing/resolve?namespace=acme').expect(404);
    expect(body.code).toBe('NO_ROUTE');
    await bare.close();
  });
});

describe('a tenant of a hybrid installation', () => {
  it('shows what its rule gives it', async () => {
    const { body } = await app.api('get', '/tenants/healthcare-a').expect(200);
    expect(body).not.toHaveProperty('pool');
    expect(body.routing).toMatchObject({
      tenancy_model: 'hybrid',
      deployment: 'single_tenant',
      pool: 'dedicated',
      isolation_level: 'session',
      matched: { by: 'rule', rule: 'tenant_routing.rules[0]' },
    });
  });

  it('is listed with the pool that its rule gives it', async () => {
    const { body } = await app.api('get', '/tenants?pool=dedicated').expect(200);
    expect(body.items.map(({ tenant_id }: { tenant_id: string }) => tenant_id)).toEqual(['healthcare-a']);
  });

  it('shows several pools when namespace_routing divides its namespaces', async () => {
    await app.register('divided', { namespace_patterns: ['canary-9', 'canary-x*'] });
    const { body } = await app.api('get', '/tenants/divided').expect(200);
    expect(body.routing).toMatchObject({ pools: ['premium', 'standard'], matched: { by: 'namespace_routing' } });
    expect(body.routing).not.toHaveProperty('pool');
    await app.api('delete', '/tenants/divided').expect(204);
  });
});

describe('explaining', () => {
  it('tells every candidate, why it was not taken, and why the one was', async () => {
    const { body } = await explain({ namespace: 'prem-eu' });
    expect(body.summary).toBe(
      'Namespace "prem-eu" of tenant "prem" goes to the pool "premium" (multi_tenant) at isolation level namespace. ' +
        'Chosen by tenant_routing.rules[1]: holds: tier is premium; annual revenue is 10001, which is > 10000; it chooses the pool "premium".',
    );
    expect(body.steps).toEqual([
      { stage: 'tenant', candidate: 'tenant "prem"', chosen: false, reason: '"prem-*" matches; names no pool itself' },
      {
        stage: 'tenant_routing',
        candidate: 'tenant_routing.rules[0]',
        chosen: false,
        reason: 'does not hold: tier is premium, not enterprise; contracts do not name "prem"',
        conditions: [
          { key: 'tier', holds: false, finding: 'is premium, not enterprise' },
          { key: 'contracts', holds: false, finding: 'do not name "prem"' },
        ],
      },
      {
        stage: 'tenant_routing',
        candidate: 'tenant_routing.rules[1]',
        chosen: true,
        reason: 'holds: tier is premium; annual revenue is 10001, which is > 10000; it chooses the pool "premium"',
        conditions: [
          { key: 'tier', holds: true, finding: 'is premium' },
          { key: 'annual_revenue', holds: true, finding: 'is 10001, which is > 10000' },
        ],
      },
      {
        stage: 'tenant_routing',
        candidate: 'tenant_routing.rules[2]',
        chosen: false,
        reason: 'not asked, as an earlier rule holds',
      },
      {
        stage: 'namespace_routing',
        candidate: 'namespace_routing',
        chosen: false,
        reason: 'not asked, as the tenant has its place',
      },
      { stage: 'default_pool', candidate: 'default_pool', chosen: false, reason: 'not asked, as the pool is chosen' },
    ]);
  });

  it('tells of a namespace of no tenant which part of a divided entry has it', async () => {
    const { body } = await explain({ namespace: 'canary-5' });
    expect(body.steps.filter(({ stage }: { stage: string }) => stage === 'namespace_routing')).toEqual([
      {
        stage: 'namespace_routing',
        candidate: 'namespace_routing[0]',
        chosen: false,
        reason:
          '"canary-*" matches and is divided among 2 entries by weight; this one (weight 3) does not have "canary-5"',
      },
      {
        stage: 'namespace_routing',
        candidate: 'namespace_routing[1]',
        chosen: true,
        reason: '"canary-*" matches and is divided among 2 entries by weight; this one (weight 1) has "canary-5"',
      },
      {
        stage: 'namespace_routing',
        candidate: '1 other entry of namespace_routing',
        chosen: false,
        reason: 'not matching',
      },
    ]);
    expect(body.route.matched.by).toBe('namespace_routing');
  });

  it('answers for a tenant that might be', async () => {
    const { body } = await explain({ tenant_id: 'finance-b', tier: 'enterprise' });
    expect(body.route).toMatchObject({ tenant_id: 'finance-b', pool: 'dedicated', deployment: 'single_tenant' });
    expect(body.summary).toMatch(/^Tenant "finance-b" goes to the pool "dedicated" \(single_tenant\)/);
  });

  it('takes what is registered, and lets the question say otherwise', async () => {
    expect((await explain({ tenant_id: 'std' })).body.route.pool).toBe('standard');
    const { body } = await explain({ tenant_id: 'std', tier: 'premium', annual_revenue: 20_000 });
    expect(body.route).toMatchObject({
      pool: 'premium',
      connection_pools: { redis: { connections_per_namespace: 20 } },
    });
    expect((await app.api('get', '/tenants/std')).body.tier).toBe('standard');
  });

  it('says where each term comes from', async () => {
    const { body } = await explain({ namespace: 'own' });
    expect(body.terms).toEqual([
      { name: 'deployment', value: 'multi_tenant', from: 'tenant_routing.rules[2]' },
      { name: 'pool', value: 'premium', from: 'tenant "own"' },
      { name: 'isolation_level', value: 'session', from: 'tenant "own"' },
      { name: 'connection_pools.redis.connections_per_namespace', value: 5, from: 'tenant_routing.rules[2]' },
    ]);
  });

  it('says that a pool is not in the configuration', async () => {
    const { body } = await explain({ tenant_id: 'x', pool: 'gone' });
    expect(body.steps[0].reason).toBe(
      'names the pool "gone" itself, which the configuration does not have, so that it has no proxies',
    );
  });

  it('says that it depends on the namespace where it does', async () => {
    const { body } = await explain({ tenant_id: 'x' });
    expect(body).not.toHaveProperty('route');
    expect(body.summary).toMatch(/^Where tenant "x" goes depends on the namespace/);
    expect((await explain({ tenant_id: 'x', namespace: 'prem-eu' })).body.route.matched).toMatchObject({
      by: 'namespace_routing',
      entry: 'namespace_routing[2]',
    });
  });

  it('wants a question', async () => {
    const { body } = await app.api('post', '/routing/explain').send({}).expect(400);
    expect(body.code).toBe('INVALID_REQUEST');
  });
});

describe('pools', () => {
  beforeAll(async () => {
    await app.addProxy('premium-1', parsePoolName('premium'));
    await app.addProxy('premium-2', parsePoolName('premium'), 'unhealthy');
  });

  it('are listed in order of name', async () => {
    const { body } = await app.api('get', '/pools').expect(200);
    expect(body.items.map(({ name }: { name: string }) => name)).toEqual(['dedicated', 'premium', 'standard']);
  });

  it('tell their proxies and what is routed to them', async () => {
    const { body } = await app.api('get', '/pools/premium').expect(200);
    expect(body).toEqual({
      name: 'premium',
      replicas: 3,
      resources: { cpu: 4, memory: '8Gi' },
      isolation_level: 'namespace',
      isolation_levels: ['none', 'namespace', 'session'],
      proxies: [
        expect.objectContaining({
          id: 'premium-1',
          host: 'premium-1.internal',
          port: 8080,
          weight: 100,
          health: 'healthy',
        }),
        expect.objectContaining({ id: 'premium-2', health: 'unhealthy', source: 'static', draining: false }),
      ],
      healthy: 1,
      tenants: 2,
      namespaces: 3,
      caps: [],
    });
  });

  it('answer 404 when there is none', async () => {
    expect((await app.api('get', '/pools/gold').expect(404)).body.code).toBe('POOL_NOT_FOUND');
  });
});

describe('sizing', () => {
  it('answers from the table', async () => {
    const { body } = await app.api('get', '/sizing?tenants=300').expect(200);
    const resources = { cpu: 4, memory: '8Gi' };
    expect(body).toEqual({ tenants: 300, replicas: 15, connections: 1500, resources, extrapolated: false });
  });

  it('says when it goes beyond the table', async () => {
    expect((await app.api('get', '/sizing?tenants=2000').expect(200)).body).toMatchObject({
      replicas: 80,
      connections: 8000,
      extrapolated: true,
    });
  });
});
