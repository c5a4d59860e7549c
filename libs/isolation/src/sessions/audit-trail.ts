import type { Clock } from '../time/clock.js';
import type { SessionAuditSink, SessionEvent } from './session-event.js';
import type { SessionAuditSettings } from './session-settings.js';

export interface AuditTrailOptions {
  readonly sink: SessionAuditSink | undefined;
  readonly settings: SessionAuditSettings;
  readonly clock: Clock;
}

interface Entry {
  readonly event: SessionEvent;
  /** Told how the next attempt to write it went. */
  waiter: PromiseWithResolvers<void> | undefined;
}

const MAX_BATCH = 500;
/** Events that may wait when they are not mandatory; beyond that the oldest is dropped. */
const MAX_OPTIONAL_QUEUED = 10_000;
const INITIAL_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 5_000;

/**
 * Hands session events to the sink, in order, one batch at a time. While the sink fails, events wait and are offered
 * again; when they are mandatory none is dropped, and their number is bounded because no session is created meanwhile.
 */
export class AuditTrail {
  readonly #options: AuditTrailOptions;
  readonly #queue: Entry[] = [];
  #failures = 0;
  #isWriting = false;
  #dropped = 0;
  #flushed: PromiseWithResolvers<void> | undefined = undefined;

  constructor(options: AuditTrailOptions) {
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

  /** Writes an event as soon as possible. */
  record(event: SessionEvent): void {
    this.#enqueue(event, undefined);
  }

  /** When events are mandatory, resolves when this one is written and rejects when the first attempt fails. */
  async recordFirst(event: SessionEvent): Promise<void> {
    const waiter = this.#options.settings.isMandatory ? Promise.withResolvers<void>() : undefined;
    if (this.#enqueue(event, waiter)) {
      await waiter?.promise;
    }
  }

  /** Resolves when nothing is left to write. */
  async flush(): Promise<void> {
    if (this.#queue.length > 0) {
      this.#flushed ??= Promise.withResolvers<void>();
      await this.#flushed.promise;
    }
  }

  /** False when events of this kind are not logged. */
  #enqueue(event: SessionEvent, waiter: PromiseWithResolvers<void> | undefined): boolean {
    const { sink, settings } = this.#options;
    const isLogged = event.event.startsWith('session_') ? settings.logsSessions : settings.logsConnections;
    if (sink === undefined || !isLogged) {
      return false;
    }
    this.#queue.push({ event, waiter });
    if (!settings.isMandatory && this.#queue.length > MAX_OPTIONAL_QUEUED) {
      this.#queue.shift()?.waiter?.resolve();
      this.#dropped++;
    }
    if (!this.#isWriting) {
      this.#isWriting = true;
      void this.#write(sink); // never rejects
    }
    return true;
  }

  async #write(sink: SessionAuditSink): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue.slice(0, MAX_BATCH);
      try {
        await sink.write(batch.map(({ event }) => event));
      } catch (error) {
        this.#failures++;
        settle(batch, (waiter) => waiter.reject(error));
        await this.#pause();
        continue;
      }
      this.#failures = 0;
      this.#forget(batch);
      settle(batch, (waiter) => waiter.resolve());
    }
    this.#isWriting = false;
    this.#flushed?.resolve();
    this.#flushed = undefined;
  }

  /** Some of the batch may have been dropped while it was written. */
  #forget(batch: readonly Entry[]): void {
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

function settle(batch: readonly Entry[], tell: (waiter: PromiseWithResolvers<void>) => void): void {
  for (const entry of batch) {
    if (entry.waiter !== undefined) {
      tell(entry.waiter);
      entry.waiter = undefined;
    }
  }
}
