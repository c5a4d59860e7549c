import type { Clock, Timer } from '@palisade/async';
import { BackendUnavailableError, NamespaceRejectedError } from './pool.errors.js';
import type { NamespacePool } from './namespace-pool.js';
import { OpeningGate, type OpeningGateOptions } from './opening-gate.js';

export interface BackendHealthOptions<C> extends OpeningGateOptions {
  readonly name: string;
  readonly clock: Clock;
  /** Called when a namespace that was held back may try again. */
  readonly onRetry: (pool: NamespacePool<C>) => void;
}

/**
 * What is known of a backend's ability to accept connections. A failure that is one namespace's own, such as a wrong
 * password, holds back that namespace and nobody else.
 */
export class BackendHealth<C> {
  readonly gate: OpeningGate;
  readonly #options: BackendHealthOptions<C>;
  readonly #retries = new Map<NamespacePool<C>, Timer>();

  constructor(options: BackendHealthOptions<C>) {
    this.#options = options;
    this.gate = new OpeningGate(options);
  }

  succeed(pool: NamespacePool<C>): void {
    this.gate.succeed();
    pool.isEstablished = true;
    pool.record.gate = undefined;
  }

  fail(pool: NamespacePool<C>, startedAtMs: number, error: unknown): void {
    const nowMs = this.#options.clock.now();
    pool.isEstablished = false;
    if (error instanceof NamespaceRejectedError) {
      pool.record.gate ??= new OpeningGate(this.#options);
      pool.record.gate.fail(startedAtMs, nowMs, error);
      this.holdBack(pool);
    } else {
      this.gate.fail(startedAtMs, nowMs, error);
    }
  }

  /** Lets a namespace that has just failed wait until it may try again. */
  holdBack(pool: NamespacePool<C>): void {
    const retryInMs = pool.record.gate?.retryInMs(this.#options.clock.now()) ?? 0;
    if (retryInMs > 0 && !this.#retries.has(pool)) {
      pool.isHeldBack = true;
      this.#retries.set(
        pool,
        this.#options.clock.setTimer(() => this.#retry(pool), retryInMs),
      );
    }
  }

  /**
   * The error for an acquisition that has nothing to wait for. Undefined while waiting makes sense, if only because the
   * namespace has connections that may come free; which is of no use to one that needs a new connection.
   */
  findOutage(pool: NamespacePool<C>, nowMs: number, needsNew: boolean): BackendUnavailableError | undefined {
    const { gate } = pool.record;
    if (!needsNew && pool.held > pool.counts.opening) {
      return undefined;
    }
    if (gate?.isOutage(nowMs)) {
      return this.#describe(pool.name, gate, nowMs);
    }
    return this.gate.isOutage(nowMs) ? this.#describe(this.#options.name, this.gate, nowMs) : undefined;
  }

  /** The error for an acquisition that was not served because connections could not be made, if that is so. */
  findFailure(pool: NamespacePool<C>, nowMs: number): BackendUnavailableError | undefined {
    const { gate } = pool.record;
    if (gate !== undefined) {
      return this.#describe(pool.name, gate, nowMs);
    }
    return this.gate.failures > 0 ? this.#describe(this.#options.name, this.gate, nowMs) : undefined;
  }

  /** Forgets a namespace whose pool disappears. */
  forget(pool: NamespacePool<C>): void {
    this.#retries.get(pool)?.cancel();
    this.#retries.delete(pool);
  }

  #describe(name: string, gate: OpeningGate, nowMs: number): BackendUnavailableError {
    return new BackendUnavailableError(name, gate.failures, gate.retryInMs(nowMs), { cause: gate.lastError });
  }

  #retry(pool: NamespacePool<C>): void {
    this.#retries.delete(pool);
    pool.isHeldBack = false;
    this.#options.onRetry(pool);
  }
}
