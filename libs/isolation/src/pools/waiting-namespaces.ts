import { PriorityQueue } from '../collections/priority-queue.js';
import type { NamespacePool } from './namespace-pool.js';

/**
 * The namespaces that want one more connection, the neediest first: one that has a reserved slot left, then the one
 * that has fewest slots by weight, then the one that has not been served for longest.
 */
export class WaitingNamespaces<C> {
  readonly #queue = new PriorityQueue<NamespacePool<C>>(isNeedier);

  get neediest(): NamespacePool<C> | undefined {
    return this.#queue.first;
  }

  /** To be called when anything has changed that decides whether, or how much, the namespace needs a connection. */
  update(pool: NamespacePool<C>): void {
    if (pool.wantsConnection) {
      this.#queue.put(pool.waitingRank);
    } else {
      this.#queue.remove(pool.waitingRank);
    }
  }
}

function isNeedier<C>(a: NamespacePool<C>, b: NamespacePool<C>): boolean {
  const isReservedA = a.size < a.limits.reserved;
  const isReservedB = b.size < b.limits.reserved;
  if (isReservedA !== isReservedB) {
    return isReservedA;
  }
  const difference = a.claims * b.limits.weight - b.claims * a.limits.weight;
  return difference === 0 ? a.lastServed < b.lastServed : difference < 0;
}
