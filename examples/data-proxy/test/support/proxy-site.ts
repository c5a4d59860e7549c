import { createApiKey, type ApiKey } from '@palisade/guards';
import { parseNamespaceId } from '@palisade/domain';
import { createClient } from 'redis';
import type { ClientRequest } from '../../../../test/support/traffic/keep-alive-client.js';
import { startOwnRedis, type OwnServer, type UrlServer } from '../../../../test/support/test-services.js';
import { ProxyDatabase } from './proxy-database.js';
import { ProxyProcess } from './proxy-process.js';

const { key, ...kept } = createApiKey();
const NAMESPACE = parseNamespaceId('acme');
const KEYS: readonly ApiKey[] = [{ ...kept, namespace: NAMESPACE }];

/** What a client of the namespace sends. */
export const CLIENT_HEADERS = { 'X-Api-Key': key, 'Content-Type': 'application/json' };

export function query(name: string, values: object, headers: Readonly<Record<string, string>> = {}): ClientRequest {
  return { method: 'POST', path: `/v1/queries/${name}`, headers: { ...CLIENT_HEADERS, ...headers }, body: { values } };
}

/** A data proxy as a process, with a database and a Redis server that nobody else uses. */
export class ProxySite implements AsyncDisposable {
  private constructor(
    readonly proxy: ProxyProcess,
    readonly database: ProxyDatabase,
    private readonly redis: OwnServer<UrlServer>,
    private readonly owned: AsyncDisposableStack,
  ) {}

  /** Resolves when it is ready. */
  static async start(
    settings: Readonly<Record<string, unknown>>,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<ProxySite> {
    await using stack = new AsyncDisposableStack();
    const redis = stack.use(await startOwnRedis());
    const database = stack.use(await ProxyDatabase.create());
    const servers = {
      DATA_PROXY_PROVISION: 'true',
      DATA_PROXY_POSTGRES_URL: database.roleUrl,
      DATA_PROXY_POSTGRES_ADMIN_URL: database.adminUrl,
      DATA_PROXY_REDIS_URL: redis.url,
    };
    const options = { settings, keys: KEYS, environment: { ...servers, ...environment } };
    const proxy = stack.use(await ProxyProcess.spawn(options));
    await proxy.service.untilReadiness(200);
    return new ProxySite(proxy, database, redis, stack.move());
  }

  /** Connections of the proxy, on both servers. */
  async countConnections(): Promise<number> {
    return (await this.database.countConnections()) + (await this.countRedisConnections());
  }

  /** Has statements wait for the table until the function that this resolves to is called. */
  async lockNotes(): Promise<() => Promise<void>> {
    await this.database.admin.query('begin; lock table notes in access exclusive mode');
    return async () => {
      await this.database.admin.query('commit');
    };
  }

  /** Statements that wait for the table. */
  async countWaiting(): Promise<number> {
    const text = `select count(*)::int as count from pg_locks where not granted and relation = 'notes'::regclass`;
    const { rows } = await this.database.admin.query<{ count: number }>(text);
    return rows[0]?.count ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.owned.disposeAsync();
  }

  private async countRedisConnections(): Promise<number> {
    const observer = createClient({ url: this.redis.url });
    await observer.connect();
    try {
      return (await observer.clientList()).length - 1;
    } finally {
      observer.destroy();
    }
  }
}
