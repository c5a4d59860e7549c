import type { NamespaceId } from '@palisade/domain';
import type { ConnectionDriver } from '../pools/connection-driver.js';
import { UnknownBackendError } from './backend.errors.js';

/** What a client of one namespace is given for one piece of work. */
export interface ScopeContext {
  /** Aborts when the work has to end: the caller went away, the session ends, the lease is taken back. */
  readonly signal: AbortSignal;

  /**
   * Accounts for memory that the process holds for the namespace (a queued body, buffered rows) until it is disposed of.
   *
   * @throws {MemoryLimitError} when the namespace may not hold so many bytes more
   */
  hold(bytes: number): Disposable;

  /** Adds to what the action record says. */
  countRows(rows: number): void;
}

/**
 * A client that reaches what belongs to one namespace and nothing else, whatever names its caller gives it. It serves one
 * piece of work; disposing of it ends all that the work has begun (subscriptions, consumers, transactions) and leaves the
 * connection as it was.
 */
export type ScopedClient = AsyncDisposable;

/** A driver whose connections are used through clients of one namespace each. */
export interface BackendDriver<C, S extends ScopedClient> extends ConnectionDriver<C> {
  /**
   * Whether one connection serves many at a time. Then a namespace has one connection in a pool, and a lease of the pool is
   * the right to have one piece of work under way on it.
   */
  readonly isMultiplexed?: boolean;

  /**
   * Whether the backend keeps namespaces apart as the driver relies on; to be asked before the service takes its first
   * request, and a rejection has to keep it from starting. Resolves to what an operator should be told nevertheless.
   */
  preflight?(): Promise<readonly string[]>;

  /** A client over a connection that the work has been given. */
  scope(connection: C, namespace: NamespaceId, context: ScopeContext): S;
}

/** A class of drivers, which says what kind of connections a backend has. */
export type DriverClass<C> = abstract new (...args: never[]) => ConnectionDriver<C>;

/** A class of drivers, which says what kind of connections a backend has, and what kind of clients. */
export type BackendDriverClass<C, S extends ScopedClient> = abstract new (...args: never[]) => BackendDriver<C, S>;

/** @throws {UnknownBackendError} when the driver is of another class */
export function requireDriver<C>(
  backend: string,
  driver: ConnectionDriver<unknown>,
  driverClass: DriverClass<C>,
): void {
  if (!(driver instanceof driverClass)) {
    throw new UnknownBackendError(backend, `a driver of class ${driverClass.name}`);
  }
}

/** @throws {UnknownBackendError} when there is no such backend, or its driver is of another class */
export function requireBackend<C, S extends ScopedClient>(
  backend: string,
  drivers: Readonly<Record<string, ConnectionDriver<unknown>>>,
  driverClass: BackendDriverClass<C, S>,
): BackendDriver<C, S> {
  const driver = Object.hasOwn(drivers, backend) ? drivers[backend] : undefined;
  if (driver === undefined) {
    throw new UnknownBackendError(backend, `one of ${Object.keys(drivers).join(', ')}`);
  }
  if (!(driver instanceof driverClass)) {
    throw new UnknownBackendError(backend, `a driver of class ${driverClass.name}`);
  }
  return driver;
}
