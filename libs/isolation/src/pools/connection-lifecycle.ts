import type { Clock } from '@palisade/async';
import { type ConnectionDriver, connectWithin } from './connection-driver.js';
import type { LiveSettings } from './pool-settings.js';
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
  /** For connections that are somebody's own. */
  readonly ownDriver: ConnectionDriver<C>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly settings: LiveSettings;
  readonly listener: LifecycleListener<C>;
}

/** Lifetimes differ by this much in both directions, so that connections made together do not end together. */
const LIFETIME_JITTER = 0.1;

/** All I/O of pooled connections, with its time limits. Decides nothing. */
export class ConnectionLifecycle<C> {
  readonly #options: LifecycleOptions<C>;
  readonly #attempts = new Map<PooledConnection<C>, AbortController>();
  readonly #stopListening = new WeakMap<PooledConnection<C>, () => void>();

  constructor(options: LifecycleOptions<C>) {
    this.#options = options;
  }

  /** Never rejects: the listener is told. */
  async open(connection: PooledConnection<C>): Promise<void> {
    const { clock, listener, settings } = this.#options;
    const driver = this.#driverOf(connection);
    const attempt = new AbortController();
    this.#attempts.set(connection, attempt);
    let raw: C;
    try {
      const { namespace } = connection.pool;
      const credentials = connection.own?.credentials;
      raw = await connectWithin(settings.current.connectTimeoutMs, { driver, clock, attempt, namespace, credentials });
    } catch (error) {
      listener.onFailed(connection, error);
      return;
    } finally {
      this.#attempts.delete(connection);
    }
    if (!driver.isUsable(raw)) {
      await this.#end(connection, raw);
      listener.onFailed(connection, new Error('the connection was not usable when it was new'));
      return;
    }
    this.#hold(connection, raw);
    listener.onOpened(connection);
  }

  /** Has every attempt to connect end soon. */
  abortAttempts(reason: unknown): void {
    for (const attempt of this.#attempts.values()) {
      attempt.abort(reason);
    }
  }

  /** Has the attempt to open a connection end soon; does nothing when it has ended. */
  abortAttempt(connection: PooledConnection<C>, reason: unknown): void {
    this.#attempts.get(connection)?.abort(reason);
  }

  /** Whether the connection may be leased, as far as is known at once. */
  isUsable(connection: PooledConnection<C>): boolean {
    return this.#driverOf(connection).isUsable(connection.raw);
  }

  /** Cleans a connection. Undefined when it is clean; otherwise never rejects: the listener is told. */
  clean(connection: PooledConnection<C>): Promise<void> | undefined {
    const cleaning = this.#options.driver.reset?.(connection.raw);
    return cleaning && this.#awaitClean(connection, cleaning);
  }

  /** Never rejects: the listener is told. */
  async close(connection: PooledConnection<C>): Promise<void> {
    this.#stopListening.get(connection)?.();
    await this.#end(connection, connection.raw);
    this.#options.listener.onClosed(connection);
  }

  async #awaitClean(connection: PooledConnection<C>, cleaning: Promise<void>): Promise<void> {
    const { clock, settings, listener } = this.#options;
    const timer = clock.setTimer(() => listener.onUnusable(connection), settings.current.resetTimeoutMs);
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

  #driverOf({ own }: PooledConnection<C>): ConnectionDriver<C> {
    return own === undefined ? this.#options.driver : this.#options.ownDriver;
  }

  async #end(connection: PooledConnection<C>, raw: C): Promise<void> {
    try {
      await this.#driverOf(connection).close(raw);
    } catch {
      // Nothing is left that could be done for it.
    }
  }

  #hold(connection: PooledConnection<C>, raw: C): void {
    const { clock, random, settings, listener } = this.#options;
    const nowMs = clock.now();
    const factor = 1 + LIFETIME_JITTER * (2 * random() - 1);
    connection.hold(raw, nowMs, nowMs + settings.current.maxLifetimeMs * factor);
    const stop = this.#driverOf(connection).onLost?.(raw, () => listener.onUnusable(connection));
    if (typeof stop === 'function') {
      this.#stopListening.set(connection, stop);
    }
  }
}
