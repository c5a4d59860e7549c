import type { NamespaceId } from '@palisade/domain';
import type { Credentials } from '../pools/connection-driver.js';
import { NamespaceRejectedError } from '../pools/pool.errors.js';
import type { BackendDriver, ScopeContext, ScopedClient } from './backend-driver.js';
import type { BackendLink } from './backend-link.js';

/** How to connect: the same for all namespaces, or by namespace. */
export type ConfigOf<Config> = Config | ((namespace: NamespaceId) => Config);

/**
 * What the drivers of all backends have in common: a namespace connects with its configuration, or with that and the
 * credentials of a session; and a login that the backend rejects is told from a backend that cannot be reached.
 */
export abstract class ConfiguredDriver<Config extends object, C, S extends ScopedClient> implements BackendDriver<
  C,
  S
> {
  constructor(private readonly config: ConfigOf<Config>) {}

  get isPerNamespace(): boolean {
    return typeof this.config === 'function';
  }

  /**
   * @throws {NamespaceRejectedError} when the login is rejected, unless all namespaces have the same
   * @throws the reason of `signal` when that aborts first
   */
  async connect(namespace: NamespaceId, signal: AbortSignal, credentials?: Credentials): Promise<C> {
    signal.throwIfAborted();
    const { config } = this;
    const isShared = typeof config !== 'function' && credentials === undefined;
    const own = this.configOf(namespace);
    try {
      return await this.open(
        credentials === undefined ? own : this.withCredentials(own, credentials),
        namespace,
        signal,
      );
    } catch (error) {
      signal.throwIfAborted();
      throw !isShared && this.isRejectedLogin(error) ? new NamespaceRejectedError(namespace, { cause: error }) : error;
    }
  }

  protected configOf(namespace: NamespaceId): Config {
    return typeof this.config === 'function' ? this.config(namespace) : this.config;
  }

  /** Connects, as {@link connect} does. */
  protected abstract open(config: Config, namespace: NamespaceId, signal: AbortSignal): Promise<C>;

  /**
   * The configuration with another login, and nothing else changed: a session may not choose its server.
   *
   * @throws {TypeError} when the credentials are of another form
   */
  protected abstract withCredentials(config: Config, credentials: Credentials): Config;

  /** Whether an attempt failed because of who connects, which says nothing about the server. */
  protected abstract isRejectedLogin(error: unknown): boolean;

  abstract isUsable(connection: C): boolean;
  abstract close(connection: C): Promise<void>;
  abstract onLost(connection: C, listener: () => void): void | (() => void);
  abstract scope(connection: C, namespace: NamespaceId, context: ScopeContext): S;
}

/** A driver whose connections are {@link BackendLink}s, on which scoped clients leave nothing that has to be removed. */
export abstract class LinkDriver<
  Config extends object,
  L extends BackendLink,
  S extends ScopedClient,
> extends ConfiguredDriver<Config, L, S> {
  isUsable(link: L): boolean {
    return link.isUsable;
  }

  close(link: L): Promise<void> {
    return link.close();
  }

  onLost(link: L, listener: () => void): () => void {
    return link.onLost(listener);
  }
}
