import type { NamespacePool } from './namespace-pool.js';

/**
 * Keeps the hard cap. A slot is taken from the moment when a connection begins to open until its socket has closed,
 * and slots that are reserved for somebody else count as taken too.
 */
export class Capacity<C> {
  /** Slots taken, and slots that are reserved and not taken. */
  #committed: number;

  constructor(
    private readonly maxTotal: number,
    reservedTotal: number,
  ) {
    this.#committed = reservedTotal;
  }

  hasRoomFor(pool: NamespacePool<C>): boolean {
    return pool.size < pool.limits.reserved || this.#committed < this.maxTotal;
  }

  /** To be called before the connection counts in its pool. */
  take(pool: NamespacePool<C>): void {
    if (pool.size >= pool.limits.reserved) {
      this.#committed++;
    }
  }

  /** To be called when the connection no longer counts in its pool. */
  giveBack(pool: NamespacePool<C>): void {
    if (pool.size >= pool.limits.reserved) {
      this.#committed--;
    }
  }
}
