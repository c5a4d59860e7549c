import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { IsolationLevel } from '@palisade/domain';
import { JsonLogger, type Environment } from '@palisade/platform';
import { openStore } from '@palisade/storage';
import { ADMIN_TOKEN, ControlApp } from '../../apps/control-plane/test/support/control-app.js';
import { loadConfig } from '../../examples/data-proxy/src/data-proxy.config.js';
import { openDataProxy } from '../../examples/data-proxy/src/open-data-proxy.js';
import { ProxyDatabase } from '../../examples/data-proxy/test/support/proxy-database.js';
import { createScratchDatabase, type ScratchDatabase } from '../../libs/storage/test/scratch-database.js';
import { ScimApp } from './scim-app.js';
import { findFreePort } from './free-port.js';

const yamlOf = (level: IsolationLevel): string => `
proxy_pools: { standard: { isolation_level: ${level} }, premium: { isolation_level: session } }
health_checks: { interval: 100ms, timeout: 100ms, rise: 1 }
`;
const AUDIENCE = 'data-proxy';

/** Both services over one database, and a data proxy that registers with the control plane when it is started. */
export class FlowWorld implements AsyncDisposable {
  private proxy: NestExpressApplication | undefined;

  private constructor(
    readonly scim: ScimApp,
    readonly control: ControlApp,
    private readonly database: ScratchDatabase,
    private readonly proxyDatabase: ProxyDatabase,
    private readonly directory: string,
    private readonly proxyPort: number,
    private readonly level: IsolationLevel,
  ) {}

  /** @param level of the pool `standard`, and of the proxy */
  static async start(level: IsolationLevel = 'namespace'): Promise<FlowWorld> {
    const database = await createScratchDatabase();
    const scim = await ScimApp.start(await openStore(database.url));
    const control = await ControlApp.start({
      yaml: yamlOf(level),
      mayLead: true,
      store: await openStore(database.url),
    });
    const directory = mkdtempSync(join(tmpdir(), 'palisade-flow-'));
    const proxyDatabase = await ProxyDatabase.create();
    return new FlowWorld(scim, control, database, proxyDatabase, directory, await findFreePort(), level);
  }

  /** It lets in whoever has a token of the control plane's issuer for a namespace. */
  async startProxy(environment: Environment = {}): Promise<void> {
    const { directory, proxyDatabase, control, proxyPort, level } = this;
    const settings = join(directory, 'settings.json');
    writeFileSync(settings, JSON.stringify(SETTINGS[level]));
    const config = loadConfig({
      SVC_DATA_DIR: directory,
      SVC_SHUTDOWN_GRACE: '2s',
      DATA_PROXY_SETTINGS: settings,
      DATA_PROXY_LISTEN: `127.0.0.1:${proxyPort}`,
      DATA_PROXY_POSTGRES_URL: proxyDatabase.roleUrl,
      DATA_PROXY_POSTGRES_ADMIN_URL: proxyDatabase.adminUrl,
      DATA_PROXY_PROVISION: 'true',
      DATA_PROXY_JWT_ISSUER: control.issuer.issuer,
      DATA_PROXY_JWT_AUDIENCE: AUDIENCE,
      DATA_PROXY_JWKS_URI: control.issuer.jwksUri,
      DATA_PROXY_CONTROL_URL: await control.origin(),
      DATA_PROXY_CONTROL_TOKEN: ADMIN_TOKEN,
      DATA_PROXY_ACCESS_PROVIDER: 'provider-1',
      ...environment,
    });
    const logger = new JsonLogger({ service: 'test', level: 'error', stream: { write: () => undefined } });
    this.proxy = await openDataProxy({ config, logger });
    await this.proxy.listen(proxyPort, '127.0.0.1');
  }

  /** What an issuer of tokens does: one is had by users who may reach the namespace, and by nobody else. */
  async issueToken(user: string, namespace: string): Promise<string | undefined> {
    const { body } = await this.control.api('get', `/access/route?user=${user}&namespace=${namespace}`).expect(200);
    const subject = user.split(':').slice(3).join(':');
    return body.allowed ? this.control.issuer.sign({ aud: AUDIENCE, sub: subject, namespace }) : undefined;
  }

  /** A statement at the proxy; `namespace` is what the request says that it is for. */
  async query(name: string, values: object, token?: string, namespace?: string): Promise<Response> {
    return fetch(`http://127.0.0.1:${this.proxyPort}/v1/queries/${name}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(namespace !== undefined && { 'x-palisade-namespace': namespace }),
      },
      body: JSON.stringify({ values }),
    });
  }

  /** Any request to the proxy. */
  send(method: string, path: string, token: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return fetch(`http://127.0.0.1:${this.proxyPort}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
  }

  /** Connections of the proxy, as the database counts them. */
  countConnections(): Promise<number> {
    return this.proxyDatabase.countConnections();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.proxy?.close();
    await this.control.close();
    await this.scim.close();
    await this.proxyDatabase[Symbol.asyncDispose]();
    await this.database.drop();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

const POOLED = { connection_pools: { postgres: { connections_per_namespace: 2, max_total_connections: 4 } } };
const SETTINGS = {
  none: { isolation_level: 'none', connection_pools: { postgres: { max_connections: 4 } } },
  namespace: { isolation_level: 'namespace', ...POOLED },
  session: {
    isolation_level: 'session',
    connection_pools: { postgres: { max_connections: 4 } },
    session_management: { max_sessions: 4, max_sessions_per_client: 4 },
  },
} as const satisfies Record<IsolationLevel, object>;
