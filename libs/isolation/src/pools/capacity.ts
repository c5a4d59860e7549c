import type { NamespacePool } from './namespace-pool.js';

/**
 * Keeps the hard cap. A slot is taken from the moment when a connection begins to open until its socket has closed,
 * and slots that are reserved for somebody else count as taken too.
 */
export class Capacity<C> {
  /** Slots taken, and slots that are reserved and not taken. */
  #committed: number;
  #taken = 0;
  #maxTotal: number;
  #reserved: number;

  constructor(maxTotal: number, reservedTotal: number) {
    this.#maxTotal = maxTotal;
    this.#committed = reservedTotal;
    this.#reserved = reservedTotal;
  }

  /** How many slots are taken or reserved beyond the cap, after it was lowered; otherwise not above zero. */
  get excess(): number {
    return this.#committed - this.#maxTotal;
  }

  /** How many slots are taken beyond the cap, after it was lowered below what is reserved; otherwise not above zero. */
  get excessReserved(): number {
    return this.#reserved > this.#maxTotal ? this.#taken - this.#maxTotal : 0;
  }

  resize(maxTotal: number): void {
    this.#maxTotal = maxTotal;
  }

  /** Counts again after reservations have changed. */
  recount(reservedTotal: number, pools: Iterable<NamespacePool<C>>): void {
    this.#reserved = reservedTotal;
    this.#committed = reservedTotal;
    for (const { size, terms } of pools) {
      this.#committed += Math.max(0, size - terms.reserved);
    }
  }

  hasRoomFor(pool: NamespacePool<C>): boolean {
    // The cap alone is hard: it may have been lowered below what is reserved.
    return this.#taken < this.#maxTotal && (pool.size < pool.terms.reserved || this.#committed < this.#maxTotal);
  }

  /** To be called before the connection counts in its pool. */
  take(pool: NamespacePool<C>): void {
    this.#taken++;
    if (pool.size >= pool.terms.reserved) {
      this.#committed++;
    }
  }

  /** To be called when the connection no longer counts in its pool. */
  giveBack(pool: NamespacePool<C>): void {
    this.#taken--;
    if (pool.size >= pool.terms.reserved) {
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
