import type { NamespaceId, TenantId } from '@palisade/domain';
import { Link, LinkedList } from '../collections/linked-list.js';
import { Rank } from '../collections/priority-queue.js';
import { ExpiryLink } from '../collections/expiry.js';
import type { Lease } from './lease.js';
import type { NamespaceRecord } from './namespace-records.js';
import type { Credentials } from './connection-driver.js';
import type { PoolTerms } from './pool-settings.js';
import type { PoolSnapshot } from './pool-snapshot.js';

/**
 * What one namespace, or all that share, has of one backend: its connections, by state, and its queues. It exists while it
 * has either. Some of its connections may be somebody's own: opened for one acquisition, and closed on release.
 */
export class NamespacePool<C> {
  readonly counts: Record<ConnectionState, number> = {
    opening: 0,
    idle: 0,
    leased: 0,
    resetting: 0,
    closing: 0,
    closed: 0,
  };
  /** The one used last is leased first, so that what is not needed grows old. */
  readonly idle = new LinkedList<PooledConnection<C>>();
  readonly queue = new LinkedList<Waiter<C>>();
  /** Those who want a connection of their own, and have none opened for them yet. */
  readonly ownQueue = new LinkedList<Waiter<C>>();
  /** Those who want a connection of their own, also while that opens. */
  ownWaiting = 0;
  /** Connections that are opening for one acquisition alone. */
  ownOpening = 0;

  /** Connections of other namespaces that are being closed for this one. */
  promised = 0;
  /** Whether a connection was made since the last failure: until then one attempt at a time is enough. */
  isEstablished = false;
  /** Whether the backend rejects this namespace, so that the next attempt has to wait. */
  isHeldBack = false;
  /** Counts acquisitions of all namespaces: the lower, the longer it has not been served from its queue. */
  lastServed = 0;

  readonly waitingRank = new Rank<NamespacePool<C>>(this);
  readonly surplusRank = new Rank<NamespacePool<C>>(this);
  /** The first in the queue that has not had a connection opened. */
  #unattended: Link<Waiter<C>> | undefined = undefined;

  constructor(
    readonly name: string,
    readonly namespace: NamespaceId,
    public terms: PoolTerms,
    readonly record: NamespaceRecord,
  ) {}

  /** Connections that it holds, or will in a moment. */
  get held(): number {
    const { opening, idle, leased, resetting } = this.counts;
    return opening + idle + leased + resetting;
  }

  /** Slots of the cap that it takes. */
  get size(): number {
    return this.held + this.counts.closing;
  }

  /** Slots that it has, or that are being made free for it: what fairness compares. */
  get claims(): number {
    return this.held + this.promised;
  }

  get isEmpty(): boolean {
    return this.queued === 0 && this.promised === 0 && this.size === 0;
  }

  get queued(): number {
    return this.queue.length + this.ownWaiting;
  }

  /** How many that wait have no connection on its way to them. */
  get unserved(): number {
    return this.ownQueue.length + Math.max(0, this.#unservedShared) - this.promised;
  }

  /** Whether the maximum leaves room for one more connection. */
  get mayGrow(): boolean {
    return this.size + this.promised < this.terms.max;
  }

  /** Whether who waits longest wants a connection of their own, so that the next slot is theirs. */
  get isOwnNext(): boolean {
    const own = this.ownQueue.first?.value.sinceMs ?? Infinity;
    return this.ownQueue.length > this.promised && own <= (this.queue.first?.value.sinceMs ?? Infinity);
  }

  /** Whether an idle connection has to make way for one that is somebody's own. */
  get hasIdleInTheWay(): boolean {
    return this.ownQueue.length > 0 && this.idle.length > 0;
  }

  /** Whether one more connection would serve somebody and is allowed. */
  get wantsConnection(): boolean {
    return (
      this.unserved > 0 &&
      (this.mayGrow || this.hasIdleInTheWay) &&
      (this.isEstablished || this.counts.opening + this.promised === 0) &&
      !this.isHeldBack
    );
  }

  get #unservedShared(): number {
    return this.queue.length - (this.counts.opening - this.ownOpening) - this.counts.resetting;
  }

  enqueue(waiter: Waiter<C>): void {
    if (waiter.own !== undefined) {
      this.ownQueue.push(waiter.place);
      this.ownWaiting++;
      return;
    }
    this.queue.push(waiter.place);
    this.#unattended ??= waiter.place;
  }

  dequeue(waiter: Waiter<C>): void {
    if (waiter.own !== undefined) {
      this.ownQueue.remove(waiter.place);
      this.ownWaiting--;
      return;
    }
    if (this.#unattended === waiter.place) {
      this.#unattended = waiter.place.next;
    }
    this.queue.remove(waiter.place);
  }

