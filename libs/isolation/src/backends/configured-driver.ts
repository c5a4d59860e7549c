import type { NamespaceId, TenantId } from '@palisade/domain';
import type { Credentials } from '../pools/connection-driver.js';
import { NamespaceRejectedError } from '../pools/pool.errors.js';
import { ownTenant, type TenantNamespace } from '../tenant-namespace.js';
import type { BackendDriver, ScopeContext, ScopedClient } from './backend-driver.js';
import type { BackendLink } from './backend-link.js';

/** How to connect: the same for all, or by tenant and namespace. */
export type ConfigOf<Config> = Config | ((owner: TenantNamespace) => Config);

/**
 * What the drivers of all backends have in common: a namespace connects with its configuration, or with that and the
 * credentials of a session; and a login that the backend rejects is told from a backend that cannot be reached.
 */
export abstract class ConfiguredDriver<Config extends object, C, S extends ScopedClient> implements BackendDriver<
  C,
  S
> {
  #tenantOf: (namespace: NamespaceId) => TenantId = ownTenant;

  constructor(private readonly config: ConfigOf<Config>) {}

  followTenants(tenantOf: (namespace: NamespaceId) => TenantId): void {
    this.#tenantOf = tenantOf;
  }

  get isPerNamespace(): boolean {
    return typeof this.config === 'function';
  }

  /**
   * @throws {NamespaceRejectedError} when the login is rejected, unless all namespaces have the same; or when the policy
   *   does not have the namespace any more
   * @throws the reason of `signal` when that aborts first
   */
  async connect(namespace: NamespaceId, signal: AbortSignal, credentials?: Credentials): Promise<C> {
    signal.throwIfAborted();
    const { config } = this;
    const isShared = typeof config !== 'function' && credentials === undefined;
    const owner = this.findOwner(namespace);
    const own = this.configOf(owner);
    try {
      return await this.open(credentials === undefined ? own : this.withCredentials(own, credentials), owner, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw !isShared && this.isRejectedLogin(error) ? new NamespaceRejectedError(namespace, { cause: error }) : error;
    }
  }

  scope(connection: C, namespace: NamespaceId, context: ScopeContext): S {
    return this.scopeFor(connection, this.ownerOf(namespace), context);
  }

  protected configOf(owner: TenantNamespace): Config {
    return typeof this.config === 'function' ? this.config(owner) : this.config;
  }

  protected ownerOf(namespace: NamespaceId): TenantNamespace {
    return { tenantId: this.#tenantOf(namespace), namespace };
  }

  private findOwner(namespace: NamespaceId): TenantNamespace {
    try {
      return this.ownerOf(namespace);
    } catch (error) {
      throw new NamespaceRejectedError(namespace, { cause: error });
    }
  }

  /** Connects, as {@link connect} does. */
  protected abstract open(config: Config, owner: TenantNamespace, signal: AbortSignal): Promise<C>;

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

  /** A client of the namespace, as {@link scope} gives. */
  protected abstract scopeFor(connection: C, owner: TenantNamespace, context: ScopeContext): S;
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
