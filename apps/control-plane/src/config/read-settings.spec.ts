import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parsePoolName } from '@palisade/domain';
import * as fc from 'fast-check';
import { parse } from 'yaml';
import type { ControlPlaneSettings } from './control-plane-settings.js';
import { readConfiguration, readSettings } from './read-settings.js';
import { runs } from '../../../../test/support/effort.js';

const POOLS = 'proxy_pools: { standard: { isolation_level: namespace }, premium: { isolation_level: session } }\n';
const EXAMPLES = join(import.meta.dirname, '../../examples');

function settingsOf(text: string): ControlPlaneSettings {
  const { settings, problems } = readSettings(text, 'f');
  if (settings === undefined) {
    throw new Error(problems.join('\n'));
  }
  return settings;
}

describe(readSettings.name, () => {
  it('fills in what a file leaves out', () => {
    expect(settingsOf('proxy_pools: { standard: { isolation_level: namespace } }')).toEqual({
      deployment: { model: 'multi_tenant' },
      backends: new Map(),
      compliance: { frameworks: [], piiEncryption: false, auditRetentionDays: 365 },
      pools: new Map([
        [
          'standard',
          {
            name: 'standard',
            replicas: 2,
            resources: { cpu: 2, memoryBytes: 4 * 2 ** 30 },
            isolationLevel: 'namespace',
          },
        ],
      ]),
      routing: { namespaceRoutes: [], rules: [], drainMs: 30_000 },
      health: {
        path: '/health/ready',
        intervalMs: 5000,
        timeoutMs: 2000,
        rise: 2,
        fall: 3,
        panicThresholdPercent: 50,
        heartbeatTimeoutMs: 15_000,
        forgetAfterMs: 600_000,
      },
      isolation: { connectionPools: {}, resourceLimits: {}, measuresCpu: false },
      warnings: [],
    });
  });

  it('gives a pool what `proxy` says, unless the pool says otherwise', () => {
    const { pools } = settingsOf(
      'proxy: { replicas: 7, resources: { cpu: 500m, memory: 1Gi }, isolation_level: session }\n' +
        'proxy_pools: { a: {}, b: { replicas: 1, resources: { cpu: 4 }, isolation_level: none } }',
    );
    expect([...pools.values()]).toEqual([
      { name: 'a', replicas: 7, resources: { cpu: 0.5, memoryBytes: 2 ** 30 }, isolationLevel: 'session' },
      { name: 'b', replicas: 1, resources: { cpu: 4, memoryBytes: 2 ** 30 }, isolationLevel: 'none' },
    ]);
  });

  it('gives pools the isolation level of the file, when nothing else says one', () => {
    expect(
      settingsOf('isolation_level: none\nproxy_pools: { a: {} }').pools.get(parsePoolName('a'))?.isolationLevel,
    ).toBe('none');
  });

  it('makes one dedicated pool of the proxies of a single tenant, and routes everything there', () => {
    const { deployment, pools, routing } = settingsOf(
      'deployment: { model: single_tenant, tenant_id: acme }\nproxy: { replicas: 3, isolation_level: none }',
    );
    expect([
      deployment.tenantId,
      [...pools.keys()],
      pools.get(parsePoolName('dedicated'))?.replicas,
      routing.defaultPool,
    ]).toEqual(['acme', ['dedicated'], 3, 'dedicated']);
  });

  it.each([
    ['acme', '{ a: {}, acme: {}, dedicated: {} }'],
    ['dedicated', '{ a: {}, dedicated: {} }'],
    ['a', '{ a: {} }'],
  ])('routes everything of a single tenant to %s of %s', (pool, pools) => {
    const { routing } = settingsOf(
      `deployment: { model: single_tenant, tenant_id: acme }\nproxy: { isolation_level: none }\nproxy_pools: ${pools}`,
    );
    expect(routing.defaultPool).toBe(pool);
  });

  it('leaves the pool of a rule for proxies of its own to each tenant', () => {
    const rules = '{ rules: [{ match: { contracts: [gold] }, action: { deployment: single_tenant } }] }';
    const { routing } = settingsOf(
      `deployment: { model: hybrid }\nproxy_pools: { gold: { isolation_level: session } }\ntenant_routing: ${rules}`,
    );
    expect(routing.rules[0]?.action.pool).toBeUndefined();
  });

  it('keeps pools whose names are those of methods', () => {
    const names = ['get', 'set', 'has', 'delete', 'size', 'keys', 'clear', 'then'];
    const { pools } = settingsOf(
      `proxy_pools: { ${names.map((name) => `${name}: { isolation_level: none }`).join(', ')} }`,
    );
    expect([...pools.keys()]).toEqual(names);
  });

  it('takes `prism_bridge` for `control_plane`', () => {
    expect(settingsOf(`${POOLS}prism_bridge: { listen_addr: "[::1]:8980" }`).listen).toEqual({
      host: '::1',
      port: 8980,
    });
  });

  it('separates tenants in shared backends as document 2 does, unless told otherwise', () => {
    const { backends } = settingsOf(
      `${POOLS}backends: { redis: { endpoint: "h:1" }, nats: { endpoint: "h:2" }, kafka: { endpoint: "h:3" }, postgres: { endpoint: "h:4", ssl_mode: verify-ca, client_cert_auth: true } }`,
    );
    expect(Object.fromEntries(backends)).toEqual({
      postgres: {
        endpoint: { host: 'h', port: 4 },
        isolation: { type: 'row_level_security', tenantColumn: 'tenant_id' },
        sslMode: 'verify-ca',
        clientCertAuth: true,
      },
      redis: {
        endpoint: { host: 'h', port: 1 },
        isolation: { type: 'keyspace_prefix', format: 'tenant:{tenant_id}:{key}' },
      },
      nats: {
        endpoint: { host: 'h', port: 2 },
        isolation: { type: 'subject_hierarchy', format: 'tenant.{tenant_id}.{subject}' },
      },
      kafka: { endpoint: { host: 'h', port: 3 }, isolation: { type: 'topic_prefix', format: '{tenant_id}.{topic}' } },
    });
  });

  it.each(['physical', '{ type: physical }'])(
    'reads the isolation %s of the backends of a single tenant',
    (isolation) => {
      const file = `deployment: { model: single_tenant, tenant_id: acme }\nproxy: { isolation_level: none }\nbackends: { redis: { endpoint: "h:1", isolation: ${isolation} } }`;
      expect(settingsOf(file).backends.get('redis')?.isolation).toEqual({ type: 'physical' });
    },
  );

  it('reads routes in their order, with a weight of 1 unless told otherwise', () => {
    const routes = '[{ namespace: "a-**", pool: premium, weight: 9 }, { namespace: "a-*", pool: standard }]';
    expect(settingsOf(`${POOLS}namespace_routing: ${routes}`).routing.namespaceRoutes).toEqual([
      { pattern: 'a-*', pool: 'premium', weight: 9 },
      { pattern: 'a-*', pool: 'standard', weight: 1 },
    ]);
  });

  it('reads routes beyond the number of keys that an object may have', () => {
    const items = Array.from({ length: 20_001 }, (_, index) => `  - { namespace: tenant-${index}, pool: premium }`);
    const { settings, warnings } = readSettings(`${POOLS}namespace_routing:\n${items.join('\n')}\n`, 'f');
    expect([settings?.routing.namespaceRoutes.length, warnings]).toEqual([20_001, []]);
  });

  it('splits a reload command without a shell', () => {
    const loadBalancer = `load_balancer: { type: nginx, config_path: /etc/nginx/p.conf, reload_command: "nginx -s 'reload'" }`;
    expect(settingsOf(POOLS + loadBalancer).loadBalancer).toMatchObject({
      reloadCommand: ['nginx', '-s', 'reload'],
      binary: 'nginx',
    });
  });

  it('knows the cluster of Kubernetes when proxies are discovered there, without watching its tenants', () => {
    const { discovery, kubernetes } = settingsOf(
      `${POOLS}service_discovery: { type: orchestrator, label_selector: app=proxy }`,
    );
    expect([discovery, kubernetes]).toEqual([
      { type: 'kubernetes', labelSelector: 'app=proxy', poolLabel: 'prism.io/pool', portName: 'proxy' },
      { namespace: 'default', watchTenants: false, leaderElection: false },
    ]);
  });

  it('gives each pool its isolation settings, without what is only stated of levels', () => {
    const { pools } = settingsOf(
      `${POOLS}connection_pools: { per_namespace: true, redis: { connections_per_namespace: 2, max_total_connections: 9, shared: false, per_session_limit: 1, idle_timeout: 1d } }\nsession_management: { max_sessions: 5, session_timeout: 2m }`,
    );
    const settings = {
      connection_pools: {
        redis: { connections_per_namespace: 2, max_total_connections: 9, per_session_limit: 1, idle_timeout: '1d' },
      },
      session_management: { max_sessions: 5, session_timeout: '2m' },
    };
    expect([...pools.values()].map(({ isolationSettings }) => isolationSettings)).toEqual([
      { isolation_level: 'namespace', ...settings },
      { isolation_level: 'session', ...settings },
    ]);
  });

  it('names place and path of each problem, in the order of the file', () => {
    const { problems } = readSettings(
      'proxy_pools:\n  premium:\n    replicas: x\n    isolation_level: shared\ndefault_pol: a\n',
      'c.yaml',
    );
    expect(problems).toEqual([
      'c.yaml:3:5 proxy_pools.premium.replicas: expected an integer from 0 to 10000, found "x"',
      'c.yaml:4:5 proxy_pools.premium.isolation_level: expected none, namespace or session, found "shared"',
      'c.yaml:5:1 default_pol: unknown key, did you mean default_pool?',
    ]);
  });

  it('names no place for what is missing at the top level', () => {
    expect(readSettings('', 'c.yaml').problems).toEqual([
      'c.yaml: proxy_pools: expected one pool at least in multi_tenant, found none',
    ]);
  });

  it('reports problems of single values together with those of several', () => {
    const { problems } = readSettings(
      `${POOLS}health_checks: { rise: 0 }\ndefault_pool: gold\nbackends: { redis: { endpoint: x, isolation: physical } }`,
      'f',
    );
    expect(problems.map((problem) => problem.split(' ')[1])).toEqual([
      'health_checks.rise:',
      'default_pool:',
      'backends.redis.endpoint:',
      'backends.redis.isolation.type:',
    ]);
  });

  it('rejects more than 1000 patterns that are matched one by one', () => {
    const items = Array.from({ length: 1001 }, (_, index) => `  - { namespace: '?${index}', pool: standard }`);
    expect(readSettings(`${POOLS}namespace_routing:\n${items.join('\n')}`, 'f').problems).toEqual([
      'f:2:1 namespace_routing: expected at most 1000 patterns that are neither a name nor a prefix with "*" at its end, found 1001',
    ]);
  });

  it('concludes nothing from a value with a problem', () => {
    const text = `${POOLS}health_checks: { interval: 1, timeout: 30s }\ndeployment: { model: x, tenant_id: acme }`;
    expect(readSettings(text, 'f').problems.map((problem) => problem.split(' ')[1])).toEqual([
      'health_checks.interval:',
      'deployment.model:',
    ]);
  });

  it('shows 200 problems and counts the others', () => {
    const routes = Array.from({ length: 300 }, () => '  - { namespace: A, pool: standard }').join('\n');
    const { problems } = readSettings(`${POOLS}namespace_routing:\n${routes}`, 'f');
    expect([problems.length, problems.at(-1)]).toEqual([201, 'and 100 more']);
  });

  it('shows no secret that stands in the wrong place', () => {
    const text = `${POOLS}password: hunter2\ndns: { key_secret_file: hunter2, secret: hunter2, server: "u:hunter2@h:53" }\nbackends: { postgres: { endpoint: "postgres://u:hunter2@h/d", provisioning: { admin_url_file: hunter2 } } }\nobservability: { logs_endpoint: "https://hunter2@h" }`;
    expect(readSettings(text, 'f').problems.join('\n')).not.toContain('hunter2');
  });
});

