import type { NamespacePool } from './namespace-pool.js';

/**
 * Keeps the hard cap. A slot is taken from the moment when a connection begins to open until its socket has closed,
 * and slots that are reserved for somebody else count as taken too.
 */
export class Capacity<C> {
  /** Slots taken, and slots that are reserved and not taken. */
  #committed: number;

  #maxTotal: number;

  constructor(maxTotal: number, reservedTotal: number) {
    this.#maxTotal = maxTotal;
    this.#committed = reservedTotal;
  }

  /** How many slots are taken beyond the cap, after it was lowered; otherwise not above zero. */
  get excess(): number {
    return this.#committed - this.#maxTotal;
  }

  resize(maxTotal: number): void {
    this.#maxTotal = maxTotal;
  }

  hasRoomFor(pool: NamespacePool<C>): boolean {
    return pool.size < pool.limits.reserved || this.#committed < this.#maxTotal;
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

/**
 * What one of several replicas may take of a cap that holds for all: rounded down, and `least` at least.
 *
 * @throws {RangeError} when `replicas` is no integer from 1 on
 */
export function partOfCap(cap: number, replicas: number, least = 1): number {
  if (!Number.isSafeInteger(replicas) || replicas < 1) {
    throw new RangeError(`replicas: expected an integer of at least 1, found ${replicas}`);
  }
  return Math.max(least, Math.floor(cap / replicas));
}
