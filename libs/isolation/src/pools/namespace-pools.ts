import type { NamespaceId } from '@palisade/domain';
import { InvalidSettingsError } from '../invalid-settings.error.js';
import { SYSTEM_CLOCK, type Clock } from '@palisade/async';
import type { ConnectionDriver } from './connection-driver.js';
import { PoolClosedError, PoolExhaustedError } from './pool.errors.js';
import type { Lease } from './lease.js';
import { MultiplexingDriver } from './multiplexing-driver.js';
import type { NamespacePool, OwnConnection } from './namespace-pool.js';
import { CounterSet } from './pool-counters.js';
import { PoolEngine } from './pool-engine.js';
import { resolvePoolSettings, type PoolsOptions } from './pool-options.js';
import { limitsOf, type PoolSettings, type PoolSettingsInput, type PoolTerms, SHARED } from './pool-settings.js';
import type { PoolSnapshot, PoolsSnapshot, PoolsState } from './pool-snapshot.js';

export interface AcquireOwnOptions extends OwnConnection {
  readonly signal?: AbortSignal;
}

/**
 * The connections to one backend under one hard cap: a pool for each namespace, and one for all that share ({@link SHARED}).
 *
 * A pool appears with the first acquisition of its namespace and disappears when it has neither connections nor
 * waiters; there are `maxNamespaces` at most, beyond which new namespaces are rejected. An acquisition gets an idle
 * connection of its namespace, or waits behind those of its namespace that wait already: `maxQueued` may wait, for
 * `acquireTimeoutMs`. One that wants a connection of its own ({@link acquireOwn}) waits for a slot in the same way. A slot
 * of the cap that comes free goes to the neediest pool; a connection never goes from one namespace to another: it is
 * closed and a new one opened. A connection is also closed when it has been idle for `idleTimeoutMs` (except within a
 * reservation), when it is older than `maxLifetimeMs`, when its state is unknown, when less is allowed than was
 * ({@link reconfigure}, {@link refresh}, {@link resize}), and on {@link drain} and {@link destroy}.
 *
 * The pool that all share counts as one namespace beside the others, of weight 1, however many share it: who is not
 * separated from others shares one fair part with them. Settings may give it another weight, or a reservation.
 *
 * Pass only namespaces that are authenticated and known: each one takes memory and a place.
 */
export class NamespacePools<C> {
  readonly name: string;
  readonly driver: ConnectionDriver<C>;
  #settings: PoolSettings;
  /** This process's part of a cap that holds for several. */
  #part: () => number = () => Infinity;
  readonly #isShared: boolean;
  readonly #clock: Clock;
  readonly #counters = new CounterSet();
  readonly #engine: PoolEngine<C>;

