import { LinkedList } from '../collections/linked-list.js';
import type { Clock } from '@palisade/async';
import { Capacity } from './capacity.js';
import { earnedInMs, standingAfterGiving, WaitingNamespaces } from './fairness.js';
import { IdleConnections } from './idle-connections.js';
import { type NamespacePool, PooledConnection } from './namespace-pool.js';
import type { OpeningGate } from './opening-gate.js';
import { reservedTotal, type PoolSettings, type PoolTerms } from './pool-settings.js';

/** What to do next for those who wait. */
export type Decision<C> =
  | { readonly kind: 'open'; readonly pool: NamespacePool<C> }
  | { readonly kind: 'evict'; readonly connection: PooledConnection<C>; readonly heir: NamespacePool<C> }
  /** Nothing now; time alone may change that. */
  | { readonly kind: 'wait'; readonly forMs: number }
  /** Nothing until a connection opens, closes or is released. */
  | { readonly kind: 'rest' };

export interface SlotAllocatorOptions<C> {
  readonly settings: PoolSettings;
  readonly clock: Clock;
  readonly gate: OpeningGate;
  readonly onUnused: (connection: PooledConnection<C>) => void;
}

/** When a slot is left over after a fair division, it moves on so often. */
const ROTATION_MS = 1000;

const REST = { kind: 'rest' } as const;

/**
 * Decides who may have the next slot of the cap, and keeps account of the slots. It does no I/O: its caller opens and
 * closes, and tells when that has happened. Every operation takes constant or logarithmic time in the number of
 * namespaces and connections.
 */
export class SlotAllocator<C> {
  readonly #gate: OpeningGate;
  readonly #graceMs: number;
  readonly #capacity: Capacity<C>;
  readonly #idle: IdleConnections<C>;
  readonly #waiting = new WaitingNamespaces<C>();
  /** Connections that are closing for nobody in particular. */
  readonly #unclaimed = new LinkedList<PooledConnection<C>>();
  #opening = 0;
  #closing = 0;
  #nextRotationAtMs = -Infinity;

  constructor({ settings, clock, gate, onUnused }: SlotAllocatorOptions<C>) {
    const { maxTotal, evictionGraceMs, idleTimeoutMs } = settings;
    this.#gate = gate;
    this.#graceMs = evictionGraceMs;
    this.#capacity = new Capacity(maxTotal, reservedTotal(settings));
    this.#idle = new IdleConnections({ clock, evictionGraceMs, idleTimeoutMs, onUnused });
  }

  get hasWaiting(): boolean {
    return this.#waiting.neediest !== undefined;
  }

  /** An idle connection that has to be closed because the cap was lowered, if any. */
  get surplus(): PooledConnection<C> | undefined {
    return this.#excess > 0 ? this.#idle.oldest : undefined;
  }

