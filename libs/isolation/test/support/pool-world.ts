import { expect } from '@jest/globals';
import { parseNamespaceId, type NamespaceId } from '@palisade/domain';
import type { Lease } from '../../src/pools/lease.js';
import { NamespacePools } from '../../src/pools/namespace-pools.js';
import { limitsOf, type PoolSettingsInput } from '../../src/pools/pool-settings.js';
import type { Credentials } from '../../src/pools/connection-driver.js';
import type { PoolsOptions } from '../../src/pools/pool-options.js';
import type { PoolCounters } from '../../src/pools/pool-counters.js';
import { FakeDriver, type FakeConnection, type FakeDriverOptions } from './fake-driver.js';
import { VirtualClock } from './virtual-clock.js';

export const NAMESPACES = ['red', 'green', 'blue'].map(parseNamespaceId);

export type WorldOptions = Omit<PoolsOptions<FakeConnection>, 'name' | 'driver' | 'clock'> &
  Omit<FakeDriverOptions, 'clock'>;

/** One call of `acquire`, and what became of it. */
export interface Acquisition {
  readonly namespace: NamespaceId;
  readonly order: number;
  readonly controller: AbortController;
  /** Whether the connection is to be nobody else's, ever. */
  readonly isOwn: boolean;
  readonly credentials?: Credentials;
  state: 'pending' | 'leased' | 'failed' | 'released';
  lease?: Lease<FakeConnection>;
  error?: unknown;
}

/** Pools over a fake driver under a virtual clock, everything that was acquired from them, and what must always hold. */
export class PoolWorld {
  readonly clock = new VirtualClock();
  readonly driver: FakeDriver;
  readonly pools: NamespacePools<FakeConnection>;
  readonly acquisitions: Acquisition[] = [];
  /** Broken rules that were seen while something happened; they must be none. */
  readonly violations: string[] = [];
  granted = 0;
  /** Namespaces that share no connections at the moment. */
  readonly unpooled = new Set<NamespaceId>();
  /** What the pools were told last. */
  settings: PoolSettingsInput;
  readonly #owned = new Set<FakeConnection>();
  readonly #granted = new Set<FakeConnection>();
  #counters: PoolCounters;

  constructor(readonly options: WorldOptions) {
    this.settings = options;
    this.driver = new FakeDriver({ ...options, clock: this.clock });
    this.pools = new NamespacePools({
      random: () => 0.5,
      termsOf: (namespace) => ({
        ...limitsOf(this.settings, namespace),
        isPooled: !this.unpooled.has(namespace),
      }),
      ...options,
      name: 'fake',
      driver: this.driver,
      clock: this.clock,
    });
    this.#counters = this.pools.snapshot().counters;
    this.driver.onConnect = (namespace) => {
      if (this.driver.total > this.pools.maxTotal) {
        this.violations.push(`${namespace} opens a connection beyond the cap`);
      }
      if (this.#socketsOf(namespace) > limitsOf(this.settings, namespace).max) {
        this.violations.push(`${namespace} opens a connection beyond its maximum`);
      }
    };
  }

  in(state: Acquisition['state']): Acquisition[] {
    return this.acquisitions.filter((acquisition) => acquisition.state === state);
  }

  acquire(namespace: NamespaceId): Acquisition {
    return this.#acquire({ namespace, isOwn: false });
  }

  acquireOwn(namespace: NamespaceId, credentials?: Credentials): Acquisition {
    return this.#acquire({ namespace, isOwn: true, ...(credentials && { credentials }) });
  }

  reconfigure(settings: PoolSettingsInput): void {
    this.settings = settings;
    this.pools.reconfigure(settings);
  }

