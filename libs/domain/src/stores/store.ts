import type { ActionStore } from './action-store.js';
import type { AuditStore } from './audit-store.js';
import type { BindingStore } from './binding-store.js';
import type { DirectoryStore } from './directory-store.js';
import type { LeaseStore } from './lease-store.js';
import type { OperationsStore } from './operations-store.js';
import type { ProviderStore } from './provider-store.js';
import type { ProxyStore } from './proxy-store.js';
import type { OperationListener, StoreConnections } from './store-connections.js';
import type { TenantStore } from './tenant-store.js';

/**
 * All that the services keep, behind one port: the same contract suite runs over every implementation, and which one
 * is used shows in nothing but durability and speed.
 */
export abstract class Store {
  abstract readonly directory: DirectoryStore;
  abstract readonly bindings: BindingStore;
  abstract readonly providers: ProviderStore;
  abstract readonly audit: AuditStore;
  abstract readonly tenants: TenantStore;
  abstract readonly proxies: ProxyStore;
  abstract readonly leases: LeaseStore;
  abstract readonly operations: OperationsStore;
  abstract readonly actions: ActionStore;

  /** Brings the schema up to date; safe to call from several replicas at once. */
  abstract migrate(): Promise<void>;

  /** @throws {StoreUnavailableError} unless the store is reachable and its schema is the one that this version needs */
  abstract check(): Promise<void>;

  /** What it has of connections to its database; undefined when it needs none. */
  connections(): StoreConnections | undefined {
    return undefined;
  }

  /** Has the listener told of operations from now on; those of a store that needs no connections are not told. */
  onOperationEnded(_listener: OperationListener): void {}

  /** Waits for operations under way, then lets go of every connection. */
  abstract close(): Promise<void>;
}
