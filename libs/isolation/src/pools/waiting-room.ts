import type { Clock } from '@palisade/async';
import { Expiry } from '../collections/expiry.js';
import type { BackendHealth } from './backend-health.js';
import { PoolExhaustedError, PoolTimeoutError } from './pool.errors.js';
import { Waiter, type NamespacePool } from './namespace-pool.js';
import type { PoolEvent } from './pool-counters.js';

export interface WaitingRoomOptions<C> {
  readonly clock: Clock;
  readonly health: BackendHealth<C>;
  readonly acquireTimeoutMs: number;
  readonly maxQueued: number;
  /** Called when somebody was refused, so that the namespace wants less than before. */
  readonly onRefused: (pool: NamespacePool<C>) => void;
}

/** The queues of all namespaces. Whoever leaves one, for whatever reason, has left it at that instant. */
export class WaitingRoom<C> {
  readonly #deadlines: Expiry<Waiter<C>>;
  readonly #options: WaitingRoomOptions<C>;

  constructor(options: WaitingRoomOptions<C>) {
    const { clock, acquireTimeoutMs } = options;
    const onExpired = (waiter: Waiter<C>) => this.#timeOut(waiter);
    this.#options = options;
    this.#deadlines = new Expiry({ clock, delayMs: acquireTimeoutMs, onExpired, keepsProcess: true });
  }

  /** Somebody who waits from now on; refused already when the backend is down. */
  enter(pool: NamespacePool<C>, nowMs: number, signal: AbortSignal | undefined): Waiter<C> {
    const waiter = new Waiter(pool, nowMs, signal);
    pool.enqueue(waiter);
    this.#deadlines.add(waiter.deadline, nowMs);
    if (signal !== undefined) {
      waiter.listen(() => this.refuse(waiter, 'aborted', signal.reason));
    }
    const outage = this.#options.health.findOutage(pool, nowMs);
    if (outage !== undefined) {
      this.refuse(waiter, 'unavailable', outage);
    }
    return waiter;
  }

  /** Rejects a newcomer that nothing could be done for and that finds the queue full. */
  admit(waiter: Waiter<C>): void {
    const { pool } = waiter;
    const { maxQueued } = this.#options;
    if (pool.unserved > maxQueued) {
      this.refuse(waiter, 'refused', new PoolExhaustedError(pool.name, 'queued', maxQueued));
    } else {
      pool.record.counters.add('queued');
    }
  }

  /** Takes the one who has waited longest out of the queue of a namespace. */
  call(pool: NamespacePool<C>, nowMs: number): Waiter<C> | undefined {
    const waiter = pool.queue.first?.value;
    if (waiter !== undefined) {
      this.#leave(waiter);
      pool.record.counters.add('waitedMs', nowMs - waiter.sinceMs);
    }
    return waiter;
  }

  refuse(waiter: Waiter<C>, event: PoolEvent, reason: unknown): void {
    this.#leave(waiter);
    waiter.pool.record.counters.add(event);
    waiter.reject(reason);
    this.#options.onRefused(waiter.pool);
  }

  rejectAll(event: PoolEvent, reason: unknown): void {
    for (let first = this.#deadlines.first; first !== undefined; first = this.#deadlines.first) {
      this.refuse(first.value, event, reason);
    }
  }

  #timeOut(waiter: Waiter<C>): void {
    const { clock, health } = this.#options;
    const nowMs = clock.now();
    const failure = health.findFailure(waiter.pool, nowMs);
    if (failure === undefined) {
      this.refuse(waiter, 'timedOut', new PoolTimeoutError(waiter.pool.snapshot(), nowMs - waiter.sinceMs));
    } else {
      this.refuse(waiter, 'unavailable', failure);
    }
  }

  #leave(waiter: Waiter<C>): void {
    waiter.pool.dequeue(waiter);
    this.#deadlines.remove(waiter.deadline);
    waiter.unlisten();
  }
}
