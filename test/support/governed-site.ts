import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApiKey } from '@palisade/guards';
import { IsolationSessions } from '@palisade/isolation';
import { JsonLogger } from '@palisade/platform';
import { openStore } from '@palisade/storage';
import {
  loadBalancerSection,
  prepareHaproxy,
  runWhenConfigured,
} from '../../apps/control-plane/test/support/administered-haproxy.js';
import { ADMIN_TOKEN } from '../../apps/control-plane/test/support/control-app.js';
import { ControlProcess } from '../../apps/control-plane/test/support/control-process.js';
import type { BalancerUnderTest } from '../../apps/control-plane/test/support/load-balancer/balancer-under-test.js';
import { loadConfig } from '../../examples/data-proxy/src/data-proxy.config.js';
import { openDataProxy } from '../../examples/data-proxy/src/open-data-proxy.js';
import { ProxyDatabase } from '../../examples/data-proxy/test/support/proxy-database.js';
import { createScratchDatabase } from '../../libs/storage/test/scratch-database.js';
import { findFreePort } from './free-port.js';
import type { Method } from './routes-of.js';
import { ScimApp } from './scim-app.js';
import { until } from './until.js';

const REPLICAS = 2;
/** What is routed by the configuration alone, half to each pool. */
export const SPLIT = Array.from({ length: 12 }, (_, at) => `split-${at + 1}`);
const NAMESPACES = ['acme', 'bolt', 'quiet', 'vip', ...SPLIT];
const LIST = { path: '/v1/queries/notes.list', body: { values: { limit: 1 } } };

export interface ProxyReply {
  readonly status: number;
  readonly code?: string;
  readonly id?: string;
}

export interface ProxyRequest {
  readonly path?: string;
  readonly body?: object;
  readonly key?: string;
  readonly session?: string;
}

/** A data proxy, with what has reached it. */
export class SiteProxy {
  private readonly counts = new Map<string, number>();

  constructor(
    readonly id: string,
    readonly pool: string,
    readonly origin: string,
    private readonly app: NestExpressApplication,
  ) {
    app.getHttpServer().on('request', ({ headers }: IncomingMessage) => {
      const namespace = String(headers['x-palisade-namespace']);
      this.counts.set(namespace, this.served(namespace) + 1);
    });
  }

  served(namespace: string): number {
    return this.counts.get(namespace) ?? 0;
  }

  /** Sessions that are open. */
  get sessions(): number {
    return this.app.get(IsolationSessions).manager.snapshot().sessions;
  }

  close(): Promise<void> {
    return this.app.close();
  }
}

/** Requests that go on, one at a time for each namespace, until they are stopped; every answer but 200 is remembered. */
export class Load {
  readonly failures: string[] = [];
  private readonly stopped = new AbortController();
  private readonly running: Promise<unknown>;

  constructor(site: GovernedSite, namespaces: readonly string[]) {
    this.running = Promise.all(namespaces.map((namespace) => this.run(site, namespace)));
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await this.running;
  }

  private async run(site: GovernedSite, namespace: string): Promise<void> {
    while (!this.stopped.signal.aborted) {
      const reply = await site.send(namespace).catch((error: unknown) => ({ status: 0, code: String(error) }));
      if (reply.status !== 200) {
        this.failures.push(`${namespace}: ${reply.status} ${reply.code}`);
      }
    }
  }
}

/**
 * Two control planes in processes of their own, HAProxy under them, data proxies in two pools, and a SCIM service, on one
 * PostgreSQL. Each namespace has the key of a service; that of a user is {@link userKey}.
 */
export class GovernedSite implements AsyncDisposable {
  readonly proxies = new Map<string, SiteProxy>();
  readonly controls: ControlProcess[] = [];
  userKey = '';
  private readonly keys = new Map<string, string>();
  private readonly stack = new AsyncDisposableStack();
  private readonly directory = mkdtempSync(join(tmpdir(), 'palisade-governed-'));
  private readonly ports: number[] = [];
  private readonly proxyPorts = new Map<string, number>();

  private constructor(
    readonly scim: ScimApp,
    private readonly storeUrl: string,
    private readonly haproxy: BalancerUnderTest,
    private readonly database: ProxyDatabase,
  ) {}

  static async start(): Promise<GovernedSite> {
    const stack = new AsyncDisposableStack();
    const store = await createScratchDatabase();
    stack.defer(() => store.drop());
    const scim = await ScimApp.start(await openStore(store.url));
    stack.defer(() => scim.close());
    const database = stack.use(await ProxyDatabase.create());
    const haproxy = stack.use(await prepareHaproxy());
    const site = new GovernedSite(scim, store.url, haproxy, database);
    site.stack.use(stack);
    site.stack.defer(() => rmSync(site.directory, { recursive: true, force: true }));
    writeFileSync(site.file('control.json'), JSON.stringify(controlSettings(haproxy)));
    for (let at = 0; at < REPLICAS; at += 1) {
      site.ports.push(await findFreePort());
      await site.startControl(at);
    }
    writeFileSync(site.file('proxy.json'), JSON.stringify(PROXY_SETTINGS));
    return site;
  }

  /** Starts a replica where it was. */
  async startControl(at: number): Promise<void> {
    const environment = { SVC_CONTROL_CONFIG: this.file('control.json'), SVC_STORE_URL: this.storeUrl };
    this.controls[at] = this.stack.use(await ControlProcess.start(environment, this.ports[at]));
  }

  runHaproxy(): Promise<void> {
    return runWhenConfigured(this.haproxy);
  }

