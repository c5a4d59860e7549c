import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ProviderBusyError, type ProviderId, type Store } from '@palisade/domain';
import { PostgresStore } from '@palisade/storage';
import {
  loadBalancerSection,
  prepareHaproxy,
  runWhenConfigured,
} from '../../../apps/control-plane/test/support/administered-haproxy.js';
import {
  ADMIN_TOKEN as CONTROL_TOKEN,
  ControlApp,
  TWO_POOLS,
} from '../../../apps/control-plane/test/support/control-app.js';
import { TestCluster } from '../../../apps/control-plane/test/support/kubernetes/test-cluster.js';
import { EchoProxy } from '../../../apps/control-plane/test/support/load-balancer/proxies.js';
import { ProxyWorld, SETTINGS } from '../../../examples/data-proxy/test/support/proxy-world.js';
import { createScratchDatabase } from '../../../libs/storage/test/scratch-database.js';
import { ADMIN_TOKEN, ScimApp } from '../scim-app.js';
import type { ScimClient } from '../scim-client.js';
import { until } from '../until.js';
import { Prometheus } from './prometheus.js';

/** Nobody listens there. */
const NOWHERE = 'http://127.0.0.1:9';
const NO_DNS = { server: new URL(NOWHERE).host, zone: 'pools.example.com', key_name: 'key' };
const TWO_BACKENDS = { DATA_PROXY_NATS_URL: '', DATA_PROXY_KAFKA_BROKERS: '' };
const LIMITED = { ...SETTINGS, resource_limits: { per_namespace: { memory: '160KiB', cpu: 64, max_rps: 100_000 } } };
/** Two of them are more than a namespace may hold. */
const LARGE = 'x'.repeat(90_000);

/** Both services, a data proxy, and a Prometheus that scrapes them. Of each service a second replica has lost its store. */
export interface MonitoredWorld {
  readonly scim: ScimApp;
  readonly scimWithoutStore: ScimApp;
  readonly provider: ScimClient;
  /** Has always more requests under way than it may: it cannot list anything. */
  readonly busyProvider: ScimClient;
  readonly control: ControlApp;
  readonly controlWithoutStore: ControlApp;
  readonly proxy: ProxyWorld;
  readonly prometheus: Prometheus;
}

/** What it has started is ended with `stack`. */
export async function startMonitoredWorld(stack: AsyncDisposableStack): Promise<MonitoredWorld> {
  const [scim, scimWithoutStore] = [await startScim(stack), await startScim(stack)];
  await scimWithoutStore.store.close();
  const [provider, busyProvider] = [await scim.connect(), await scim.connect()];
  keepBusy(scim.store, busyProvider.provider);
  const control = await startLeader(stack);
  const controlWithoutStore = stack.adopt(await ControlApp.start(), (app) => app.close());
  await controlWithoutStore.store.close();
  const proxy = stack.use(await startProxy(control));
  await proxy.acme.query('notes.insert', { title: 'one', body: LARGE });
  await proxy.acme.query('notes.insert', { title: 'two', body: LARGE });
  const prometheus = stack.use(
    await Prometheus.start(
      {
        'scim-service': [scim.origin, scimWithoutStore.origin, NOWHERE],
        'control-plane': [await control.origin(), await controlWithoutStore.origin(), NOWHERE],
        'data-proxy': [proxy.origin, NOWHERE],
      },
      ADMIN_TOKEN,
    ),
  );
  return { scim, scimWithoutStore, provider, busyProvider, control, controlWithoutStore, proxy, prometheus };
}

/** Governed by the control plane, with two tenants of its own. */
async function startProxy(control: ControlApp): Promise<ProxyWorld> {
  const governed = {
    DATA_PROXY_ID: 'governed',
    DATA_PROXY_CONTROL_URL: await control.origin(),
    DATA_PROXY_CONTROL_TOKEN: CONTROL_TOKEN,
    DATA_PROXY_ADVERTISE: new URL(NOWHERE).host,
  };
  const proxy = await ProxyWorld.start({ settings: LIMITED, environment: { ...TWO_BACKENDS, ...governed } });
  for (const [tenant, { namespace }] of Object.entries({ acme: proxy.acme, bolt: proxy.acme2 })) {
    const limits = { resource_limits: { max_rps: 1000 } };
    await control.register(tenant, { namespace_pattern: namespace, pool: 'standard', ...limits });
  }
  for (const tenant of [proxy.acme, proxy.acme2]) {
    await until(async () => (await tenant.query('notes.list', { limit: 1 })).status === 200);
  }
  return proxy;
}

async function startScim(stack: AsyncDisposableStack): Promise<ScimApp> {
  const store = await openStore(stack);
  return stack.adopt(await ScimApp.start(store), (app) => app.close());
}

/** In a database of its own. */
async function openStore(stack: AsyncDisposableStack): Promise<Store> {
  const database = stack.adopt(await createScratchDatabase(), (own) => own.drop());
  return new PostgresStore(database.url);
}

function keepBusy({ directory }: Store, provider: ProviderId): void {
  const list = directory.list.bind(directory);
  directory.list = (asked, query) =>
    asked === provider ? Promise.reject(new ProviderBusyError(asked, 200)) : list(asked, query);
}

/** With HAProxy, a DNS server that is not there, an API server of Kubernetes, a proxy that is healthy, and one that is not there. */
async function startLeader(stack: AsyncDisposableStack): Promise<ControlApp> {
  const haproxy = stack.use(await prepareHaproxy());
  const cluster = stack.use(await TestCluster.start());
  const healthy = stack.use(await EchoProxy.start('standard'));
  const keyFile = join(haproxy.directory, 'dns-key');
  writeFileSync(keyFile, Buffer.from('secret').toString('base64'));
  const proxies = [
    { pool: 'standard', endpoint: `127.0.0.1:${healthy.port}` },
    { pool: 'premium', endpoint: new URL(NOWHERE).host },
  ];
  const yaml = [
    TWO_POOLS,
    `load_balancer: ${JSON.stringify(loadBalancerSection(haproxy.settings))}`,
    `service_discovery: ${JSON.stringify({ type: 'static', proxies })}`,
    `kubernetes: ${JSON.stringify({ namespace: cluster.namespace, kubeconfig_file: cluster.kubeconfigFile })}`,
    `dns: ${JSON.stringify({ ...NO_DNS, key_secret_file: keyFile })}`,
    `audit_backend: file://${haproxy.directory}/audit`,
    'health_checks: { interval: 200ms, timeout: 200ms }',
    'connection_pools: { postgres: { connections_per_namespace: 5, max_total_connections: 20 } }',
  ].join('\n');
  const store = await openStore(stack);
  const control = stack.adopt(await ControlApp.start({ yaml, store, mayLead: true }), (app) => app.close());
  await runWhenConfigured(haproxy);
  return control;
}
