import type { NamespaceId } from '@palisade/domain';
import { Alarm } from './alarm.js';
import type { Clock } from '@palisade/async';
import { BackendHealth } from './backend-health.js';
import type { ConnectionDriver } from './connection-driver.js';
import { ConnectionLifecycle, type LifecycleListener } from './connection-lifecycle.js';
import { BackendUnavailableError, NamespaceRejectedError, PoolClosedError } from './pool.errors.js';
import { Lease, type LeaseIssuer } from './lease.js';
import type { NamespacePool, OwnConnection, PooledConnection, Waiter } from './namespace-pool.js';
import { NamespaceRegistry } from './namespace-registry.js';
import type { CounterSet, PoolEvent } from './pool-counters.js';
import { type LiveSettings, type PoolSettings, type PoolTerms, reservedTotal } from './pool-settings.js';
import type { PoolsState } from './pool-snapshot.js';
import { SlotAllocator } from './slot-allocator.js';
import { WaitingRoom } from './waiting-room.js';

export interface PoolEngineOptions<C> {
  readonly name: string;
  readonly driver: ConnectionDriver<C>;
  readonly ownDriver: ConnectionDriver<C>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly settings: PoolSettings;
  /** The cap at this moment. */
  readonly maxTotal: () => number;
  readonly termsOf: (namespace: NamespaceId) => PoolTerms;
  readonly counters: CounterSet;
}

/**
 * Carries connections and waiters from one event to the next: each event ends with serving those who wait, so that
 * nobody ever waits for what could be done already.
 */