  /** Makes keys for all namespaces, and one of a user for the first. */
  writeKeys(user: string): void {
    const entries = [...NAMESPACES, 'acme'].map((namespace, at) => {
      const { key, id, digest } = createApiKey();
      const isUser = at === NAMESPACES.length;
      if (isUser) {
        this.userKey = key;
      } else {
        this.keys.set(namespace, key);
      }
      return { id, digest, namespace, ...(isUser && { user_id: user }) };
    });
    writeFileSync(this.file('keys.json'), JSON.stringify(entries));
  }

  /** One that had the id before left its port and its copy of the policy. */
  async startProxy(id: string, pool: string): Promise<SiteProxy> {
    const port = this.proxyPorts.get(id) ?? (await findFreePort());
    this.proxyPorts.set(id, port);
    const directory = this.file(id);
    mkdirSync(directory, { recursive: true });
    const listen = `127.0.0.1:${port}`;
    const config = loadConfig({
      SVC_DATA_DIR: directory,
      SVC_SHUTDOWN_GRACE: '2s',
      DATA_PROXY_ID: id,
      DATA_PROXY_POOL: pool,
      DATA_PROXY_SETTINGS: this.file('proxy.json'),
      DATA_PROXY_LISTEN: listen,
      DATA_PROXY_POSTGRES_URL: this.database.roleUrl,
      DATA_PROXY_POSTGRES_ADMIN_URL: this.database.adminUrl,
      DATA_PROXY_PROVISION: 'true',
      DATA_PROXY_API_KEYS: this.file('keys.json'),
      DATA_PROXY_CONTROL_URL: this.ports.map((each) => `http://127.0.0.1:${each}`).join(','),
      DATA_PROXY_CONTROL_TOKEN: ADMIN_TOKEN,
      DATA_PROXY_ACCESS_LEASE: '3s',
    });
    const logger = new JsonLogger({ service: 'test', level: 'fatal', stream: { write: () => undefined } });
    const app = await openDataProxy({ config, logger });
    const proxy = new SiteProxy(id, pool, `http://${listen}`, app);
    await app.listen(port, '127.0.0.1');
    this.proxies.set(id, proxy);
    return proxy;
  }

  async stopProxy(id: string): Promise<void> {
    await this.proxies.get(id)?.close();
    this.proxies.delete(id);
  }

  /** By the replica that was started last unless another is named. */
  async api<T>(method: Method, path: string, body?: object, at = REPLICAS - 1): Promise<T> {
    const answer = await (this.controls[at] as ControlProcess).api<T>(method, path, body);
    if (answer.status >= 400) {
      throw new Error(`${method} ${path} was answered with ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    return answer.body;
  }

  put(tenant: string, pool: string, more: object = {}, at = REPLICAS - 1) {
    return this.api<unknown>('put', `/tenants/${tenant}`, { namespace_pattern: tenant, pool, ...more }, at);
  }

  /** Through the load balancer, or to a proxy; by default the statement `notes.list`. */
  async send(namespace: string, request: ProxyRequest = {}, proxy?: SiteProxy): Promise<ProxyReply> {
    const { host, port } = this.haproxy.settings.bind;
    const { path = LIST.path, body = path === LIST.path ? LIST.body : undefined, key, session } = request;
    const response = await fetch(`${proxy?.origin ?? `http://${host}:${port}`}${path}`, {
      method: 'POST',
      headers: {
        ...this.headersOf(namespace),
        ...(key !== undefined && { 'x-api-key': key }),
        ...(session !== undefined && { 'x-palisade-session': session }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const { code, id } = (text.startsWith('{') ? JSON.parse(text) : {}) as Omit<ProxyReply, 'status'>;
    return { status: response.status, ...(code !== undefined && { code }), ...(id !== undefined && { id }) };
  }

  async end(namespace: string, session: string | undefined, proxy: SiteProxy): Promise<void> {
    await fetch(`${proxy.origin}/v1/sessions/${session}`, { method: 'DELETE', headers: this.headersOf(namespace) });
  }

  /** What a proxy tells operators. */
  async noticesOf({ origin }: SiteProxy): Promise<Readonly<Record<string, string>>> {
    const response = await fetch(`${origin}/health/ready`);
    return ((await response.json()) as { readonly notices: Readonly<Record<string, string>> }).notices;
  }

  /** Resolves when every proxy of the pool answers so. */
  async untilAll(pool: string, namespace: string, expected: { status: number; code?: string }): Promise<void> {
    for (const proxy of [...this.proxies.values()].filter((each) => each.pool === pool)) {
      await until(async () => {
        const { status, code } = await this.send(namespace, {}, proxy);
        return status === expected.status && code === expected.code;
      });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.proxies.values()].map((proxy) => proxy.close()));
    await this.stack.disposeAsync();
  }

  private headersOf(namespace: string): Record<string, string> {
    return { 'x-api-key': this.keys.get(namespace) ?? '', 'x-palisade-namespace': namespace };
  }

  private file(name: string): string {
    return join(this.directory, name);
  }
}

const PROXY_SETTINGS = {
  isolation_level: 'namespace',
  connection_pools: {
    postgres: { connections_per_namespace: 2, max_total_connections: 20, acquire_timeout: '3s' },
  },
};

function controlSettings(haproxy: BalancerUnderTest): object {
  return {
    deployment: { model: 'multi_tenant' },
    proxy_pools: {
      standard: { replicas: 2, isolation_level: 'namespace' },
      premium: { replicas: 2, isolation_level: 'namespace' },
    },
    namespace_routing: ['standard', 'premium'].map((pool) => ({ namespace: 'split-*', pool, weight: 1 })),
    connection_pools: { postgres: { connections_per_namespace: 2, max_total_connections: 40 } },
    load_balancer: loadBalancerSection(haproxy.settings),
    health_checks: { interval: '1s', timeout: '1s', rise: 1 },
    drain_timeout: '5s',
  };
}
