import type { NamespaceId } from '@palisade/domain';
import type { DriverClass } from '../backends/driver-class.js';
import type { PoolsSnapshot } from '../pools/pool-snapshot.js';
import type { SessionsSnapshot } from '../sessions/session-snapshot.js';
import type { BackendUsage } from '../usage/namespace-usage.js';
import type { IsolationCaller } from './caller.js';
import type { LinkedAbort } from './linked-abort.js';

/** A connection for the time of one piece of work. */
export interface Loan<C> {
  readonly connection: C;
  /** Whether nobody but the caller will ever use it. */
  readonly isOwn?: boolean;
  /** Says that the state of the connection is not known: it will not be used again. */
  markInDoubt(): void;
}

/** What a caller wants a connection to. */
export interface Wanted<C> {
  readonly caller: IsolationCaller;
  readonly backend: string;
  readonly driverClass: DriverClass<C>;
  /** Told to abort when the connection is about to be taken back. */
  readonly abort: LinkedAbort;
}

/** Connections at one moment: those of a namespace, and those of all. */
export interface ConnectionsView {
  of(namespace: NamespaceId): BackendUsage[];
  readonly all: readonly BackendUsage[];
}

/** What all namespaces have together at one moment, with totals of what has happened. */
export interface ConnectionsSnapshot {
  /** Of each backend; none at the level `session`. */
  readonly pools: readonly PoolsSnapshot[];
  /** At the level `session` only. */
  readonly sessions?: SessionsSnapshot;
}

/** Where work gets connections from, by isolation level. */
export interface ConnectionSource {
  /**
   * Checks what can be checked before anything is done for a caller.
   *
   * @throws {SessionRequiredError} {@link IsolationLevelError}
   */
  check(caller: IsolationCaller): void;

  /** Lends a connection for the time of the work. */
  lend<C, T>(wanted: Wanted<C>, work: (loan: Loan<C>) => Promise<T>): Promise<T>;

  view(): ConnectionsView;

  snapshot(): ConnectionsSnapshot;

  /**
   * Leaves this process its part of the caps.
   *
   * @throws {RangeError} when `replicas` is no integer from 1 on
   */
  divideCaps(replicas: number): void;
}
