import { AuthorizationError, UserAuthenticationExpiredError } from '@nats-io/transport-node';
import type { NamespaceId } from '@palisade/domain';
import type { Credentials } from '../../pools/connection-driver.js';
import type { BackendDriver, ScopeContext } from '../backend-driver.js';
import { type NatsConnection, NatsLink } from './nats-link.js';
import { NatsManager } from './nats-manager.js';
import { withCredentials, type NatsConnectOptions } from './nats-options.js';
import { ScopedNats } from './scoped-nats.js';
import { NatsNames, type NatsNameFormats } from './subject-space.js';

export interface NatsDriverOptions extends NatsNameFormats {
  /** How to connect: the same for all namespaces, or by namespace. */
  readonly config: NatsConnectOptions | ((namespace: NamespaceId) => NatsConnectOptions);
  /**
   * How to connect for making streams and consumers: whoever may do that can have them take in and send out any subject, so
   * that those who are restricted to subjects of their own may not. Absent: over the connection of the namespace.
   */
  readonly manageConfig?: NatsConnectOptions;
  /** How long servers may take to confirm a message or a subscription before the connection is given up. Default 5,000. */
  readonly confirmTimeoutMs?: number;
}

const DEFAULT_CONFIRM_TIMEOUT_MS = 5_000;

/** NATS connections, each with one client of nats.js beneath, which never connects again by itself. */
export class NatsDriver implements BackendDriver<NatsConnection, ScopedNats> {
  /** A namespace has one connection in a pool, however many leases. */
  readonly isMultiplexed = true;
  readonly #options: NatsDriverOptions;
  readonly #names: NatsNames;
  readonly #manager: NatsManager | undefined;
  readonly #confirmTimeoutMs: number;
  readonly #namespaceFailures = new WeakSet<object>();

  /** @throws {InvalidSettingsError} when a format is none */
  constructor(options: NatsDriverOptions) {
    const { manageConfig, confirmTimeoutMs = DEFAULT_CONFIRM_TIMEOUT_MS } = options;
    this.#options = options;
    this.#names = new NatsNames(options);
    this.#confirmTimeoutMs = confirmTimeoutMs;
    this.#manager = manageConfig && new NatsManager({ connect: manageConfig, confirmTimeoutMs });
  }

  async connect(namespace: NamespaceId, signal: AbortSignal, credentials?: Credentials): Promise<NatsConnection> {
    const { config } = this.#options;
    const isShared = typeof config !== 'function' && credentials === undefined;
    const own = typeof config === 'function' ? config(namespace) : config;
    const connect = credentials === undefined ? own : withCredentials(own, credentials);
    const inboxPrefix = NatsNames.inboxPrefix(namespace);
    try {
      return await NatsLink.open({ connect, inboxPrefix, confirmTimeoutMs: this.#confirmTimeoutMs }, signal);
    } catch (error) {
      if (!isShared && (error instanceof AuthorizationError || error instanceof UserAuthenticationExpiredError)) {
        this.#namespaceFailures.add(error);
      }
      throw error;
    }
  }

  isUsable(connection: NatsConnection): boolean {
    return NatsLink.of(connection).isOpen;
  }

  close(connection: NatsConnection): Promise<void> {
    return NatsLink.of(connection).close();
  }

  onLost(connection: NatsConnection, listener: () => void): () => void {
    return NatsLink.of(connection).onLost(listener);
  }

  isNamespaceFailure(error: unknown): boolean {
    return typeof error === 'object' && error !== null && this.#namespaceFailures.has(error);
  }

  scope(connection: NatsConnection, namespace: NamespaceId, context: ScopeContext): ScopedNats {
    const link = NatsLink.of(connection);
    return new ScopedNats({ link, names: this.#names.of(namespace), context, manager: this.#manager });
  }
}