describe(readConfiguration.name, () => {
  it('accepts the built-in configuration, which has the pools standard and premium', () => {
    const { settings, problems, warnings } = readConfiguration(undefined);
    expect([[...(settings?.pools.keys() ?? [])], problems, warnings]).toEqual([['standard', 'premium'], [], []]);
  });

  it('never fails, whatever stands in the place of a value', () => {
    const files = ['multi-tenant', 'hybrid-a', 'hybrid-b', 'single-tenant'].map((name) =>
      readFileSync(join(EXAMPLES, `${name}.yaml`), 'utf8'),
    );
    const odd = fc.oneof(
      fc.constantFrom<unknown>(
        null,
        [],
        {},
        [[]],
        [null],
        [{}],
        '',
        'x',
        0,
        -1,
        1.5,
        true,
        'none',
        'session',
        '{tenant_id}',
      ),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(fc.constantFrom(...files), fc.array(fc.tuple(fc.nat(), odd), { maxLength: 3 }), (text, changes) => {
        const root: { file: unknown } = { file: parse(text) };
        for (const [seed, value] of changes) {
          replaceAt(root, seed, value);
        }
        const { settings, problems } = readSettings(JSON.stringify(root.file), 'f');
        expect(settings === undefined).toBe(problems.length > 0);
      }),
      { numRuns: runs(60) },
    );
  });
});

/** Puts the value in the place of one of all those that the data has. */
function replaceAt(root: object, seed: number, value: unknown): void {
  const places = listPlaces(root);
  const [container, key] = places[seed % places.length] ?? [{}, ''];
  Object.assign(container, { [key]: structuredClone(value) });
}

function listPlaces(container: object): readonly (readonly [object, string])[] {
  return Object.entries(container).flatMap(([key, value]: [string, unknown]) => [
    [container, key] as const,
    ...(typeof value === 'object' && value !== null ? listPlaces(value) : []),
  ]);
}
