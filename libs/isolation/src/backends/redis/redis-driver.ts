import type { NamespaceId } from '@palisade/domain';
import { ErrorReply } from 'redis';
import type { Credentials } from '../../pools/connection-driver.js';
import { parseNameTemplate, type NameTemplate } from '../name-template.js';
import type { BackendDriver, ScopeContext } from '../backend-driver.js';
import { DEFAULT_KEY_FORMAT, KeySpace } from './key-space.js';
import { type RedisConnection, RedisLink } from './redis-link.js';
import { withCredentials, type RedisConnectOptions } from './redis-options.js';
import { RedisScanner } from './redis-scanner.js';
import { ScopedRedis } from './scoped-redis.js';

export interface RedisDriverOptions {
  /** How to connect: the same for all namespaces, or by namespace. TLS is its `socket`, or a `rediss:` URL. */
  readonly config: RedisConnectOptions | ((namespace: NamespaceId) => RedisConnectOptions);
  /** How keys and channels say whose they are. Default `tenant:{tenant_id}:{key}`. */
  readonly keyFormat?: string;
  /**
   * How to connect for scanning, which has to go over the keys of all namespaces, so that those who are restricted to keys
   * of their own may not do it. Absent: over the connection of the namespace.
   */
  readonly scanConfig?: RedisConnectOptions;
  /** How long the server may take to answer a command before the connection is given up. Default 5,000. */
  readonly commandTimeoutMs?: number;
}

const DEFAULT_COMMAND_TIMEOUT_MS = 5_000;

/** Codes of replies that concern who connects. */
const NAMESPACE_REPLIES = /^(?:WRONGPASS|NOAUTH|NOPERM)\b/;

/** Redis connections, each with one client of node-redis beneath, which never connects again by itself. */
export class RedisDriver implements BackendDriver<RedisConnection, ScopedRedis> {
  readonly #options: RedisDriverOptions;
  readonly #template: NameTemplate;
  readonly #scanner: RedisScanner | undefined;
  readonly #commandTimeoutMs: number;
  readonly #namespaceFailures = new WeakSet<object>();

  /** @throws {InvalidSettingsError} when the key format is none */
  constructor(options: RedisDriverOptions) {
    const { keyFormat = DEFAULT_KEY_FORMAT, scanConfig, commandTimeoutMs = DEFAULT_COMMAND_TIMEOUT_MS } = options;
    this.#options = options;
    this.#template = parseNameTemplate(keyFormat, 'key');
    this.#commandTimeoutMs = commandTimeoutMs;
    this.#scanner = scanConfig && new RedisScanner({ connect: scanConfig, commandTimeoutMs });
  }

  async connect(namespace: NamespaceId, signal: AbortSignal, credentials?: Credentials): Promise<RedisConnection> {
    const { config } = this.#options;
    const isShared = typeof config !== 'function' && credentials === undefined;
    const own = typeof config === 'function' ? config(namespace) : config;
    const connect = credentials === undefined ? own : withCredentials(own, credentials);
    try {
      return await RedisLink.open({ connect, commandTimeoutMs: this.#commandTimeoutMs }, signal);
    } catch (error) {
      if (!isShared && error instanceof ErrorReply && NAMESPACE_REPLIES.test(error.message)) {
        this.#namespaceFailures.add(error);
      }
      throw error;
    }
  }

  /** Scoped clients leave nothing behind that would have to be removed; a connection on which they did is not usable. */
  isUsable(connection: RedisConnection): boolean {
    return RedisLink.of(connection).isClean;
  }

  close(connection: RedisConnection): Promise<void> {
    return RedisLink.of(connection).close();
  }

  onLost(connection: RedisConnection, listener: () => void): () => void {
    return RedisLink.of(connection).onLost(listener);
  }

  isNamespaceFailure(error: unknown): boolean {
    return typeof error === 'object' && error !== null && this.#namespaceFailures.has(error);
  }

  scope(connection: RedisConnection, namespace: NamespaceId, context: ScopeContext): ScopedRedis {
    const link = RedisLink.of(connection);
    const keys = new KeySpace(this.#template, namespace);
    return ScopedRedis.open({ link, keys, context, scanner: this.#scanner });
  }
}
