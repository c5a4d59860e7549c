import type { Clock } from '@palisade/async';

/** Where records go. */
export interface AuditSink<R> {
  /** Keeps records, all or none, in this order; after a rejection they are written again later. The list may be empty. */
  write(records: readonly R[]): Promise<void>;
}

export interface AuditTrailOptions<R> {
  readonly sink: AuditSink<R>;
  /** Whether no record may be dropped, and whoever makes one waits until it is written. */
  readonly isMandatory: () => boolean;
  readonly clock: Clock;
}

interface Entry<R> {
  /** Absent for an attempt whether the sink takes anything. */
  readonly record: R | undefined;
  /** Told how the next attempt to write it went. */
  waiter: PromiseWithResolvers<void> | undefined;
}

const MAX_BATCH = 500;
/** Records that may wait when they are not mandatory; beyond that the oldest is dropped. */
const MAX_OPTIONAL_QUEUED = 10_000;
const INITIAL_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 5_000;
/** So long after a record was written the sink is taken to work still. */
const PROOF_MS = 1000;

/**
 * Hands records to the sink, in order, one batch at a time. While the sink fails, records wait and are offered again;
 * when they are mandatory none is dropped, and it is for their makers to make no more of them meanwhile.
 */
export class AuditTrail<R> {
  readonly #options: AuditTrailOptions<R>;
  readonly #queue: Entry<R>[] = [];
  #failures = 0;
  #lastError: unknown = undefined;
  #isWriting = false;
  #dropped = 0;
  #provenAtMs = -Infinity;
  #flushed: PromiseWithResolvers<void> | undefined = undefined;

  constructor(options: AuditTrailOptions<R>) {
    this.#options = options;
  }

  /** False from a failed write until the next successful one. */
  get isHealthy(): boolean {
    return this.#failures === 0;
  }

  get queued(): number {
    return this.#queue.length;
  }

  get dropped(): number {
    return this.#dropped;
  }

  /** Writes a record as soon as possible. */
  record(record: R): void {
    this.#enqueue({ record, waiter: undefined });
  }

  /** When records are mandatory, resolves when this one is written and rejects when the first attempt fails. */
  async recordFirst(record: R): Promise<void> {
    const waiter = this.#options.isMandatory() ? Promise.withResolvers<void>() : undefined;
    this.#enqueue({ record, waiter });
    await waiter?.promise;
  }

  /** Resolves when the sink has taken records within a second, or takes an empty list now; rejects when it fails. */
  async prove(): Promise<void> {
    if (!this.isHealthy) {
      throw this.#lastError;
    }
    if (this.#options.clock.now() - this.#provenAtMs <= PROOF_MS) {
      return;
    }
    const waiter = Promise.withResolvers<void>();
    this.#enqueue({ record: undefined, waiter });
    await waiter.promise;
  }

  /** Resolves when nothing is left to write. */
  async flush(): Promise<void> {
    if (this.#queue.length > 0) {
      this.#flushed ??= Promise.withResolvers<void>();
      await this.#flushed.promise;
    }
  }

  #enqueue(entry: Entry<R>): void {
    this.#queue.push(entry);
    if (!this.#options.isMandatory() && this.#queue.length > MAX_OPTIONAL_QUEUED) {
      this.#queue.shift()?.waiter?.resolve();
      this.#dropped++;
    }
    if (!this.#isWriting) {
      this.#isWriting = true;
      void this.#write(); // never rejects
    }
  }

  async #write(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue.slice(0, MAX_BATCH);
      try {
        await this.#options.sink.write(batch.flatMap(({ record }) => (record === undefined ? [] : [record])));
      } catch (error) {
        this.#failures++;
        this.#lastError = error;
        settle(batch, (waiter) => waiter.reject(error));
        await this.#pause();
        continue;
      }
      this.#failures = 0;
      this.#provenAtMs = this.#options.clock.now();
      this.#forget(batch);
      settle(batch, (waiter) => waiter.resolve());
    }
    this.#isWriting = false;
    this.#flushed?.resolve();
    this.#flushed = undefined;
  }

  /** Some of the batch may have been dropped while it was written. */
  #forget(batch: readonly Entry<R>[]): void {
    const last = batch.at(-1);
    const index = last === undefined ? -1 : this.#queue.indexOf(last);
    this.#queue.splice(0, index + 1);
  }

  #pause(): Promise<void> {
    const delayMs = Math.min(MAX_BACKOFF_MS, INITIAL_BACKOFF_MS * 2 ** (this.#failures - 1));
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#options.clock.setBackgroundTimer(resolve, delayMs);
    return promise;
  }
}

function settle<R>(batch: readonly Entry<R>[], tell: (waiter: PromiseWithResolvers<void>) => void): void {
  for (const entry of batch) {
    if (entry.waiter !== undefined) {
      tell(entry.waiter);
      entry.waiter = undefined;
    }
  }
}