  /** @throws {InvalidSettingsError} */
  constructor(options: PoolsOptions<C>) {
    const {
      name,
      driver,
      isMultiplexed = false,
      isShared = false,
      clock = SYSTEM_CLOCK,
      random = Math.random,
    } = options;
    this.name = name;
    this.driver = driver;
    this.#settings = resolvePoolSettings(options);
    if (isShared && this.#settings.namespaces.size > 0) {
      throw new InvalidSettingsError(['namespaces: expected none, as all share one pool']);
    }
    this.#isShared = isShared;
    this.#clock = clock;
    const { termsOf = (namespace): PoolTerms => ({ ...limitsOf(this.#settings, namespace), isPooled: true }) } =
      options;
    const counters = this.#counters;
    this.#engine = new PoolEngine({
      name,
      driver: isMultiplexed ? new MultiplexingDriver(driver, (namespace) => termsOf(namespace).tenantId) : driver,
      ownDriver: driver,
      clock,
      random,
      settings: this.#settings,
      maxTotal: () => this.maxTotal,
      termsOf,
      counters,
    });
  }

  get state(): PoolsState {
    return this.#engine.state;
  }

  /**
   * Leases a connection of a namespace, or one of those that all share ({@link SHARED}); without waiting when one is idle.
   *
   * @throws {PoolTimeoutError} when none came free in time
   * @throws {PoolExhaustedError} when the queue, or the number of namespaces, is at its bound
   * @throws {BackendUnavailableError} when the backend accepts no connection
   * @throws {PoolClosedError} when the pools are shutting down
   * @throws the reason of `signal` when that aborts first
   */
  acquire(namespace: NamespaceId, signal?: AbortSignal): Promise<Lease<C>> {
    let pool: NamespacePool<C>;
    try {
      pool = this.#poolOf(this.#isShared ? SHARED : namespace, signal);
    } catch (error) {
      return Promise.reject(error);
    }
    const nowMs = this.#clock.now();
    const lease = this.#engine.leaseIdle(pool, nowMs);
    return lease === undefined ? this.#engine.wait(pool, nowMs, signal) : Promise.resolve(lease);
  }

  /**
   * Leases a connection that is opened for this lease, that nobody else ever has, and that is closed on release. It counts
   * among the connections of its namespace, and waits for a slot like any other.
   *
   * @throws as {@link acquire} does
   */
  async acquireOwn(namespace: NamespaceId, { signal, ...own }: AcquireOwnOptions = {}): Promise<Lease<C>> {
    return this.#engine.wait(this.#poolOf(namespace, signal), this.#clock.now(), signal, own);
  }

  /**
   * Leaves this process its part of the hard cap, from 0 on; more than the cap of the settings is the whole of it. When it
   * becomes lower, no connection is opened above it any more; those that there are too many are closed as soon as they are
   * not leased. It may be lower than what is reserved.
   *
   * @param part the number, or what tells it: asked before each connection is opened
   * @throws {RangeError} when it is no number of connections
   */
  resize(part: number | (() => number)): void {
    const connections = typeof part === 'function' ? part() : part;
    if (!Number.isSafeInteger(connections) || connections < 0) {
      throw new RangeError(`expected a number of connections, found ${connections}`);
    }
    this.#part = typeof part === 'function' ? part : () => part;
    this.#engine.resize();
  }

  /** Closes what is beyond a number of connections at once, the newest first, whatever they are doing. */
  closeBeyond(ceiling: number): void {
    this.#engine.closeBeyond(ceiling);
  }

  /**
   * Puts other settings in the place of those in force, also for connections and waiters that there are.
   *
   * @throws {InvalidSettingsError}
   */
  reconfigure(settings: PoolSettingsInput): void {
    this.#settings = resolvePoolSettings(settings);
    this.#engine.reconfigure(this.#settings);
  }

  /** Asks `termsOf` again for each namespace that has connections or waiters. */
  refresh(): void {
    this.#engine.refresh();
  }

  /** Connections that may exist at once: this process's part of the cap. */
  get maxTotal(): number {
    return Math.min(this.#part(), this.#settings.maxTotal);
  }

  /** What all namespaces have together. */
  snapshot(): PoolsSnapshot {
    const sum = { active: 0, idle: 0, opening: 0, closing: 0, queued: 0 };
    for (const { counts, queued } of this.#engine.registry.values()) {
      sum.active += counts.leased + counts.resetting;
      sum.idle += counts.idle;
      sum.opening += counts.opening;
      sum.closing += counts.closing;
      sum.queued += queued;
    }
    return {
      name: this.name,
      state: this.#engine.state,
      maxTotal: this.maxTotal,
      ...sum,
      namespaces: this.#engine.registry.size,
      failures: this.#engine.failures,
      counters: this.#counters.snapshot(),
    };
  }

  /** What one namespace has; undefined while it has nothing. */
  find(namespace: NamespaceId): PoolSnapshot | undefined {
    return this.#engine.registry.find(this.#isShared ? SHARED : namespace)?.snapshot();
  }

  /** What each namespace has that has anything. */
  *snapshots(): Generator<PoolSnapshot, void> {
    for (const pool of this.#engine.registry.values()) {
      yield pool.snapshot();
    }
  }

  /**
   * Gives no more leases, rejects those who wait, and closes each connection as soon as it is given back. Resolves when
   * all are closed; what is still leased after the deadline is destroyed.
   */
  async drain(deadlineMs: number): Promise<void> {
    this.#engine.shutDown('draining');
    const timer = this.#clock.setTimer(() => this.#engine.shutDown('destroyed'), deadlineMs);
    await this.#engine.ended;
    timer.cancel();
  }

  /** Closes every connection now, leased ones included. Resolves when all are closed. */
  async destroy(): Promise<void> {
    this.#engine.shutDown('destroyed');
    await this.#engine.ended;
  }

  #poolOf(namespace: NamespaceId, signal: AbortSignal | undefined): NamespacePool<C> {
    const engine = this.#engine;
    if (engine.state !== 'active') {
      throw new PoolClosedError(this.name, engine.state);
    }
    signal?.throwIfAborted();
    const pool = engine.poolOf(namespace);
    if (pool === undefined) {
      this.#counters.add('rejected');
      throw new PoolExhaustedError(this.name, 'namespaces', this.#settings.maxNamespaces);
    }
    return pool;
  }
}
