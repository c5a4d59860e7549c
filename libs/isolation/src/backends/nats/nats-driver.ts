import { SHARED } from '../../pools/pool-settings.js';
import type { TenantNamespace } from '../../tenant-namespace.js';
import { AuthorizationError, UserAuthenticationExpiredError } from './nats-package.js';
import type { ScopeContext } from '../backend-driver.js';
import { type ConfigOf, LinkDriver } from '../configured-driver.js';
import { PrivilegedLinks } from '../privileged-links.js';
import { type NatsConnection, NatsLink } from './nats-link.js';
import { withCredentials, type NatsConnectOptions } from './nats-options.js';
import { NatsScope } from './nats-scope.js';
import { ScopedNats } from './scoped-nats.js';
import { NatsNames, type NatsNameFormats } from './subject-space.js';

export interface NatsDriverOptions extends NatsNameFormats {
  /** How to connect: the same for all, or by tenant and namespace. */
  readonly config: ConfigOf<NatsConnectOptions>;
  /**
   * How to connect for making streams and consumers: whoever may do that can have them take in and send out any subject, so
   * that those who are restricted to subjects of their own may not. Absent: over the connection of the namespace.
   */
  readonly manageConfig?: NatsConnectOptions;
  /** How long servers may take to confirm a message or a subscription before the connection is given up. Default 5,000. */
  readonly confirmTimeoutMs?: number;
}

const DEFAULT_CONFIRM_TIMEOUT_MS = 5_000;

/** No tenant can have these prefixes: its users would receive what the manager, or a connection that all share, is told. */
const MANAGER_INBOX_PREFIX = '_MANAGER_INBOX';
const SHARED_INBOX_PREFIX = '_SHARED_INBOX';

/** NATS connections, each with one client of nats.js beneath, which never connects again by itself. */
export class NatsDriver extends LinkDriver<NatsConnectOptions, NatsConnection, ScopedNats> {
  protected readonly withCredentials = withCredentials;
  /** A namespace has one connection in a pool, however many leases. */
  readonly isMultiplexed = true;
  readonly #names: NatsNames;
  readonly #managers: PrivilegedLinks<NatsLink> | undefined;
  readonly #confirmTimeoutMs: number;

  /** @throws {InvalidSettingsError} when a format is invalid */
  constructor(options: NatsDriverOptions) {
    const { config, manageConfig, confirmTimeoutMs = DEFAULT_CONFIRM_TIMEOUT_MS } = options;
    super(config);
    this.#names = new NatsNames(options);
    this.#confirmTimeoutMs = confirmTimeoutMs;
    this.#managers =
      manageConfig &&
      new PrivilegedLinks({
        name: 'nats managing',
        maxConnections: 1,
        open: (signal) =>
          NatsLink.open({ connect: manageConfig, inboxPrefix: MANAGER_INBOX_PREFIX, confirmTimeoutMs }, signal),
      });
  }

  protected scopeFor(connection: NatsConnection, owner: TenantNamespace, context: ScopeContext): ScopedNats {
    const link = NatsLink.of(connection);
    return new ScopedNats(new NatsScope(context, link, this.#names.of(owner), this.#managers));
  }

  protected open(connect: NatsConnectOptions, owner: TenantNamespace, signal: AbortSignal): Promise<NatsConnection> {
    const inboxPrefix = owner.namespace === SHARED ? SHARED_INBOX_PREFIX : NatsNames.inboxPrefix(owner);
    return NatsLink.open({ connect, inboxPrefix, confirmTimeoutMs: this.#confirmTimeoutMs }, signal);
  }

  protected isRejectedLogin(error: unknown): boolean {
    return error instanceof AuthorizationError || error instanceof UserAuthenticationExpiredError;
  }
}
