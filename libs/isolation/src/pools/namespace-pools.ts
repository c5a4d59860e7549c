import { parseNamespaceId, type NamespaceId } from '@palisade/domain';
import { InvalidSettingsError } from '../invalid-settings.error.js';
import { SYSTEM_CLOCK, type Clock } from '@palisade/async';
import type { ConnectionDriver } from './connection-driver.js';
import { PoolClosedError, PoolExhaustedError } from './pool.errors.js';
import type { Lease } from './lease.js';
import { CounterSet } from './pool-counters.js';
import { PoolEngine } from './pool-engine.js';
import { resolvePoolSettings, type PoolsOptions } from './pool-options.js';
import { reservedTotal, type PoolSettings } from './pool-settings.js';
import type { PoolSnapshot, PoolsSnapshot, PoolsState } from './pool-snapshot.js';

/** The namespace that stands for all when they share one pool. */
const SHARED = parseNamespaceId('shared');

/**
 * The connections to one backend, a pool for each namespace, under one hard cap.
 *
 * A pool appears with the first acquisition of its namespace and disappears when it has neither connections nor
 * waiters; there are `maxNamespaces` at most, beyond which new namespaces are refused. An acquisition gets an idle
 * connection of its namespace, or waits behind those of its namespace that wait already: `maxQueued` may wait, for
 * `acquireTimeoutMs`. A slot of the cap that comes free goes to the neediest namespace; a connection never goes from
 * one namespace to another: it is closed and a new one opened. A connection is also closed when it has been idle for
 * `idleTimeoutMs` (except within a reservation), when it is older than `maxLifetimeMs`, when its state is unknown,
 * and on {@link drain} and {@link destroy}.
 *
 * Pass only namespaces that are authenticated and known: each one takes memory and a place.
 */
export class NamespacePools<C> {
  readonly name: string;
  readonly driver: ConnectionDriver<C>;
  readonly #settings: PoolSettings;
  readonly #isShared: boolean;
  readonly #clock: Clock;
  readonly #counters = new CounterSet();
  readonly #engine: PoolEngine<C>;
  #maxTotal: number;

  /** @throws {InvalidSettingsError} */
  constructor(options: PoolsOptions<C>) {
    const { name, driver, isShared = false, clock = SYSTEM_CLOCK, random = Math.random } = options;
    this.name = name;
    this.driver = driver;
    this.#settings = resolvePoolSettings(options);
    if (isShared && this.#settings.namespaces.size > 0) {
      throw new InvalidSettingsError(['namespaces: expected none, as all share one pool']);
    }
    this.#isShared = isShared;
    this.#maxTotal = this.#settings.maxTotal;
    this.#clock = clock;
    this.#engine = new PoolEngine({ name, driver, clock, random, settings: this.#settings, counters: this.#counters });
  }

  get state(): PoolsState {
    return this.#engine.state;
  }

  /**
   * Leases a connection of a namespace; without waiting when one is idle.
   *
   * @throws {PoolTimeoutError} when none came free in time
   * @throws {PoolExhaustedError} when the queue, or the number of namespaces, is at its bound
   * @throws {BackendUnavailableError} when the backend accepts no connection
   * @throws {PoolClosedError} when the pools are shutting down
   * @throws the reason of `signal` when that aborts first
   */
  acquire(namespace: NamespaceId, signal?: AbortSignal): Promise<Lease<C>> {
    const engine = this.#engine;
    if (engine.state !== 'active') {
      return Promise.reject(new PoolClosedError(this.name, engine.state));
    }
    if (signal?.aborted) {
      return Promise.reject(signal.reason);
    }
    const pool = engine.poolOf(this.#isShared ? SHARED : namespace);
    if (pool === undefined) {
      this.#counters.add('refused');
      return Promise.reject(new PoolExhaustedError(this.name, 'namespaces', this.#settings.maxNamespaces));
    }
    const nowMs = this.#clock.now();
    const lease = engine.leaseIdle(pool, nowMs);
    return lease === undefined ? engine.wait(pool, nowMs, signal) : Promise.resolve(lease);
  }

  /**
   * Changes the hard cap, within what the settings say: from what is reserved, one at least, to `maxTotal`. When it becomes
   * lower, no connection is opened above it any more; those that there are too many are closed as soon as they are not leased.
   *
   * @throws {InvalidSettingsError}
   */
  resize(maxTotal: number): void {
    const { maxTotal: most } = this.#settings;
    const least = Math.max(1, reservedTotal(this.#settings));
    if (!Number.isSafeInteger(maxTotal) || maxTotal < least || maxTotal > most) {
      throw new InvalidSettingsError([`maxTotal: expected an integer from ${least} to ${most}, found ${maxTotal}`]);
    }
    this.#maxTotal = maxTotal;
    this.#engine.resize(maxTotal);
  }

  /** What all namespaces have together. */
  snapshot(): PoolsSnapshot {
    const sum = { active: 0, idle: 0, opening: 0, closing: 0, queued: 0 };
    for (const { counts, queue } of this.#engine.registry.values()) {
      sum.active += counts.leased + counts.resetting;
      sum.idle += counts.idle;
      sum.opening += counts.opening;
      sum.closing += counts.closing;
      sum.queued += queue.length;
    }
    return {
      name: this.name,
      state: this.#engine.state,
      maxTotal: this.#maxTotal,
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
   * Gives no more leases, refuses those who wait, and closes each connection as soon as it is given back. Resolves when
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
}
