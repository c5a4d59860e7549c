import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CapDemand, NamespaceUsageReport } from '@palisade/domain';
import { until } from '../../../test/support/until.js';
import { ControlApp, TWO_POOLS } from './support/control-app.js';

const CAPS = `${TWO_POOLS}
connection_pools:
  postgres: { max_total_connections: 20, connections_per_namespace: 5 }
`;
const NOTHING = { limit: 0, in_use: 0, waiting: 0, least: 1, hold_seconds: 0 };

function usageOf(namespace: string, inUse: number, more: Partial<NamespaceUsageReport> = {}): NamespaceUsageReport {
  const connections = { postgres: { in_use: inUse, idle: 1, waiting: 2 } };
  return {
    namespace,
    sessions: 1,
    connections,
    requests: 10 * inUse,
    errors: 1,
    rejected: { POOL_TIMEOUT: 3 },
    ...more,
  };
}

describe('usage of proxies', () => {
  let app: ControlApp;
  beforeEach(async () => {
    app = await ControlApp.start({ yaml: CAPS });
  });
  afterEach(() => app.close());

  async function register(...ids: readonly string[]): Promise<void> {
    for (const [index, id] of ids.entries()) {
      await app
        .api('post', '/proxies')
        .send({ id, pool: 'standard', host: '10.0.0.7', port: 8080 + index })
        .expect(201);
    }
  }

  async function heartbeat(id: string, content: object): Promise<Record<string, unknown>> {
    const { body } = await app
      .api('post', `/proxies/${id}/heartbeat`)
      .send({ instance: '1', ...content })
      .expect(200);
    return body as Record<string, unknown>;
  }

  const demand = (fields: Partial<CapDemand>) => ({ caps: { postgres: { ...NOTHING, ...fields } } });
  const usage = async (query: string) => (await app.api('get', `/usage${query}`).expect(200)).body;

  it('gives each proxy its part of a cap, and tells how often to ask', async () => {
    await register('a', 'b');

    expect(await heartbeat('a', demand({ waiting: 12 }))).toMatchObject({
      heartbeat_interval_seconds: 0.5,
      caps: { postgres: { sequence: 1, limit: 15, valid_seconds: 28.71, base: 10, base_valid_seconds: 890.01 } },
    });
    expect(await heartbeat('b', demand({ waiting: 12 }))).toMatchObject({ caps: { postgres: { limit: 5, base: 5 } } });
    expect(await usage('?pool=standard')).toMatchObject({
      caps: [
        {
          pool: 'standard',
          backend: 'postgres',
          cap: 20,
          granted: 20,
          silent: 0,
          wanted: 24,
          proxies: 2,
          proxies_without_part: 0,
        },
      ],
    });
  });

  it('says nothing of caps to a proxy that asks for none, does not name its process, or asks for what has none', async () => {
    await register('a');

    expect(await heartbeat('a', {})).not.toHaveProperty('caps');
    expect(await heartbeat('a', { instance: undefined, ...demand({}) })).not.toHaveProperty('caps');
    expect(await heartbeat('a', { caps: { redis: NOTHING } })).toMatchObject({
      heartbeat_interval_seconds: 5,
      caps: {},
    });
  });

  it('keeps the parts of a proxy that was removed, unless its connections are known to be closed', async () => {
    await register('a', 'b');
    await heartbeat('a', demand({ waiting: 20 }));

    await app.api('delete', '/proxies/a').expect(204);
    expect(await heartbeat('b', demand({ waiting: 20 }))).toMatchObject({
      caps: { postgres: { limit: 0, reason: expect.stringContaining('all 20 connections') } },
    });
    await register('a');
    await app.api('delete', '/proxies/a?connections=open').expect(400);
    await app.api('delete', '/proxies/a?connections=closed').expect(204);
    expect(await heartbeat('b', demand({ waiting: 20 }))).toMatchObject({ caps: { postgres: { limit: 20 } } });
  });

  it('shows what tenants and pools use against what they may', async () => {
    const body = { namespace_patterns: ['acme-*'], pool: 'standard', resource_limits: { max_rps: 50 } };
    await app.register('acme', body);
    await app.register('quiet', { namespace_patterns: ['quiet'], pool: 'standard' });
    await register('a', 'b');
    await heartbeat('a', {
      ...demand({ in_use: 4 }),
      usage: { namespaces: [usageOf('acme-x', 4, { requests_per_second: 20 })] },
    });
    await heartbeat('b', {
      ...demand({ in_use: 3 }),
      usage: {
        namespaces: [usageOf('acme-x', 1, { requests_per_second: 10 }), usageOf('acme-y', 2), usageOf('zebra', 9)],
      },
    });

    const expected = {
      proxies: 2,
      sessions: 3,
      // Two proxies have five connections for acme-x, one has five for acme-y.
      connections: { postgres: { in_use: 7, idle: 3, waiting: 6, limit: 15 } },
      requests_per_second: 30,
      max_rps: 150,
    };
    expect((await app.api('get', '/tenants/acme').expect(200)).body.usage).toMatchObject(expected);
    const { items } = (await app.api('get', '/tenants').expect(200)).body;
    expect(items).toMatchObject([{ tenant_id: 'acme', usage: expected }, { tenant_id: 'quiet' }]);
    expect(items[1]).not.toHaveProperty('usage');

    const pool = { name: 'standard', usage: { connections: { postgres: { in_use: 16 } } } };
    const caps = [{ backend: 'postgres', cap: 20, wanted: 7, proxies: 2 }];
    expect((await app.api('get', '/pools/standard').expect(200)).body).toMatchObject({ ...pool, caps });
    expect((await app.api('get', '/pools').expect(200)).body.items).toMatchObject([
      { name: 'premium', caps: [] },
      { ...pool, caps },
    ]);
  });

  it('never lets a tenant have more than the cap', async () => {
    await app.register('acme', { namespace_patterns: ['acme-*'], pool: 'standard' });
    await register('a');
    const namespaces = Array.from({ length: 9 }, (_, index) => usageOf(`acme-${index}`, 1));
    await heartbeat('a', { usage: { namespaces } });
    const { usage: use } = (await app.api('get', '/tenants/acme').expect(200)).body;
    expect(use.connections.postgres).toMatchObject({ in_use: 9, limit: 20 });
    expect(use).not.toHaveProperty('max_rps');
  });

  it('has metrics of tenants', async () => {
    const body = { namespace_patterns: ['acme-*'], pool: 'standard', resource_limits: { max_rps: 50 } };
    await app.register('acme', body);
    await register('a');
    await heartbeat('a', { usage: { namespaces: [usageOf('acme-x', 4, { p99_ms: 1500 })] } });
    const { text } = await app.request('get', '/metrics').expect(200);
    for (const line of [
      'control_plane_tenant_connections{tenant="acme",backend="postgres"} 4',
      'control_plane_tenant_connections_max{tenant="acme",backend="postgres"} 5',
      'control_plane_tenant_sessions{tenant="acme"} 1',
      'control_plane_tenant_max_requests_per_second{tenant="acme"} 50',
      'control_plane_tenant_requests_total{tenant="acme"} 0',
      'control_plane_tenant_errors_total{tenant="acme"} 0',
      'control_plane_tenant_p99_seconds{tenant="acme"} 1.5',
    ]) {
      expect(text.split('\n')).toContainEqual(line);
    }
  });

  it('sizes from what tenants use', async () => {
    expect((await app.api('get', '/sizing?tenants=100&from=usage').expect(409)).body.code).toBe('NOTHING_MEASURED');
    await app.api('get', '/sizing?tenants=100&from=thin-air').expect(400);
    await app.register('acme', { namespace_patterns: ['acme-*'], pool: 'standard' });
    await register('a');
    await heartbeat('a', { usage: { namespaces: [usageOf('acme-x', 7)] } });
    await until(async () => (await app.api('get', '/sizing?tenants=100&from=usage')).status === 200);
    expect((await app.api('get', '/sizing?tenants=100&from=usage').expect(200)).body).toEqual({
      tenants: 100,
      replicas: 10,
      connections: 1000,
      resources: { cpu: 2, memory: '4Gi' },
      measured: { tenants: 1, connections: 9 },
      extrapolated: true,
    });
  });

  it('adds up what proxies report, the busiest first, with limits and tenants', async () => {
    await app.register('acme', { namespace_patterns: ['acme-*'], pool: 'standard' });
    await register('a', 'b');
    await heartbeat('a', { usage: { namespaces: [usageOf('acme-x', 1, { p99_ms: 7 }), usageOf('zebra', 9)] } });
    const rest = { ...usageOf('rest', 2), namespace: undefined, namespaces: 40 };
    await heartbeat('b', { usage: { namespaces: [usageOf('acme-x', 3, { p99_ms: 5, cpu_seconds: 2 })], rest } });

    expect(await usage('')).toMatchObject({
      proxies: 2,
      sessions: 4,
      requests: 150,
      errors: 4,
      rejected: { POOL_TIMEOUT: 12 },
      connections: { postgres: { in_use: 15, idle: 4, waiting: 8 } },
      namespaces: [
        { namespace: 'zebra', proxies: 1 },
        {
          namespace: 'acme-x',
          tenant_id: 'acme',
          proxies: 2,
          requests: 40,
          p99_ms: 7,
          cpu_seconds: 2,
          connections: { postgres: { in_use: 4, idle: 2, waiting: 4, limit: 5 } },
        },
      ],
      more_namespaces: 0,
      unnamed: [{ namespaces: 40, requests: 20 }],
    });
    expect(await usage('?limit=1')).toMatchObject({ namespaces: [{ namespace: 'zebra' }], more_namespaces: 1 });
    expect(await usage('?tenant=acme')).toMatchObject({
      requests: 40,
      namespaces: [{ namespace: 'acme-x' }],
      unnamed: [],
    });
    expect(await usage('?namespace=zebra')).toMatchObject({ requests: 90, namespaces: [{ namespace: 'zebra' }] });
    expect(await usage('?pool=premium')).toMatchObject({ requests: 0, namespaces: [], caps: [] });
  });

  it('shows admins of some namespaces those only', async () => {
    await app.register('acme', { namespace_patterns: ['acme-x', 'acme-y'], pool: 'standard' });
    await register('a');
    const rest = { ...usageOf('rest', 2), namespace: undefined, namespaces: 40 };
    await heartbeat('a', { ...demand({}), usage: { namespaces: [usageOf('acme-x', 1), usageOf('zebra', 9)], rest } });
    const admin = await app.adminOf(['acme-x']);

    const { body } = await app.api('get', '/usage', admin).expect(200);

    expect(body).toMatchObject({ requests: 10, namespaces: [{ namespace: 'acme-x' }], unnamed: [], caps: [] });
    await app.api('get', '/usage?namespace=zebra', admin).expect(404);
    await app.api('get', '/sizing?tenants=10&from=usage', admin).expect(403);
    await app.api('get', '/sizing?tenants=10', admin).expect(200);
    await app.api('get', '/usage?tenant=acme', admin).expect(404);
    await app.api('get', '/usage?tenant=nobody').expect(404);
    await app.api('get', '/usage?namespace=A!').expect(400);
  });

  it('shows metrics of caps', async () => {
    await register('a');
    await heartbeat('a', demand({ waiting: 12 }));

    const { text } = await app.request('get', '/metrics');

    expect(text).toContain('control_plane_cap_limit{pool="standard",backend="postgres"} 20');
    expect(text).toContain('control_plane_cap_granted{pool="standard",backend="postgres"} 15');
  });
});