  /** The acquisition that the next connection to be opened is for. */
  attendNext(): Waiter<C> | undefined {
    const own = this.ownQueue.first;
    if (
      own !== undefined &&
      (this.#unservedShared <= 0 || own.value.sinceMs <= (this.#unattended?.value.sinceMs ?? 0))
    ) {
      this.ownQueue.remove(own);
      return own.value;
    }
    const place = this.#unattended ?? this.queue.first;
    if (place === this.#unattended) {
      this.#unattended = place?.next;
    }
    return place?.value;
  }

  snapshot(): PoolSnapshot {
    const { idle, opening, closing, leased, resetting } = this.counts;
    const { name, namespace, record } = this;
    const { max, reserved, weight } = this.terms;
    const active = leased + resetting;
    return {
      name,
      namespace,
      max,
      reserved,
      weight,
      active,
      idle,
      opening,
      closing,
      queued: this.queued,
      failures: record.gate?.failures ?? 0,
      counters: record.counters.snapshot(),
    };
  }
}

/**
 * ```
 * opening   → leased, idle, closing, closed (the attempt failed)
 * idle      → leased, closing
 * leased    → resetting, leased (by the next in the queue), idle, closing
 * resetting → leased, idle, closing
 * closing   → closed
 * ```
 * All but `closed` count against the cap.
 */
export type ConnectionState = 'opening' | 'idle' | 'leased' | 'resetting' | 'closing' | 'closed';

/** A connection that one acquisition has for itself. */
export interface OwnConnection {
  /** Instead of the namespace's. */
  readonly credentials?: Credentials;
  /** Called when it ends by itself while it is leased. */
  readonly onLost?: () => void;
  /** Called when its socket has closed. */
  readonly onClosed?: () => void;
}

/** One slot of the cap in use: a connection of one namespace, from the attempt to open it until its socket has closed. */
export class PooledConnection<C> {
  /** Among the idle connections of its pool, or among those that are closing for nobody in particular. */
  readonly place = new Link<PooledConnection<C>>(this);
  readonly evictionPlace = new ExpiryLink<PooledConnection<C>>(this);
  #state: ConnectionState = 'opening';
  #raw: C | undefined = undefined;

  /** The namespace that is to have the slot once this connection has closed. */
  heir: NamespacePool<C> | undefined = undefined;
  /** Whether it was ever leased. */
  hasServed = false;
  /** Whose the namespace was when this was begun. */
  readonly tenantId: TenantId | undefined;
  openedAtMs = 0;
  expiresAtMs = Infinity;

  constructor(
    readonly pool: NamespacePool<C>,
    readonly startedAtMs: number,
    /** The acquisition that had this connection opened. */
    readonly cause: Waiter<C> | undefined,
  ) {
    this.tenantId = pool.terms.tenantId;
    pool.counts.opening++;
    pool.ownOpening += Number(this.own !== undefined);
  }

  /** Undefined when anybody of the namespace may have it. */
  get own(): OwnConnection | undefined {
    return this.cause?.own;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** Whether it has been opened and not been closed yet. */
  get isOpen(): boolean {
    return this.#state === 'idle' || this.#state === 'leased' || this.#state === 'resetting';
  }

  /** The only way to change state; keeps the pool's counts. */
  moveTo(state: ConnectionState): void {
    const { counts } = this.pool;
    if (this.#state === 'opening') {
      this.pool.ownOpening -= Number(this.own !== undefined);
    }
    counts[this.#state]--;
    counts[state]++;
    this.#state = state;
    this.hasServed ||= state === 'leased';
  }

  get raw(): C {
    if (this.#state === 'opening') {
      throw new Error('a connection was used before it was open');
    }
    return this.#raw as C;
  }

  hold(connection: C, openedAtMs: number, expiresAtMs: number): void {
    this.#raw = connection;
    this.openedAtMs = openedAtMs;
    this.expiresAtMs = expiresAtMs;
  }
}

/** One acquisition that waits in a queue of its namespace. */
export class Waiter<C> {
  readonly place = new Link<Waiter<C>>(this);
  readonly deadline = new ExpiryLink<Waiter<C>>(this);
  readonly promise: Promise<Lease<C>>;
  readonly resolve: (lease: Lease<C>) => void;
  readonly reject: (reason: unknown) => void;
  readonly #signal: AbortSignal | undefined;
  isWaiting = true;
  /** The connection that is opening for it alone. */
  connection: PooledConnection<C> | undefined = undefined;
  #onAbort: (() => void) | undefined = undefined;

  constructor(
    readonly pool: NamespacePool<C>,
    readonly sinceMs: number,
    signal: AbortSignal | undefined,
    /** When it wants a connection of its own. */
    readonly own: OwnConnection | undefined,
  ) {
    const { promise, resolve, reject } = Promise.withResolvers<Lease<C>>();
    this.promise = promise;
    this.resolve = resolve;
    this.reject = reject;
    this.#signal = signal;
  }

  listen(onAbort: () => void): void {
    this.#onAbort = onAbort;
    this.#signal?.addEventListener('abort', onAbort, { once: true });
  }

  unlisten(): void {
    if (this.#onAbort !== undefined) {
      this.#signal?.removeEventListener('abort', this.#onAbort);
      this.#onAbort = undefined;
    }
  }
}