  #acquire(wanted: Pick<Acquisition, 'namespace' | 'isOwn' | 'credentials'>): Acquisition {
    const controller = new AbortController();
    const order = this.acquisitions.length;
    const acquisition: Acquisition = { ...wanted, order, controller, state: 'pending' };
    this.acquisitions.push(acquisition);
    const { namespace, isOwn, credentials } = wanted;
    const { signal } = controller;
    const leasing = isOwn
      ? this.pools.acquireOwn(namespace, { signal, ...(credentials && { credentials }) })
      : this.pools.acquire(namespace, signal);
    void leasing.then(
      (lease) => this.#grant(acquisition, lease),
      (error: unknown) => Object.assign(acquisition, { state: 'failed', error }),
    );
    return acquisition;
  }

  release(acquisition: Acquisition, { isUnusable = false } = {}): void {
    acquisition.state = 'released';
    if (isUnusable) {
      acquisition.lease?.markUnusable();
    }
    acquisition.lease?.release();
  }

  /** The cap nearest to a number that there may be. */
  withinCaps(cap: number): number {
    return Math.min(this.settings.maxTotal, Math.max(1, this.#reservedForAll, cap));
  }

  /** Checks all that must hold at any moment. */
  check(): void {
    expect(this.violations).toEqual([]);
    const snapshot = this.pools.snapshot();
    const { active, idle, opening, closing, queued, counters } = snapshot;
    expect(active + idle + opening + closing).toBe(this.driver.total);
    expect(queued).toBe(this.in('pending').length);
    for (const pool of this.pools.snapshots()) {
      const sockets = this.#socketsOf(pool.namespace);
      expect(pool).toMatchObject(limitsOf(this.settings, pool.namespace));
      expect(this.unpooled.has(pool.namespace) ? pool.idle : 0).toBe(0);
      expect(pool.idle > 0 ? pool.active + pool.idle + pool.opening : 0).toBeLessThanOrEqual(pool.max);
      expect(pool.active + pool.idle + pool.opening + pool.closing).toBe(sockets);
    }
    for (const [name, count] of Object.entries(counters)) {
      expect([name, count]).toEqual([name, Math.max(count, this.#counters[name as keyof PoolCounters])]);
    }
    this.#checkNothingIsIdleBeyondCap();
    expect(counters.acquired).toBe(this.granted);
    this.#counters = counters;
    this.#checkNobodyWaitsInVain();
  }

  /** Whether connections can be made, and none is being made, cleaned or closed. */
  get isQuiet(): boolean {
    const { opening, closing, failures, state } = this.pools.snapshot();
    const isCleaning = this.pools.snapshot().active > this.in('leased').length;
    return state === 'active' && opening + closing + failures === 0 && !isCleaning && this.driver.failure === undefined;
  }

  #grant(acquisition: Acquisition, lease: Lease<FakeConnection>): void {
    const { connection } = lease;
    const { namespace, order } = acquisition;
    this.granted++;
    const isOvertaking = this.in('pending').some(
      (other) => other.namespace === namespace && other.order < order && other.isOwn === acquisition.isOwn,
    );
    const isShared = this.in('leased').some((other) => other.lease?.connection === connection);
    const flaws = {
      'overtakes others of its namespace': isOvertaking,
      'has a connection that somebody else has': isShared,
      'has a connection that was or is to be somebody else’s alone':
        this.#owned.has(connection) || (acquisition.isOwn && this.#granted.has(connection)),
      'has a connection with other credentials': connection.credentials !== acquisition.credentials,
      'has a connection of another namespace': connection.namespace !== namespace,
      'has a connection that is closed or broken': connection.isClosed || connection.isBroken,
      'has a connection that is not clean': connection.isDirty,
    };
    for (const [flaw, isPresent] of Object.entries(flaws)) {
      if (isPresent) {
        this.violations.push(`acquisition ${order} ${flaw}`);
      }
    }
    this.#granted.add(connection);
    if (acquisition.isOwn) {
      this.#owned.add(connection);
    }
    connection.isDirty = this.options.resetMs !== undefined;
    Object.assign(acquisition, { state: 'leased', lease });
  }

  #checkNobodyWaitsInVain(): void {
    if (!this.isQuiet) {
      return;
    }
    const pools = [...this.pools.snapshots()];
    const { maxTotal } = this.pools.snapshot();
    for (const pool of pools) {
      const held = pool.active + pool.idle;
      if (pool.queued === 0 || held >= pool.max || pool.failures > 0) {
        continue;
      }
      // Others may hold what has been reserved since they got it.
      const isReserved = held < pool.reserved && this.driver.total < maxTotal;
      expect({ ...pool, isReserved }).toEqual({ ...pool, isReserved: false });
      expect(this.driver.total + this.#reservedForOthers(pool.namespace)).toBeGreaterThanOrEqual(maxTotal);
      // Nobody who has more keeps a connection idle.
      const hoarders = pools.filter(
        (other) =>
          other.idle > 0 &&
          other.active + other.idle > other.reserved &&
          (other.active + other.idle - 1) * pool.weight > held * other.weight,
      );
      expect(hoarders).toEqual([]);
    }
  }

  /** Only what is leased, opening or reserved can be more than the cap, after that was lowered. */
  #checkNothingIsIdleBeyondCap(): void {
    const { maxTotal, closing } = this.pools.snapshot();
    const committed = NAMESPACES.reduce(
      (sum, each) => sum + Math.max(this.#socketsOf(each), this.#reservedFor(each)),
      0,
    );
    const hoarders = [...this.pools.snapshots()].filter(
      ({ idle, active, opening, reserved }) => idle > 0 && active + idle + opening > reserved,
    );
    expect(committed - closing > maxTotal ? hoarders : []).toEqual([]);
  }

  #socketsOf(namespace: NamespaceId): number {
    return this.driver.sockets.get(namespace) ?? 0;
  }

  #reservedFor(namespace: NamespaceId): number {
    return this.settings.namespaces?.get(namespace)?.reserved ?? 0;
  }

  get #reservedForAll(): number {
    return NAMESPACES.reduce((sum, namespace) => sum + this.#reservedFor(namespace), 0);
  }

  #reservedForOthers(namespace: NamespaceId): number {
    return NAMESPACES.filter((other) => other !== namespace).reduce(
      (sum, other) => sum + Math.max(0, this.#reservedFor(other) - this.#socketsOf(other)),
      0,
    );
  }
}
