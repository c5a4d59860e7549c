import type { TenantNamespace } from '../../tenant-namespace.js';
import { ErrorReply } from './redis-package.js';
import { parseNameTemplate, type NameTemplate } from '../name-template.js';
import type { ScopeContext } from '../backend-driver.js';
import { type ConfigOf, LinkDriver } from '../configured-driver.js';
import { PrivilegedLinks } from '../privileged-links.js';
import { DEFAULT_KEY_FORMAT, KeySpace } from './key-space.js';
import { withCredentials, type RedisConnectOptions } from './redis-options.js';
import { type RedisConnection, RedisLink } from './redis-link.js';
import { RedisScope } from './redis-scope.js';
import { ScopedRedis } from './scoped-redis.js';

export interface RedisDriverOptions {
  /** How to connect: the same for all, or by tenant and namespace. TLS is its `socket`, or a `rediss:` URL. */
  readonly config: ConfigOf<RedisConnectOptions>;
  /** How keys and channels say whose they are. Default `tenant:{tenant_id}:{namespace}:{key}`. */
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

const MAX_SCANNERS = 2;

/** Codes of replies that concern who connects. */
const LOGIN_REPLIES = /^(?:WRONGPASS|NOAUTH|NOPERM)\b/;

/** Redis connections, each with one client of node-redis beneath, which never connects again by itself. */
export class RedisDriver extends LinkDriver<RedisConnectOptions, RedisConnection, ScopedRedis> {
  protected readonly withCredentials = withCredentials;
  readonly #template: NameTemplate;
  readonly #scanners: PrivilegedLinks<RedisLink> | undefined;
  readonly #commandTimeoutMs: number;

  /** @throws {InvalidSettingsError} when the key format is invalid */
  constructor(options: RedisDriverOptions) {
    const {
      config,
      keyFormat = DEFAULT_KEY_FORMAT,
      scanConfig,
      commandTimeoutMs = DEFAULT_COMMAND_TIMEOUT_MS,
    } = options;
    super(config);
    this.#template = parseNameTemplate(keyFormat, 'key');
    this.#commandTimeoutMs = commandTimeoutMs;
    this.#scanners =
      scanConfig &&
      new PrivilegedLinks({
        name: 'redis scanning',
        maxConnections: MAX_SCANNERS,
        open: (signal) => RedisLink.open({ connect: scanConfig, commandTimeoutMs }, signal),
      });
  }

  protected scopeFor(connection: RedisConnection, owner: TenantNamespace, context: ScopeContext): ScopedRedis {
    const link = RedisLink.of(connection);
    const keys = new KeySpace(this.#template, owner);
    return new ScopedRedis(new RedisScope(context, link, keys, this.#scanners), 'text');
  }

  protected open(connect: RedisConnectOptions, _: TenantNamespace, signal: AbortSignal): Promise<RedisConnection> {
    return RedisLink.open({ connect, commandTimeoutMs: this.#commandTimeoutMs }, signal);
  }

  protected isRejectedLogin(error: unknown): boolean {
    return error instanceof ErrorReply && LOGIN_REPLIES.test(error.message);
  }
}
