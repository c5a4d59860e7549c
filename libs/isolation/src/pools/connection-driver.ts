import type { Clock } from '@palisade/async';
import type { NamespaceId, TenantId } from '@palisade/domain';

/** What a caller brings instead of the driver's own credentials; its form is the driver's matter. */
export type Credentials = Readonly<Record<string, unknown>>;

/**
 * How connections of one kind are made and ended. Everything that a connection may hold in common with others (name
 * of the server, credentials) is the driver's; who may have one, and when, is not.
 */
export interface ConnectionDriver<C> {
  /** Whether each namespace has a login of its own, so that no connection can serve all of them. Default false. */
  readonly isPerNamespace?: boolean;

  /**
   * How long the backend may keep a connection of a process that was stopped, not ended; undefined when nothing bounds it.
   */
  readonly holdMs?: number | undefined;

  /**
   * Called once, before anything else: from then on the function says whose a namespace is at that moment, and throws when
   * the namespace is not served, with which `connect` rejects that namespace. A driver that is not told takes each namespace for a tenant of its own, by the same name.
   */
  followTenants?(tenantOf: (namespace: NamespaceId) => TenantId): void;

  /**
   * Opens a connection for a namespace. A rejection says that no socket is left open. After `signal` has aborted the
   * promise must settle soon: until it does, the attempt counts as a connection.
   *
   * @throws {NamespaceRejectedError} when the failure concerns this namespace only; anything else is the server's failure
   */
  connect(namespace: NamespaceId, signal: AbortSignal, credentials?: Credentials): Promise<C>;

  /**
   * Removes all that a lease has left on the connection; a rejection has the connection closed. Undefined, or a driver
   * without it, says that nothing has to be removed, and spares the caller the wait.
   */
  reset?(connection: C): Promise<void> | undefined;

  /**
   * Whether the connection may be leased (once it is reset, after a lease): open, in a known state, nothing under way on
   * it. Asked at each lease and each release, so it must be cheap.
   */
  isUsable(connection: C): boolean;

  /** Ends the connection, whatever it is doing. Settles once the socket is closed, which must be soon. */
  close(connection: C): Promise<void>;

  /**
   * Calls `listener` once when the connection ends by itself. Without it that is found at the next lease. What
   * it returns, if anything, is called when nobody has to be told any more.
   */
  onLost?(connection: C, listener: () => void): void | (() => void);

  /**
   * Called once when the app starts, before it takes requests. Rejects when the backend is set up in a way in which
   * namespaces could reach each other's data, which stops the start; resolves to what an operator should be told.
   */
  preflight?(): Promise<readonly string[] | void>;
}

export interface ConnectTarget<C> {
  readonly driver: ConnectionDriver<C>;
  readonly clock: Clock;
  readonly attempt: AbortController;
  readonly namespace: NamespaceId;
  readonly credentials?: Credentials;
}

/**
 * Connects, and aborts the attempt after `timeoutMs`. A connection that is made nevertheless is the caller's; a
 * rejection names the reason of the abort when there was one.
 */
export async function connectWithin<C>(
  timeoutMs: number,
  { driver, clock, attempt, namespace, credentials }: ConnectTarget<C>,
): Promise<C> {
  const timer = clock.setTimer(() => attempt.abort(new Error(`no connection within ${timeoutMs} ms`)), timeoutMs);
  try {
    return await driver.connect(namespace, attempt.signal, credentials);
  } catch (error) {
    throw attempt.signal.aborted ? attempt.signal.reason : error;
  } finally {
    timer.cancel();
  }
}
