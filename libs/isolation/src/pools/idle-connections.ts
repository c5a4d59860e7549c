import { PriorityQueue } from '../collections/priority-queue.js';
import type { Clock } from '@palisade/async';
import { Expiry } from '../collections/expiry.js';
import { earnedInMs, standingAfterGiving } from './fairness.js';
import type { NamespacePool, PooledConnection } from './namespace-pool.js';

export interface IdleOptions<C> {
  readonly clock: Clock;
  readonly evictionGraceMs: number;
  readonly idleTimeoutMs: number;
  /** Called for a connection that nobody has used for too long. */
  readonly onUnused: (connection: PooledConnection<C>) => void;
}

/** The connection to give up, or how long until there may be one; neither when only an event can bring one. */
export interface Eviction<C> {
  readonly connection?: PooledConnection<C>;
  readonly inMs?: number;
}

/**
 * The idle connections of all namespaces: leased to their own namespace, the one used last first; given up for another
 * namespace or after a time without use, the one used longest ago first. What a namespace holds within its
 * reservation is never given up.
 */
export class IdleConnections<C> {
  /** Those that may be given up, by the moment since which they are idle. */
  readonly #evictable: Expiry<PooledConnection<C>>;
  /** Namespaces that had an evictable connection; whether they still have one is seen when they come first. */
  readonly #surplus = new PriorityQueue<NamespacePool<C>>(
    (a, b) => (a.claims - 1) * b.terms.weight > (b.claims - 1) * a.terms.weight,
  );
  readonly #graceMs: number;

  constructor({ clock, evictionGraceMs, idleTimeoutMs, onUnused }: IdleOptions<C>) {
    this.#graceMs = evictionGraceMs;
    this.#evictable = new Expiry({ clock, delayMs: idleTimeoutMs, onExpired: onUnused });
  }

  add(connection: PooledConnection<C>, nowMs: number): void {
    connection.pool.idle.push(connection.place);
    this.#offer(connection, nowMs);
  }

  #offer(connection: PooledConnection<C>, nowMs: number): void {
    const { pool } = connection;
    if (pool.held > pool.terms.reserved) {
      this.#evictable.add(connection.evictionPlace, nowMs);
      if (pool.surplusRank.position === -1) {
        this.#surplus.put(pool.surplusRank);
      }
    }
  }

  remove(connection: PooledConnection<C>): void {
    connection.pool.idle.remove(connection.place);
    this.#evictable.remove(connection.evictionPlace);
  }

  /** To be called when a namespace holds, or is promised, more or fewer connections than before. */
  update(pool: NamespacePool<C>): void {
    if (pool.surplusRank.position !== -1) {
      this.#surplus.put(pool.surplusRank);
    }
    if (pool.held <= pool.terms.reserved) {
      for (const connection of pool.idle.values()) {
        this.#evictable.remove(connection.evictionPlace);
      }
    }
  }

  /** To be called when what is reserved for a namespace has changed. */
  sort(pool: NamespacePool<C>, nowMs: number): void {
    for (const connection of pool.idle.values()) {
      this.#evictable.remove(connection.evictionPlace);
      this.#offer(connection, nowMs);
    }
  }

  setTimeout(idleTimeoutMs: number): void {
    this.#evictable.setDelay(idleTimeoutMs);
  }

  /** Forgets a namespace whose pool disappears. */
  forget(pool: NamespacePool<C>): void {
    this.#surplus.remove(pool.surplusRank);
  }

  /**
   * What to give up for a namespace that waits: a connection of the namespace that has most by weight when it would
   * still stand better without it; or as well, when the other has none and the connection has earned its opening; or
   * else one that has been idle longer than the grace.
   */
  findEvictable(heir: NamespacePool<C>, nowMs: number): Eviction<C> {
    const oldest = this.#evictable.first;
    const richest = this.#findRichest();
    if (oldest === undefined || richest === undefined) {
      return {};
    }
    const graceInMs = oldest.sinceMs + this.#graceMs - nowMs;
    const standing = standingAfterGiving(richest.pool, heir);
    if (standing === 'better') {
      return { connection: richest };
    }
    if (graceInMs <= 0) {
      return { connection: oldest.value };
    }
    if (standing === 'equal' && heir.claims === 0) {
      const inMs = earnedInMs(richest, this.#graceMs, nowMs);
      return inMs === 0 ? { connection: richest } : { inMs: Math.min(inMs, graceInMs) };
    }
    return { inMs: graceInMs };
  }

  /** The one that has been idle longest among those that may be given up. */
  get oldest(): PooledConnection<C> | undefined {
    return this.#evictable.first?.value;
  }

  cancel(): void {
    this.#evictable.cancel();
  }

  /** The connection that has been idle longest in the namespace that has most by weight. */
  #findRichest(): PooledConnection<C> | undefined {
    for (let pool = this.#surplus.first; pool !== undefined; pool = this.#surplus.first) {
      const connection = pool.held > pool.terms.reserved ? pool.idle.first?.value : undefined;
      if (connection !== undefined) {
        return connection;
      }
      this.#surplus.remove(pool.surplusRank);
    }
    return undefined;
  }
}
