import { parseNamespaceId, type NamespaceId } from '@palisade/domain';
import { startOwnRedis, type OwnServer, type UrlServer } from '../../../../test/support/test-services.js';
import { RedisDriver, type RedisDriverOptions } from '../../src/backends/redis/redis-driver.js';
import { RedisLink } from '../../src/backends/redis/redis-link.js';
import type { ScopedRedis } from '../../src/backends/redis/scoped-redis.js';
import { waitUntil } from './wait-until.js';
import { WorkContext } from './work-context.js';

export const ACME = parseNamespaceId('acme');
export const BOLT = parseNamespaceId('bolt');

/** A Redis server of the suite's own, looked at from outside by a connection that may do everything. */
export class RedisWorld implements AsyncDisposable {
  private constructor(
    readonly server: OwnServer<UrlServer>,
    private observer: RedisLink,
  ) {}

  static async start(...args: string[]): Promise<RedisWorld> {
    const server = await startOwnRedis(...args);
    return new RedisWorld(server, await observe(server.url));
  }

  driver(options: Partial<RedisDriverOptions> = {}): RedisDriver {
    return new RedisDriver({ config: { url: this.server.url }, ...options });
  }

  /** Sends any command at all; strings in replies are texts. */
  send(...args: string[]): Promise<unknown> {
    return this.observer.send(args, 'text');
  }

  /** To be called after the server was started again. */
  async observeAgain(): Promise<void> {
    await this.observer.close();
    this.observer = await observe(this.server.url);
  }

  /** Connections of others. */
  async countConnections(): Promise<number> {
    const list = String(await this.send('CLIENT', 'LIST'));
    return list.split('\n').filter((line) => line !== '').length - 1;
  }

  async waitForNone(): Promise<void> {
    await waitUntil(async () => (await this.countConnections()) === 0, 'no connections are left');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.observer.close();
    await this.server[Symbol.asyncDispose]();
  }
}

function observe(url: string): Promise<RedisLink> {
  return RedisLink.open({ connect: { url }, commandTimeoutMs: 5_000 }, new AbortController().signal);
}

/** A connection of its own with a client of a namespace on it. */
export class RedisWork implements AsyncDisposable {
  private constructor(
    readonly driver: RedisDriver,
    readonly link: RedisLink,
    readonly context: WorkContext,
    readonly redis: ScopedRedis,
  ) {}

  static async begin(driver: RedisDriver, namespace: NamespaceId = ACME): Promise<RedisWork> {
    const link = RedisLink.of(await driver.connect(namespace, new AbortController().signal));
    const context = new WorkContext();
    return new RedisWork(driver, link, context, driver.scope(link, namespace, context));
  }

  /** Another piece of work on the same connection. */
  next(namespace: NamespaceId = ACME): ScopedRedis {
    return this.driver.scope(this.link, namespace, new WorkContext());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.redis[Symbol.asyncDispose]();
    await this.driver.close(this.link);
  }
}
