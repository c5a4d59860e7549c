import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadBalancerSection, prepareHaproxy, runWhenConfigured } from './support/administered-haproxy.js';
import { ControlApp } from './support/control-app.js';
import type { BalancerUnderTest } from './support/load-balancer/balancer-under-test.js';
import { TrafficClients, TrafficProxies, type TrafficCounts } from './support/traffic/traffic.js';
import { until } from '../../../test/support/until.js';

const TIME_LIMIT_MS = 300_000;
/** Ten seconds on a machine that has nothing else to do. */
const REQUESTS = 100_000;
const CONNECTIONS = 16;
const RELOADS = 20;
const CHECK_INTERVAL_MS = 2000;
const PROXIES = ['standard-1', 'standard-2', 'premium-1', 'premium-2', 'premium-3'];
const poolOf = (proxy: string): string => proxy.split('-')[0] ?? '';

/** Tenants whose names are those of their pools do not move; requests are made for these and `nomad`. */
const SETTLED = ['standard', 'premium'];
const NAMESPACES = [...SETTLED, 'nomad'];

/** Failures of a namespace. */
function failuresOf({ failures }: TrafficCounts, namespace: string): string[] {
  return Object.keys(failures).filter((what) => what.startsWith(`${namespace}: `));
}

describe('HAProxy under load', () => {
  let stack: AsyncDisposableStack;
  let haproxy: BalancerUnderTest;
  let proxies: TrafficProxies;
  let app: ControlApp;

  beforeEach(async () => {
    stack = new AsyncDisposableStack();
    proxies = stack.use(await TrafficProxies.start(PROXIES));
    haproxy = stack.use(await prepareHaproxy());
    const discovery = {
      type: 'static',
      proxies: PROXIES.map((name) => ({ pool: poolOf(name), endpoint: `127.0.0.1:${proxies.portOf(name)}` })),
    };
    const yaml = [
      'deployment: { model: multi_tenant }',
      'proxy_pools: { standard: { isolation_level: namespace }, premium: { isolation_level: namespace } }',
      `load_balancer: ${JSON.stringify(loadBalancerSection(haproxy.settings))}`,
      `service_discovery: ${JSON.stringify(discovery)}`,
      `health_checks: { interval: ${CHECK_INTERVAL_MS}ms, timeout: 1s, fall: 2, rise: 1 }`,
    ].join('\n');
    app = await ControlApp.start({ yaml, mayLead: true });
    stack.defer(() => app.close());
    await runWhenConfigured(haproxy);
    for (const pool of SETTLED) {
      await app.register(pool, { namespace_pattern: pool, pool });
    }
    await app.register('nomad', { namespace_pattern: 'nomad', pool: 'standard' });
    await until(async () => (await Promise.all(NAMESPACES.map(route))).every((name) => name !== undefined));
  }, TIME_LIMIT_MS);
  afterEach(() => stack.disposeAsync());

  const idOf = (name: string): string => `127.0.0.1-${proxies.portOf(name)}`;
  /** The proxy that answers, if one does. */
  const route = async (namespace: string): Promise<string | undefined> => {
    const { status, body } = await haproxy.get({ 'X-Palisade-Namespace': namespace });
    return status === 200 ? body : undefined;
  };
  /** Whether HAProxy may give requests to it: it is known, and not in maintenance. */
  const isServing = async (name: string): Promise<boolean> => {
    const states = await haproxy.ask('show servers state');
    const line = states.split('\n').find((text) => text.includes(` ${idOf(name)} `));
    // The seventh column is the administrative state.
    return line !== undefined && line.split(' ')[6] === '0';
  };
  const move = (tenant: string, namespace_pattern: string, pool: string) =>
    app.api('put', `/tenants/${tenant}`).send({ namespace_pattern, pool }).expect(200);
  const drain = (name: string, draining: boolean) =>
    app
      .api('patch', `/proxies/${idOf(name)}`)
      .send({ draining })
      .expect(200);

  /** Registers and moves tenants, drains proxies, and reloads in between. */
  const administer = async (): Promise<void> => {
    for (let at = 0; at < RELOADS; at += 1) {
      const pool = SETTLED[at % 2] ?? '';
      await app.register(`tenant-${at}`, { namespace_pattern: `tenant-${at}-*`, pool });
      await move('nomad', 'nomad', pool);
      const earlier = `tenant-${Math.floor(at / 2)}`;
      await move(earlier, `${earlier}-*`, pool);
      await drain(at % 4 < 2 ? 'premium-1' : 'standard-1', at % 2 === 0);
      await app.api('post', '/loadbalancer/reload').expect(200);
    }
  };

  it(
    'loses no request while tenants move, proxies drain and everything is reloaded',
    async () => {
      const clients = stack.use(TrafficClients.start(haproxy.settings.bind.port, CONNECTIONS, NAMESPACES));
      await administer();
      await until(async () => (await clients.counts()).succeeded >= REQUESTS);
      expect((await clients.stop()).failures).toEqual({});
      await app.api('post', '/loadbalancer/reload').expect(200);
      const { body } = await app.api('get', '/tenants?limit=1000').expect(200);
      const tenants: { tenant_id: string; namespace_patterns: string[] }[] = body.items;
      expect(tenants).toHaveLength(RELOADS + 3);
      for (const { tenant_id } of tenants) {
        const namespace = NAMESPACES.includes(tenant_id) ? tenant_id : `${tenant_id}-eu`;
        const { body: said } = await app.api('get', `/routing/resolve?namespace=${namespace}`).expect(200);
        expect([namespace, poolOf((await route(namespace)) ?? '')]).toEqual([namespace, said.pool]);
      }
    },
    TIME_LIMIT_MS,
  );

  it(
    'loses only what a killed proxy had, which leaves within three checks and comes back',
    async () => {
      const clients = stack.use(TrafficClients.start(haproxy.settings.bind.port, CONNECTIONS, SETTLED));
      await until(async () => (await clients.counts()).succeeded >= 1000);
      await proxies.kill('premium-2');
      const before = await proxies.checksOf('premium-1');
      await until(async () => !(await isServing('premium-2')));
      expect((await proxies.checksOf('premium-1')) - before).toBeLessThanOrEqual(3);
      const { succeeded } = await clients.counts();
      await until(async () => (await clients.counts()).succeeded >= succeeded + 1000);
      await proxies.revive('premium-2');
      await until(() => isServing('premium-2'));
      await until(async () => (await route('premium')) === 'premium-2');

      const counts = await clients.stop();
      expect(failuresOf(counts, 'standard')).toEqual([]);
      // Each client has one request under way.
      const lost = Object.values(counts.failures).reduce((sum, count) => sum + count, 0);
      expect(lost).toBeLessThanOrEqual(CONNECTIONS);
    },
    TIME_LIMIT_MS,
  );
});
