import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { parseNamespaceId, type NamespaceId } from '@palisade/domain';
import { createApiKey } from '@palisade/guards';
import { JsonLogger, type Environment } from '@palisade/platform';
import { stringify } from 'yaml';
import { requireKafka, requireNatsUrl, requireRedisUrl } from '../../../../test/support/test-services.js';
import { loadConfig } from '../../src/data-proxy.config.js';
import { openDataProxy } from '../../src/open-data-proxy.js';
import type { StatementsByName } from '../../src/queries/named-statement.js';
import { NOTES } from '../../src/queries/notes.js';
import { ProxyDatabase } from './proxy-database.js';
import { Tenant } from './tenant.js';

export interface WorldOptions {
  /** The settings file. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** More of the environment, or less of it: what is empty counts as not set. */
  readonly environment?: Environment;
}

/** Names no backend but PostgreSQL. */
export const POSTGRES_ONLY: Environment = {
  DATA_PROXY_REDIS_URL: '',
  DATA_PROXY_NATS_URL: '',
  DATA_PROXY_KAFKA_BROKERS: '',
};

export const SETTINGS = {
  isolation_level: 'namespace',
  connection_pools: {
    postgres: { connections_per_namespace: 5, max_total_connections: 10 },
    redis: { connections_per_namespace: 5, max_total_connections: 10 },
    nats: { connections_per_namespace: 50, max_total_connections: 100 },
    kafka: { connections_per_namespace: 20, max_total_connections: 40 },
  },
} as const;

/** The statements of the example, and some that take time or memory, or fail. */
export const STATEMENTS: StatementsByName = {
  ...NOTES,
  nap: { text: 'select pg_sleep(0.05)', parameters: {} },
  sleep: { text: 'select pg_sleep($1)', parameters: { seconds: { type: 'integer', min: 1, max: 60 } } },
  bodies: { text: 'select body from notes', parameters: {} },
  fail: { text: 'select 1 / 0', parameters: {} },
};

/** A data proxy in front of the real servers, with two tenants whose names nobody else has. */
export class ProxyWorld implements AsyncDisposable {
  readonly acme: Tenant;
  /** Begins like the other. */
  readonly acme2: Tenant;
  /** Of the first namespace too, but another client. */
  readonly colleague: Tenant;

  private constructor(
    private readonly app: NestExpressApplication,
    readonly database: ProxyDatabase,
    readonly directory: string,
    readonly origin: string,
    keys: readonly Credential[],
  ) {
    const [acme, acme2, colleague] = keys.map(({ namespace, key }) => new Tenant(origin, namespace, key));
    if (acme === undefined || acme2 === undefined || colleague === undefined) {
      throw new TypeError('expected three keys');
    }
    this.acme = acme;
    this.acme2 = acme2;
    this.colleague = colleague;
  }

  static async start(options: WorldOptions): Promise<ProxyWorld> {
    const database = await ProxyDatabase.create();
    const directory = mkdtempSync(join(tmpdir(), 'palisade-data-proxy-'));
    const start = `acme-${randomBytes(4).toString('hex')}`;
    const keys = [start, `${start}2`, start].map((name) => createCredential(parseNamespaceId(name)));
    writeFileSync(join(directory, 'keys.yaml'), stringify(keys.map(({ entry }) => entry)));
    writeFileSync(join(directory, 'settings.json'), JSON.stringify(options.settings));
    const config = loadConfig({ ...environmentOf(directory, database), ...options.environment });
    const logger = new JsonLogger({ service: 'test', level: 'error', stream: { write: () => undefined } });
    const app = await openDataProxy({ config, logger, statements: STATEMENTS });
    await app.listen(0, '127.0.0.1');
    return new ProxyWorld(app, database, directory, await app.getUrl(), keys);
  }

  get auditFile(): string {
    return join(this.directory, 'audit.jsonl');
  }

  /** Every route that the app has, as Express keeps it. */
  routes(): string[] {
    const { router } = this.app.getHttpAdapter().getInstance() as { router: { stack: readonly Layer[] } };
    return router.stack.flatMap(({ route }) =>
      route === undefined ? [] : Object.keys(route.methods).map((method) => `${method} ${route.path}`),
    );
  }

  /** What the app provides. */
  get<T>(type: abstract new (...args: never[]) => T): T {
    return this.app.get(type, { strict: false });
  }

  /** Ends the app, and leaves the servers as they are. */
  close(): Promise<void> {
    return this.app.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
    await this.database[Symbol.asyncDispose]();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** What Express keeps of a route. */
interface Layer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
}

interface Credential {
  readonly namespace: NamespaceId;
  readonly key: string;
  readonly entry: object;
}

function createCredential(namespace: NamespaceId): Credential {
  const { key, id, digest } = createApiKey();
  return { namespace, key, entry: { id, digest, namespace, user_id: `${id}@example.com`, tenant_id: 'tenant-1' } };
}

function environmentOf(directory: string, database: ProxyDatabase): Environment {
  const { brokers, saslBrokers } = requireKafka();
  return {
    SVC_DATA_DIR: directory,
    SVC_SHUTDOWN_GRACE: '2s',
    DATA_PROXY_SETTINGS: join(directory, 'settings.json'),
    DATA_PROXY_API_KEYS: join(directory, 'keys.yaml'),
    DATA_PROXY_PROVISION: 'true',
    DATA_PROXY_BACKEND_SECRET: randomBytes(32).toString('hex'),
    DATA_PROXY_POSTGRES_URL: database.roleUrl,
    DATA_PROXY_POSTGRES_ADMIN_URL: database.adminUrl,
    DATA_PROXY_REDIS_URL: requireRedisUrl(),
    DATA_PROXY_NATS_URL: requireNatsUrl(),
    DATA_PROXY_KAFKA_BROKERS: saslBrokers.join(','),
    DATA_PROXY_KAFKA_ADMIN_BROKERS: brokers.join(','),
  };
}
