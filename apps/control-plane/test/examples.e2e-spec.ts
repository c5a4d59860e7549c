import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { requireBinary } from '../../../test/support/test-services.js';
import { loadBalancerSection, prepareHaproxy, runWhenConfigured } from './support/administered-haproxy.js';
import { ControlProcess } from './support/control-process.js';
import { EchoProxy } from './support/load-balancer/proxies.js';
import { until } from '../../../test/support/until.js';
import { findFreePort } from '../../../test/support/free-port.js';

const EXAMPLES = join(import.meta.dirname, '../examples');
const TIME_LIMIT_MS = 180_000;

type Sections = Record<string, object>;

describe('the service with the example', () => {
  let stack: AsyncDisposableStack;
  let directory: string;

  beforeEach(() => {
    stack = new AsyncDisposableStack();
    directory = mkdtempSync(join(tmpdir(), 'palisade-examples-'));
    stack.defer(() => rmSync(directory, { recursive: true, force: true }));
  });
  afterEach(() => stack.disposeAsync());

  /** Starts it as the example is, but for these sections. */
  const start = async (name: string, replaced: Sections): Promise<ControlProcess> => {
    const example = parse(readFileSync(join(EXAMPLES, name), 'utf8')) as Sections;
    const file = join(directory, 'control-plane.yaml');
    writeFileSync(file, JSON.stringify({ ...example, audit_backend: `file://${directory}/audit/`, ...replaced }));
    const environment = { SVC_CONTROL_CONFIG: file, SVC_STORE_URL: 'memory:' };
    return stack.use(await ControlProcess.start(environment));
  };

  const exampleSection = (name: string, key: string): object =>
    (parse(readFileSync(join(EXAMPLES, name), 'utf8')) as Sections)[key] ?? {};
  const resolve = async (service: ControlProcess, namespace: string) =>
    (await service.api('get', `/routing/resolve?namespace=${namespace}`)).body;

  it(
    "single-tenant.yaml sends every namespace to the tenant's own pool",
    async () => {
      const service = await start('single-tenant.yaml', {});
      expect(await resolve(service, 'anything')).toMatchObject({
        deployment: 'single_tenant',
        pool: 'dedicated',
        isolation_level: 'none',
      });
      const { status, body } = await service.api('post', '/tenants', { tenant_id: 'other', namespace_pattern: 'x' });
      expect({ status, code: body['code'] }).toEqual({ status: 409, code: 'SINGLE_TENANT' });
    },
    TIME_LIMIT_MS,
  );

  it(
    'multi-tenant.yaml routes patterns, divides trials, and has HAProxy do so, with TLS',
    async () => {
      const pools = ['standard', 'premium'];
      const proxies = await Promise.all(pools.map(async (pool) => stack.use(await EchoProxy.start(pool))));
      const certificateFile = writeCertificate(directory);
      const haproxy = stack.use(await prepareHaproxy(() => ({ certificateFile })));
      const key_secret_file = join(directory, 'dns-key');
      writeFileSync(key_secret_file, Buffer.alloc(32, 7).toString('base64'));
      const service = await start('multi-tenant.yaml', {
        load_balancer: loadBalancerSection(haproxy.settings),
        dns: { ...exampleSection('multi-tenant.yaml', 'dns'), server: '127.0.0.1:9', key_secret_file },
        kubernetes: {},
        service_discovery: {
          type: 'static',
          proxies: proxies.map(({ id, port }) => ({ pool: id, endpoint: `127.0.0.1:${port}` })),
        },
      });
      await runWhenConfigured(haproxy);
      const expected = { 'acme-eu': 'premium', 'acme-sandbox': 'standard', anybody: 'standard' };
      for (const [namespace, pool] of Object.entries(expected)) {
        expect(await resolve(service, namespace)).toMatchObject({ pool });
        await until(async () => (await haproxy.routeOf(namespace)) === pool);
      }
      const trials = Array.from({ length: 100 }, (_, index) => `trial-${index * 7919}`);
      const said = await Promise.all(trials.map(async (trial) => (await resolve(service, trial))['pool']));
      expect(await Promise.all(trials.map((trial) => haproxy.routeOf(trial)))).toEqual(said);
      const ofPremium = said.filter((pool) => pool === 'premium').length;
      expect([ofPremium > 0, ofPremium < 30]).toEqual([true, true]);
    },
    TIME_LIMIT_MS,
  );

  it(
    'hybrid-a.yaml sends tenants where the rules for their tier and revenue say',
    async () => {
      mkdirSync(join(directory, 'nginx'));
      const config_path = join(directory, 'nginx', 'nginx.conf');
      const service = await start('hybrid-a.yaml', {
        load_balancer: {
          ...exampleSection('hybrid-a.yaml', 'load_balancer'),
          config_path,
          bind: `127.0.0.1:${await findFreePort()}`,
          binary: requireBinary('nginx'),
          reload_command: ['true'],
        },
      });
      const cases: [object, object][] = [
        [
          { tier: 'enterprise', annual_revenue: 200_000 },
          { deployment: 'single_tenant', pool: 'dedicated' },
        ],
        [{ tier: 'premium' }, { deployment: 'multi_tenant', pool: 'premium', isolation_level: 'session' }],
        [{ tier: 'standard' }, { deployment: 'multi_tenant', pool: 'standard', isolation_level: 'namespace' }],
        [{ tier: 'enterprise', annual_revenue: 5 }, { pool: 'standard' }],
      ];
      expect(await routes(service, cases)).toMatchObject(cases.map(([, route]) => route));
    },
    TIME_LIMIT_MS,
  );

  it(
    'hybrid-b.yaml sends named customers to dedicated proxies and gives premium tenants more connections',
    async () => {
      const service = await start('hybrid-b.yaml', {});
      const found = await routes(service, [
        [{ tier: 'premium', annual_revenue: 20_000 }, {}],
        [{ tier: 'standard' }, {}],
        [{ tier: 'enterprise' }, {}],
      ]);
      expect(found).toMatchObject([
        { pool: 'premium', connection_pools: { redis: { connections_per_namespace: 20 } } },
        { pool: 'standard', connection_pools: { redis: { connections_per_namespace: 5 } } },
        { pool: 'standard', connection_pools: { redis: { connections_per_namespace: 10 } } },
      ]);
      const contract = { tenant_id: 'healthcare-a', namespace_pattern: 'healthcare-a', tier: 'enterprise' };
      expect((await service.api('post', '/tenants', contract)).status).toBe(201);
      expect(await resolve(service, 'healthcare-a')).toMatchObject({
        deployment: 'single_tenant',
        pool: 'dedicated',
        isolation_level: 'session',
      });
      const listed = await service.api<{ items: { id: string }[] }>('get', '/proxies');
      expect(listed.body.items.map(({ id }) => id)).toEqual([
        'ip6-2001-db8--31-8080',
        '192.0.2.21-8080',
        '192.0.2.11-8080',
        '192.0.2.12-8080',
      ]);
    },
    TIME_LIMIT_MS,
  );

  /** Where tenants go that are registered with these bodies. */
  async function routes(service: ControlProcess, cases: readonly [object, object][]): Promise<object[]> {
    const found: object[] = [];
    for (const [index, [body]] of cases.entries()) {
      const tenant_id = `tenant-${index}`;
      const { status } = await service.api('post', '/tenants', { tenant_id, namespace_pattern: tenant_id, ...body });
      expect(status).toBe(201);
      found.push(await resolve(service, tenant_id));
    }
    return found;
  }
});

/** The file of a certificate for localhost with its key. */
function writeCertificate(directory: string): string {
  const [key, certificate, both] = ['key.pem', 'certificate.pem', 'both.pem'].map((name) => join(directory, name));
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', '/CN=localhost'];
  const files = ['-keyout', key ?? '', '-out', certificate ?? ''];
  execFileSync(requireBinary('openssl'), ['req', '-x509', '-days', '2', ...kind, ...files], { stdio: 'ignore' });
  writeFileSync(both ?? '', [certificate, key].map((file) => readFileSync(file ?? '', 'utf8')).join(''));
  return both ?? '';
}