export class PoolEngine<C> {
  readonly registry: NamespaceRegistry<C>;
  readonly #name: string;
  readonly #settings: LiveSettings;
  readonly #maxTotal: () => number;
  readonly #clock: Clock;
  readonly #health: BackendHealth<C>;
  readonly #slots: SlotAllocator<C>;
  readonly #lifecycle: ConnectionLifecycle<C>;
  readonly #waitingRoom: WaitingRoom<C>;
  readonly #alarm: Alarm;
  readonly #connections = new Set<PooledConnection<C>>();
  readonly #ended = Promise.withResolvers<void>();
  readonly #issuer: LeaseIssuer<C> = {
    giveBack: (connection: PooledConnection<C>, isUnusable: boolean) => this.#takeBack(connection, isUnusable),
  };
  #state: PoolsState = 'active';
  #served = 0;

  constructor({ name, clock, random, settings, maxTotal, termsOf, counters, ...drivers }: PoolEngineOptions<C>) {
    this.#name = name;
    this.#clock = clock;
    this.#settings = { current: settings };
    this.#maxTotal = maxTotal;
    this.registry = new NamespaceRegistry(name, this.#settings, termsOf, counters);
    const onRetry = (pool: NamespacePool<C>) => this.#retry(pool);
    this.#health = new BackendHealth({ ...settings, name, clock, random, onRetry });
    const onUnused = (connection: PooledConnection<C>) => this.#close(connection, 'reaped');
    this.#slots = new SlotAllocator({ settings, clock, gate: this.#health.gate, onUnused });
    const listener = this.#createListener();
    this.#lifecycle = new ConnectionLifecycle({ ...drivers, clock, random, settings: this.#settings, listener });
    const onRejected = (waiter: Waiter<C>, reason: unknown) => this.#dismiss(waiter, reason);
    this.#waitingRoom = new WaitingRoom({ settings: this.#settings, clock, health: this.#health, onRejected });
    this.#alarm = new Alarm(clock, () => this.#serve(clock.now()));
  }

  get state(): PoolsState {
    return this.#state;
  }

  /** Resolves when the last connection has closed after {@link shutDown}. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Consecutive failures to connect. */
  get failures(): number {
    return this.#health.gate.failures;
  }

  /** The pool of a namespace, made if need be; undefined when there are as many as there may be. */
  poolOf(namespace: NamespaceId): NamespacePool<C> | undefined {
    const pool = this.registry.find(namespace);
    if (pool !== undefined) {
      return pool;
    }
    const created = this.registry.create(namespace);
    if (created !== undefined) {
      this.#health.holdBack(created);
    }
    return created;
  }

  /** Undefined when no connection is idle, or when others of the namespace wait already. */
  leaseIdle(pool: NamespacePool<C>, nowMs: number): Lease<C> | undefined {
    const idle = pool.queue.length === 0 ? this.#findIdle(pool, nowMs) : undefined;
    return idle && this.#lease(idle);
  }

  wait(pool: NamespacePool<C>, nowMs: number, signal?: AbortSignal, own?: OwnConnection): Promise<Lease<C>> {
    const waiter = this.#waitingRoom.enter(pool, nowMs, signal, own);
    if (waiter.isWaiting) {
      this.#slots.update(pool);
      this.#serve(nowMs);
      this.#waitingRoom.admit(waiter);
    }
    return waiter.promise;
  }

  /**
   * `active` → `draining` → `destroyed`, or at once; the last also when nothing is left to drain. Draining rejects those
   * who wait and closes what is not leased; destroying closes the rest.
   */
  shutDown(state: 'draining' | 'destroyed'): void {
    if (this.#state === 'active') {
      this.#state = state;
      this.#rejectWaiting();
    }
    if (state === 'destroyed') {
      this.#state = state;
    }
    for (const connection of this.#connections) {
      if (connection.state === 'idle' || (state === 'destroyed' && connection.isOpen)) {
        this.#close(connection);
      }
    }
    this.#finish();
  }

  /**
   * Changes the settings, and the cap within them. What is beyond what is allowed now is closed as soon as it is not leased.
   */
  reconfigure(settings: PoolSettings): void {
    this.#settings.current = settings;
    this.#slots.setIdleTimeout(settings.idleTimeoutMs);
    this.#waitingRoom.setTimeout(settings.acquireTimeoutMs);
    this.#keepCap();
    this.refresh();
  }

  /** Changes the cap; what is beyond it is closed as soon as it is not leased. */
  resize(): void {
    this.#keepCap();
    this.#closeSurplus();
  }

  /** Closes what is beyond a number of connections, the newest first, leased ones included. */
  closeBeyond(ceiling: number): void {
    const open = [...this.#connections].filter(({ isOpen }) => isOpen);
    const opening = [...this.#connections].filter(({ state }) => state === 'opening');
    if (opening.length > 0 && opening.length + open.length > ceiling) {
      this.#lifecycle.abortAttempts(new Error(`${this.#name}: no more than ${ceiling} connections may be left`));
    }
    for (const connection of open.slice(ceiling)) {
      this.#close(connection, 'discarded');
    }
  }

  /** Asks again what applies to each namespace. */
  refresh(): void {
    const nowMs = this.#clock.now();
    for (const pool of this.registry.values()) {
      this.#slots.setTerms(pool, this.registry.termsOf(pool.namespace), nowMs);
    }
    this.#slots.recount(reservedTotal(this.#settings.current), this.registry.values());
    this.#closeSurplus();
  }

  /** Closes idle connections beyond the cap, the oldest first. */
  #closeExcess(): void {
    for (let surplus = this.#slots.surplus; surplus !== undefined; surplus = this.#slots.surplus) {
      this.#close(surplus);
    }
  }

  #closeSurplus(): void {
    this.#closeExcess();
    for (const pool of this.registry.values()) {
      for (const connection of pool.idle.values()) {
        if (this.#slots.isSurplus(connection)) {
          this.#close(connection);
        }
      }
    }
    this.#serve(this.#clock.now());
  }

  /** An idle connection that may be leased; closes those that may not. */
  #findIdle(pool: NamespacePool<C>, nowMs: number): PooledConnection<C> | undefined {
    for (let place = pool.idle.last; place !== undefined; place = pool.idle.last) {
      const flaw = this.#findFlaw(place.value, nowMs);
      if (flaw === undefined) {
        return place.value;
      }
      this.#close(place.value, flaw);
    }
    return undefined;
  }

  #findFlaw(connection: PooledConnection<C>, nowMs: number): 'expired' | 'discarded' | undefined {
    if (!this.#lifecycle.isUsable(connection)) {
      return 'discarded';
    }
    return nowMs >= connection.expiresAtMs ? 'expired' : undefined;
  }

  #lease(connection: PooledConnection<C>): Lease<C> {
    this.#slots.lease(connection);
    connection.pool.record.counters.add('acquired');
    return new Lease(connection, this.#issuer);
  }

  /** A part of a cap may have ended while the process was stopped; timers are late then. */
  #keepCap(): void {
    this.#slots.setCap(this.#maxTotal());
  }

  /** Keeps the cap, and does whatever can be done now for those who wait. */
  #serve(nowMs: number): void {
    this.#keepCap();
    this.#closeExcess();
    while (this.#slots.hasWaiting) {
      const decision = this.#slots.decide(nowMs);
      switch (decision.kind) {
        case 'open':
          this.#open(decision.pool, nowMs);
          break;
        case 'evict':
          this.#close(decision.connection, 'evicted', decision.heir);
          break;
        case 'wait':
          this.#alarm.set(nowMs, decision.forMs);
          return;
        case 'rest':
          return;
        default:
          decision satisfies never;
      }
    }
  }

  #open(pool: NamespacePool<C>, nowMs: number): void {
    const connection = this.#slots.begin(pool, nowMs);
    if (connection.own !== undefined && connection.cause !== undefined) {
      connection.cause.connection = connection;
    }
    this.#connections.add(connection);
    void this.#lifecycle.open(connection); // never rejects
  }

  #close(connection: PooledConnection<C>, event?: PoolEvent, heir?: NamespacePool<C>): void {
    if (event !== undefined) {
      connection.pool.record.counters.add(event);
    }
    this.#slots.close(connection, heir);
    void this.#lifecycle.close(connection); // never rejects
  }

  /** Takes back what a lease gives; what was closed under its holder stays closed. */
  #takeBack(connection: PooledConnection<C>, isUnusable: boolean): void {
    if (connection.state !== 'leased') {
      return;
    }
    const nowMs = this.#clock.now();
    if (connection.own !== undefined) {
      this.#close(connection);
      this.#serve(nowMs);
      return;
    }
    const flaw = isUnusable ? 'discarded' : this.#findFlaw(connection, nowMs);
    if (flaw !== undefined) {
      this.#close(connection, flaw);
    } else if (this.#state !== 'active' || this.#slots.isSurplus(connection)) {
      this.#close(connection);
    } else if (!this.#handOver(connection, nowMs)) {
      this.#keep(connection, nowMs);
    }
    this.#serve(nowMs);
  }

  /** Whether another namespace was to have the slot; then the connection is being closed for it. */
  #handOver(connection: PooledConnection<C>, nowMs: number): boolean {
    const heir = this.#slots.heirOf(connection, nowMs);
    if (heir !== undefined) {
      this.#close(connection, 'handedOver', heir);
    }
    return heir !== undefined;
  }

  /** Cleans a connection that its namespace keeps, if it needs that. */
  #keep(connection: PooledConnection<C>, nowMs: number): void {
    const cleaning = this.#lifecycle.clean(connection); // never rejects
    if (cleaning === undefined) {
      this.#offer(connection, nowMs);
    } else {
      this.#slots.clean(connection);
    }
  }

  /** Gives a clean connection to whoever of its namespace has waited longest, or lets it be idle. */
  #offer(connection: PooledConnection<C>, nowMs: number): void {
    const { pool } = connection;
    const waiter = this.#waitingRoom.call(pool, nowMs);
    if (waiter === undefined) {
      this.#slots.park(connection, nowMs);
    } else {
      pool.lastServed = ++this.#served;
      waiter.resolve(this.#lease(connection));
    }
  }

  #createListener(): LifecycleListener<C> {
    return {
      onOpened: (connection) => {
        this.#health.succeed(connection.pool);
        connection.pool.record.counters.add('opened');
        if (connection.own === undefined) {
          this.#welcome(connection);
        } else {
          this.#deliver(connection);
        }
      },
      onFailed: (connection, error) => this.#fail(connection, error),
      onClean: (connection) => this.#welcome(connection),
      onUnusable: (connection) => {
        if (connection.state === 'idle' || connection.state === 'resetting') {
          this.#close(connection, 'discarded');
          this.#serve(this.#clock.now());
        } else if (connection.state === 'leased') {
          connection.own?.onLost?.();
        }
      },
      onClosed: (connection) => {
        connection.pool.record.counters.add('closed');
        this.#end(connection);
        connection.own?.onClosed?.();
      },
    };
  }

  /** Puts a connection to use that is new, or clean again. */
  #welcome(connection: PooledConnection<C>): void {
    const nowMs = this.#clock.now();
    if (this.#state !== 'active' || this.#slots.isSurplus(connection)) {
      this.#close(connection);
    } else if (!this.#handOver(connection, nowMs)) {
      this.#offer(connection, nowMs);
    }
    this.#serve(nowMs);
  }

  /** Gives a new connection to the one that it was opened for. */
  #deliver(connection: PooledConnection<C>): void {
    const { cause: waiter, pool } = connection;
    const nowMs = this.#clock.now();
    if (this.#state !== 'active' || waiter?.isWaiting !== true) {
      this.#close(connection);
    } else {
      this.#waitingRoom.serve(waiter, nowMs);
      pool.lastServed = ++this.#served;
      waiter.resolve(this.#lease(connection));
    }
    this.#serve(nowMs);
  }

  #fail(connection: PooledConnection<C>, error: unknown): void {
    const { pool, cause, own, startedAtMs } = connection;
    pool.record.counters.add('failed');
    const isGivenUp = own !== undefined && cause?.isWaiting !== true;
    // Credentials that a caller brings say nothing about others.
    const isOwnFault = own?.credentials !== undefined && error instanceof NamespaceRejectedError;
    const isGone = this.registry.termsOf(pool.namespace).isServed === false;
    if (this.#state === 'active' && !isGivenUp && !isOwnFault && !isGone) {
      this.#health.fail(pool, startedAtMs, error);
    }
    const failure =
      isOwnFault || isGone
        ? new BackendUnavailableError(pool.name, 1, 0, { cause: error })
        : this.#health.findFailure(pool, this.#clock.now());
    if (cause?.isWaiting && failure !== undefined) {
      this.#waitingRoom.reject(cause, 'unavailable', failure);
    }
    this.#end(connection);
  }

  #end(connection: PooledConnection<C>): void {
    const nowMs = this.#clock.now();
    this.#connections.delete(connection);
    this.#keepCap();
    const entitled = this.#slots.end(connection, nowMs);
    if (entitled !== undefined) {
      this.#open(entitled, nowMs);
    } else if (connection.heir !== undefined) {
      this.#settle(connection.heir);
    }
    this.#settle(connection.pool);
    this.#serve(nowMs);
    this.#finish();
  }

  /** Somebody does not wait any more; nor does anybody need the connection that was opening for them alone. */
  #dismiss({ pool, connection }: Waiter<C>, reason: unknown): void {
    if (connection !== undefined) {
      this.#lifecycle.abortAttempt(connection, reason);
    }
    this.#settle(pool);
  }

  /** To be called when what a namespace has or wants has become less. */
  #settle(pool: NamespacePool<C>): void {
    this.#slots.update(pool);
    if (pool.isEmpty && this.registry.find(pool.namespace) === pool) {
      this.#slots.forget(pool);
      this.#health.forget(pool);
      this.registry.retire(pool);
    }
  }

  #retry(pool: NamespacePool<C>): void {
    const nowMs = this.#clock.now();
    this.#slots.update(pool);
    this.#serve(nowMs);
  }

  #rejectWaiting(): void {
    const error = new PoolClosedError(this.#name, this.#state);
    this.#waitingRoom.rejectAll('rejected', error);
    this.#lifecycle.abortAttempts(error);
    this.#slots.cancel();
    this.#alarm.cancel();
  }

  #finish(): void {
    if (this.#state !== 'active' && this.#connections.size === 0) {
      this.#state = 'destroyed';
      this.#ended.resolve();
    }
  }
}
