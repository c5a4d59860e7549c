import type { Clock } from '@palisade/async';
import { Expiry } from '../collections/expiry.js';
import type { BackendHealth } from './backend-health.js';
import { PoolExhaustedError, PoolTimeoutError } from './pool.errors.js';
import { Waiter, type NamespacePool, type OwnConnection } from './namespace-pool.js';
import type { PoolEvent } from './pool-counters.js';
import type { LiveSettings } from './pool-settings.js';

export interface WaitingRoomOptions<C> {
  readonly clock: Clock;
  readonly health: BackendHealth<C>;
  readonly settings: LiveSettings;
  /** Called when somebody was rejected, so that the namespace wants less than before. */
  readonly onRejected: (waiter: Waiter<C>, reason: unknown) => void;
}

/** The queues of all namespaces. Whoever leaves one, for whatever reason, has left it at that instant. */
export class WaitingRoom<C> {
  readonly #deadlines: Expiry<Waiter<C>>;
  readonly #options: WaitingRoomOptions<C>;

  constructor(options: WaitingRoomOptions<C>) {
    const { clock, settings } = options;
    const { acquireTimeoutMs } = settings.current;
    const onExpired = (waiter: Waiter<C>) => this.#timeOut(waiter);
    this.#options = options;
    this.#deadlines = new Expiry({ clock, delayMs: acquireTimeoutMs, onExpired, keepsProcess: true });
  }

  /** Somebody who waits from now on; rejected already when the backend is down. */
  enter(pool: NamespacePool<C>, nowMs: number, signal?: AbortSignal, own?: OwnConnection): Waiter<C> {
    const waiter = new Waiter(pool, nowMs, signal, own);
    pool.enqueue(waiter);
    this.#deadlines.add(waiter.deadline, nowMs);
    if (signal !== undefined) {
      waiter.listen(() => this.reject(waiter, 'aborted', signal.reason));
    }
    const outage = this.#options.health.findOutage(pool, nowMs, own !== undefined);
    if (outage !== undefined) {
      this.reject(waiter, 'unavailable', outage);
    }
    return waiter;
  }

  /** Rejects a newcomer that nothing could be done for and that finds the queue full. */
  admit(waiter: Waiter<C>): void {
    const { pool } = waiter;
    const { maxQueued } = this.#options.settings.current;
    if (pool.unserved > maxQueued) {
      this.reject(waiter, 'rejected', new PoolExhaustedError(pool.name, 'queued', maxQueued));
    } else {
      pool.record.counters.add('queued');
    }
  }

  /** Takes the one who has waited longest out of the queue of a namespace. */
  call(pool: NamespacePool<C>, nowMs: number): Waiter<C> | undefined {
    const waiter = pool.queue.first?.value;
    if (waiter !== undefined) {
      this.serve(waiter, nowMs);
    }
    return waiter;
  }

  /** Takes one who is to have a connection out of the queue. */
  serve(waiter: Waiter<C>, nowMs: number): void {
    this.#leave(waiter);
    waiter.pool.record.counters.add('waitedMs', nowMs - waiter.sinceMs);
  }

  setTimeout(acquireTimeoutMs: number): void {
    this.#deadlines.setDelay(acquireTimeoutMs);
  }

  reject(waiter: Waiter<C>, event: PoolEvent, reason: unknown): void {
    this.#leave(waiter);
    waiter.pool.record.counters.add(event);
    waiter.reject(reason);
    this.#options.onRejected(waiter, reason);
  }

  rejectAll(event: PoolEvent, reason: unknown): void {
    for (let first = this.#deadlines.first; first !== undefined; first = this.#deadlines.first) {
      this.reject(first.value, event, reason);
    }
  }

  #timeOut(waiter: Waiter<C>): void {
    const { clock, health } = this.#options;
    const nowMs = clock.now();
    const failure = health.findFailure(waiter.pool, nowMs);
    if (failure === undefined) {
      this.reject(waiter, 'timedOut', new PoolTimeoutError(waiter.pool.snapshot(), nowMs - waiter.sinceMs));
    } else {
      this.reject(waiter, 'unavailable', failure);
    }
  }

  #leave(waiter: Waiter<C>): void {
    waiter.isWaiting = false;
    waiter.pool.dequeue(waiter);
    this.#deadlines.remove(waiter.deadline);
    waiter.unlisten();
  }
}
