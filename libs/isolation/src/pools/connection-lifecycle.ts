import type { Clock } from '@palisade/async';
import { type ConnectionDriver, connectWithin } from './connection-driver.js';
import type { PoolTimings } from './pool-settings.js';
import type { PooledConnection } from './namespace-pool.js';

/** What becomes of connections; each is told at most one of `onOpened` and `onFailed`, and `onClosed` at the end. */
export interface LifecycleListener<C> {
  onOpened(connection: PooledConnection<C>): void;
  onFailed(connection: PooledConnection<C>, error: unknown): void;
  onClean(connection: PooledConnection<C>): void;
  /** It could not be cleaned, or has ended by itself. */
  onUnusable(connection: PooledConnection<C>): void;
  onClosed(connection: PooledConnection<C>): void;
}

export interface LifecycleOptions<C> {
  readonly driver: ConnectionDriver<C>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly timings: PoolTimings;
  readonly listener: LifecycleListener<C>;
}

/** Lifetimes differ by this much in both directions, so that connections made together do not end together. */
const LIFETIME_JITTER = 0.1;

/** All I/O of pooled connections, with its time limits. Decides nothing. */
export class ConnectionLifecycle<C> {
  readonly #options: LifecycleOptions<C>;
  readonly #attempts = new Set<AbortController>();
  readonly #stopListening = new WeakMap<PooledConnection<C>, () => void>();

  constructor(options: LifecycleOptions<C>) {
    this.#options = options;
  }

  /** Never rejects: the listener is told. */
  async open(connection: PooledConnection<C>): Promise<void> {
    const { driver, clock, listener, timings } = this.#options;
    const attempt = new AbortController();
    this.#attempts.add(attempt);
    let raw: C;
    try {
      const { namespace } = connection.pool;
      raw = await connectWithin(timings.connectTimeoutMs, { driver, clock, attempt, namespace });
    } catch (error) {
      listener.onFailed(connection, error);
      return;
    } finally {
      this.#attempts.delete(attempt);
    }
    if (!driver.isUsable(raw)) {
      await this.#end(raw);
      listener.onFailed(connection, new Error('the connection was not usable when it was new'));
      return;
    }
    this.#hold(connection, raw);
    listener.onOpened(connection);
  }

  /** Has every attempt to connect end soon. */
  abortAttempts(reason: unknown): void {
    for (const attempt of this.#attempts) {
      attempt.abort(reason);
    }
  }

  /** Whether the connection may be leased, as far as is known at once. */
  isUsable(connection: PooledConnection<C>): boolean {
    return this.#options.driver.isUsable(connection.raw);
  }

  /** Cleans a connection. Undefined when it is clean; otherwise never rejects: the listener is told. */
  clean(connection: PooledConnection<C>): Promise<void> | undefined {
    const cleaning = this.#options.driver.reset?.(connection.raw);
    return cleaning && this.#awaitClean(connection, cleaning);
  }

  /** Never rejects: the listener is told. */
  async close(connection: PooledConnection<C>): Promise<void> {
    this.#stopListening.get(connection)?.();
    await this.#end(connection.raw);
    this.#options.listener.onClosed(connection);
  }

  async #awaitClean(connection: PooledConnection<C>, cleaning: Promise<void>): Promise<void> {
    const { clock, timings, listener } = this.#options;
    const timer = clock.setTimer(() => listener.onUnusable(connection), timings.resetTimeoutMs);
    try {
      await cleaning;
    } catch {
      // Whatever the reason, the connection is not clean.
      listener.onUnusable(connection);
      return;
    } finally {
      timer.cancel();
    }
    if (connection.state === 'resetting') {
      listener.onClean(connection);
    }
  }

  async #end(raw: C): Promise<void> {
    try {
      await this.#options.driver.close(raw);
    } catch {
      // Nothing is left that could be done for it.
    }
  }

  #hold(connection: PooledConnection<C>, raw: C): void {
    const { driver, clock, random, timings, listener } = this.#options;
    const nowMs = clock.now();
    const factor = 1 + LIFETIME_JITTER * (2 * random() - 1);
    connection.hold(raw, nowMs, nowMs + timings.maxLifetimeMs * factor);
    const stop = driver.onLost?.(raw, () => listener.onUnusable(connection));
    if (typeof stop === 'function') {
      this.#stopListening.set(connection, stop);
    }
  }
}
