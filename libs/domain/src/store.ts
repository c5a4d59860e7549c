import type { BindingStore } from './bindings.js';
import type { DirectoryStore } from './directory/directory-store.js';
import type { ProviderStore } from './directory/providers.js';
import type { LogStore } from './log/log-store.js';
import type { CapStore } from './policy/cap-store.js';
import type { UsageStore } from './policy/usage-store.js';
import type { LeaseStore } from './tenancy/lease-store.js';
import type { OperationsStore } from './tenancy/operations-store.js';
import type { ProxyStore } from './tenancy/proxies.js';
import type { TenantStore } from './tenancy/tenant-store.js';

/** All connections of this process to the store's database, at one moment. */
export interface StoreConnections {
  /** In use by operations. */
  readonly active: number;
  readonly idle: number;
  readonly opening: number;
  readonly closing: number;
  /** The limit, which includes connections that are opening or closing. */
  readonly max: number;
  /** Operations that wait for a connection. */
  readonly waiting: number;
  /** Since the store was opened; they never decrease. */
  readonly totals: {
    /** Operations that got a connection. */
    readonly acquired: number;
    /** How long they waited, together. */
    readonly waitedMs: number;
    /** Operations that gave up waiting. */
    readonly timedOut: number;
    /** Operations that found the queue full. */
    readonly rejected: number;
    /** Operations that found the database unreachable. */
    readonly unavailable: number;
    readonly opened: number;
    /** Attempts to connect that failed. */
    readonly failed: number;
  };
}

/**
 * Called after each operation, successful or not, with the time for which it held its connection. It must neither throw nor
 * take time.
 */
export type OperationListener = (durationMs: number) => void;

/**
 * Everything that the services store, behind one port. The same contract suite runs over every implementation; they differ
 * only in durability and speed.
 */
export abstract class Store {
  abstract readonly directory: DirectoryStore;
  abstract readonly bindings: BindingStore;
  abstract readonly providers: ProviderStore;
  abstract readonly tenants: TenantStore;
  abstract readonly proxies: ProxyStore;
  abstract readonly caps: CapStore;
  abstract readonly usage: UsageStore;
  abstract readonly leases: LeaseStore;
  abstract readonly operations: OperationsStore;
  abstract readonly log: LogStore;

  /** Brings the schema up to date; safe to call from several replicas at once. */
  abstract migrate(): Promise<void>;

  /** @throws {StoreUnavailableError} unless the store is reachable and its schema is the one that this version needs */
  abstract check(): Promise<void>;

  /** The connections to the store's database; undefined for a store that needs none. */
  connections(): StoreConnections | undefined {
    return undefined;
  }

  /** Since when changes have been failing because the database has no disk or memory left; undefined while they work. */
  writesFailingSince(): Date | undefined {
    return undefined;
  }

  /** Calls the listener after each operation from now on; never in a store that needs no connections. */
  onOperationEnded(_listener: OperationListener): void {}

  /**
   * Waits for operations under way until the grace ends, then closes every connection. A later call can shorten the grace.
   *
   * @param graceMs milliseconds, 5,000 by default
   * @returns how many operations were cut off
   */
  abstract close(graceMs?: number): Promise<number>;
}
