import { PriorityQueue } from '../collections/priority-queue.js';
import type { NamespacePool, PooledConnection } from './namespace-pool.js';

/**
 * How a namespace would stand beside another if it gave it one slot. `better` or `equal`: still no worse off by weight
 * than the other is now, so that nobody falls below a share that others have.
 */
export type Standing = 'better' | 'equal' | 'worse';

export function standingAfterGiving<C>(owner: NamespacePool<C>, other: NamespacePool<C>): Standing {
  const difference = (owner.claims - 1) * other.terms.weight - other.claims * owner.terms.weight;
  if (difference === 0) {
    return 'equal';
  }
  return difference > 0 ? 'better' : 'worse';
}

/**
 * Between equals a connection is not moved before it has been open this many times as long as opening it took: moving
 * then costs a fifth of the time at most.
 */
const EARNED_OPENINGS = 4;

/** How long until a connection has earned what opening it cost; never more than `maxMs` from its opening. */
export function earnedInMs<C>(connection: PooledConnection<C>, maxMs: number, nowMs: number): number {
  const { startedAtMs, openedAtMs } = connection;
  const costMs = openedAtMs - startedAtMs;
  return Math.max(0, openedAtMs + Math.min(EARNED_OPENINGS * costMs, maxMs) - nowMs);
}

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
  const isReservedA = a.size < a.terms.reserved;
  const isReservedB = b.size < b.terms.reserved;
  if (isReservedA !== isReservedB) {
    return isReservedA;
  }
  const difference = a.claims * b.terms.weight - b.claims * a.terms.weight;
  return difference === 0 ? a.lastServed < b.lastServed : difference < 0;
}
