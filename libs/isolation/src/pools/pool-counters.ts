/** Totals since the pools were made; they never decrease, also when a namespace's pool disappears and comes back. */
export interface PoolCounters {
  /** Leases given. */
  readonly acquired: number;
  /** Acquisitions that had to wait. */
  readonly queued: number;
  /** Milliseconds that served waiters waited, together. */
  readonly waitedMs: number;
  /** Waiters whose deadline passed. */
  readonly timedOut: number;
  /** Waiters that were aborted. */
  readonly aborted: number;
  /** Acquisitions rejected because a queue or the number of namespaces was at its bound. */
  readonly rejected: number;
  /** Acquisitions rejected because the backend could not be reached. */
  readonly unavailable: number;
  /** Connections that were established. */
  readonly opened: number;
  /** Attempts to connect that failed. */
  readonly failed: number;
  /** Connections whose socket has closed. */
  readonly closed: number;
  /** Idle connections closed for another namespace. */
  readonly evicted: number;
  /** Connections closed on release because another namespace was to have the slot. */
  readonly handedOver: number;
  /** Idle connections closed because nobody had used them. */
  readonly reaped: number;
  /** Connections closed because of their age. */
  readonly expired: number;
  /** Connections closed because their state was unknown, or because they had ended by themselves. */
  readonly discarded: number;
}

export type PoolEvent = keyof PoolCounters;

/** Counters of one namespace; everything is also counted in those of the backend. */
export class CounterSet {
  readonly values: Record<PoolEvent, number> = {
    acquired: 0,
    queued: 0,
    waitedMs: 0,
    timedOut: 0,
    aborted: 0,
    rejected: 0,
    unavailable: 0,
    opened: 0,
    failed: 0,
    closed: 0,
    evicted: 0,
    handedOver: 0,
    reaped: 0,
    expired: 0,
    discarded: 0,
  };

  constructor(readonly total?: CounterSet) {}

  add(event: PoolEvent, amount = 1): void {
    this.values[event] += amount;
    this.total?.add(event, amount);
  }

  snapshot(): PoolCounters {
    return { ...this.values };
  }
}