  get #excess(): number {
    return this.#capacity.excess - this.#closing;
  }

  /** Changes the cap. What is {@link isSurplus} then is the caller's to close. */
  setCap(maxTotal: number): void {
    this.#capacity.resize(maxTotal);
  }

  setIdleTimeout(idleTimeoutMs: number): void {
    this.#idle.setTimeout(idleTimeoutMs);
  }

  /** Changes what applies to a namespace; {@link recount} has to follow. */
  setTerms(pool: NamespacePool<C>, terms: PoolTerms, nowMs: number): void {
    const { reserved } = pool.terms;
    pool.terms = terms;
    if (reserved !== terms.reserved) {
      this.#idle.sort(pool, nowMs);
    }
    this.#resize(pool);
  }

  /** To be called when reservations have changed. */
  recount(reserved: number, pools: Iterable<NamespacePool<C>>): void {
    this.#capacity.recount(reserved, pools);
  }

  /** Whether a connection that is not needed at the moment has to be closed, because less is allowed than was. */
  isSurplus({ pool, hasServed, tenantId }: PooledConnection<C>): boolean {
    const { isPooled, max, reserved } = pool.terms;
    return (
      tenantId !== pool.terms.tenantId ||
      (!isPooled && (hasServed || pool.queue.length === 0)) ||
      pool.held > max ||
      this.#capacity.excessReserved > this.#closing ||
      (this.#excess > 0 && pool.held > reserved)
    );
  }

  /** To be called when a queue, or what a namespace is allowed, has changed. */
  update(pool: NamespacePool<C>): void {
    this.#waiting.update(pool);
  }

  decide(nowMs: number): Decision<C> {
    for (let pool = this.#waiting.neediest; pool !== undefined; pool = this.#waiting.neediest) {
      if (!this.#gate.permits(nowMs, this.#opening)) {
        const forMs = this.#gate.retryInMs(nowMs);
        return forMs > 0 ? { kind: 'wait', forMs } : REST;
      }
      if (pool.mayGrow && this.#capacity.hasRoomFor(pool)) {
        return { kind: 'open', pool };
      }
      const idle = pool.hasIdleInTheWay ? pool.idle.first : undefined;
      if (idle !== undefined) {
        return { kind: 'evict', connection: idle.value, heir: pool };
      }
      const unclaimed = this.#unclaimed.first;
      if (unclaimed === undefined) {
        return this.#decideEviction(pool, nowMs);
      }
      this.#unclaimed.remove(unclaimed);
      this.#promise(unclaimed.value, pool);
    }
    return REST;
  }

  /**
   * The namespace that is to have the slot of a connection that has come free, if any: the neediest other one, when
   * the owner has more than its reservation and would still stand better by weight without the slot. Between equals a
   * slot moves on from time to time. The owner itself, when whoever has waited longest there wants a connection of their
   * own and cannot have a further one.
   */
  heirOf(connection: PooledConnection<C>, nowMs: number): NamespacePool<C> | undefined {
    const owner = connection.pool;
    const heir = this.#waiting.neediest;
    if (!this.#gate.permits(nowMs, this.#opening)) {
      return undefined;
    }
    if (heir !== undefined && heir !== owner && owner.held > owner.terms.reserved) {
      const standing = standingAfterGiving(owner, heir);
      if (standing === 'better' || (standing === 'equal' && this.#mayRotate(connection, heir, nowMs))) {
        return heir;
      }
    }
    return owner.isOwnNext && !(owner.mayGrow && this.#capacity.hasRoomFor(owner)) ? owner : undefined;
  }

  /** Takes a slot for a connection that is about to be opened. */
  begin(pool: NamespacePool<C>, nowMs: number): PooledConnection<C> {
    this.#capacity.take(pool);
    this.#opening++;
    const connection = new PooledConnection(pool, nowMs, pool.attendNext());
    this.#resize(pool);
    return connection;
  }

  lease(connection: PooledConnection<C>): void {
    this.#leave(connection);
    connection.moveTo('leased');
    this.update(connection.pool);
  }

  clean(connection: PooledConnection<C>): void {
    connection.moveTo('resetting');
    this.update(connection.pool);
  }

  park(connection: PooledConnection<C>, nowMs: number): void {
    this.#leave(connection);
    connection.moveTo('idle');
    this.#idle.add(connection, nowMs);
    this.update(connection.pool);
  }

  /** The connection is about to be closed; its slot is free when that is done. */
  close(connection: PooledConnection<C>, heir: NamespacePool<C> | undefined): void {
    const { pool } = connection;
    this.#leave(connection);
    connection.moveTo('closing');
    this.#closing++;
    this.#resize(pool);
    if (heir === undefined) {
      this.#unclaimed.push(connection.place);
    } else {
      this.#promise(connection, heir);
    }
  }

  /**
   * The socket of the connection has closed, or was never opened. Returns the namespace that it was closed for, when
   * that is now to open one.
   */
  end(connection: PooledConnection<C>, nowMs: number): NamespacePool<C> | undefined {
    const { pool, heir } = connection;
    this.#leave(connection);
    connection.moveTo('closed');
    this.#capacity.giveBack(pool);
    this.#resize(pool);
    if (heir === undefined) {
      this.#unclaimed.remove(connection.place);
      return undefined;
    }
    heir.promised--;
    this.#resize(heir);
    const canOpen = heir.wantsConnection && this.#capacity.hasRoomFor(heir) && this.#gate.permits(nowMs, this.#opening);
    return canOpen ? heir : undefined;
  }

  /** Forgets a namespace that has nothing left. */
  forget(pool: NamespacePool<C>): void {
    this.#idle.forget(pool);
  }

  cancel(): void {
    this.#idle.cancel();
  }

  #decideEviction(heir: NamespacePool<C>, nowMs: number): Decision<C> {
    const { connection, inMs } = this.#idle.findEvictable(heir, nowMs);
    if (connection !== undefined) {
      return { kind: 'evict', connection, heir };
    }
    return inMs === undefined ? REST : { kind: 'wait', forMs: inMs };
  }

  #promise(connection: PooledConnection<C>, heir: NamespacePool<C>): void {
    connection.heir = heir;
    heir.promised++;
    this.#resize(heir);
  }

  /** To be called when a namespace has, or is promised, more or fewer slots than before. */
  #resize(pool: NamespacePool<C>): void {
    this.#idle.update(pool);
    this.update(pool);
  }

  #leave(connection: PooledConnection<C>): void {
    if (connection.state === 'opening') {
      this.#opening--;
    } else if (connection.state === 'closing') {
      this.#closing--;
    } else if (connection.state === 'idle') {
      this.#idle.remove(connection);
    }
  }

  /** Whether a slot may go to a namespace that would stand as well as its owner does without it. */
  #mayRotate(connection: PooledConnection<C>, heir: NamespacePool<C>, nowMs: number): boolean {
    const isNeeded = !connection.hasServed && connection.pool.queue.length > 0;
    if (isNeeded || earnedInMs(connection, this.#graceMs, nowMs) > 0) {
      return false;
    }
    if (heir.claims === 0) {
      return true;
    }
    if (nowMs < this.#nextRotationAtMs) {
      return false;
    }
    this.#nextRotationAtMs = nowMs + ROTATION_MS;
    return true;
  }
}
