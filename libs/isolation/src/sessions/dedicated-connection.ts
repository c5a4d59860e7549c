import { randomUUID } from 'node:crypto';
import { WaitingLine } from '../collections/waiting-line.js';
import { SessionBusyError, SessionNotFoundError } from './session.errors.js';
import type { SessionId } from './session-id.js';

/**
 * A connection that one session has for itself, for as long as the session lives. There is no way to release it, and
 * no pool that would take it: it is closed with the session.
 */
export interface DedicatedConnection<C> {
  readonly id: string;
  readonly backend: string;
  readonly establishedAt: Date;
  /** Whether a request of the session uses it now. */
  readonly isBusy: boolean;
  /** Requests of the session that wait for their turn. */
  readonly queued: number;

  /**
   * Uses the connection alone: requests of the session that overlap take turns, in order. What is left on the connection
   * (an open transaction, say) is there for the next request.
   *
   * @throws {SessionBusyError} when too many wait for their turn
   * @throws {SessionNotFoundError} when the session ends before the turn comes
   * @throws the reason of `signal` when that aborts before the turn comes
   */
  run<T>(work: (connection: C) => Promise<T>, signal?: AbortSignal): Promise<T>;
}

export interface SessionConnectionOptions<C> {
  readonly session: SessionId;
  readonly backend: string;
  readonly raw: C;
  readonly establishedAt: Date;
  readonly openedAtMs: number;
}

const MAX_QUEUED = 100;

/** A dedicated connection as its manager sees it. */
export class SessionConnection<C> implements DedicatedConnection<C> {
  readonly id = randomUUID();
  readonly #options: SessionConnectionOptions<C>;
  readonly #line = new WaitingLine();
  #isBusy = false;
  #isEnded = false;

  constructor(options: SessionConnectionOptions<C>) {
    this.#options = options;
  }

  get backend(): string {
    return this.#options.backend;
  }

  get establishedAt(): Date {
    return this.#options.establishedAt;
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  get queued(): number {
    return this.#line.length;
  }

  get openedAtMs(): number {
    return this.#options.openedAtMs;
  }

  /** For closing it. */
  get raw(): C {
    return this.#options.raw;
  }

  async run<T>(work: (connection: C) => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#takeTurn(signal);
    try {
      return await work(this.#options.raw);
    } finally {
      this.#isBusy = this.#line.admit();
    }
  }

  /** Refuses those who wait for their turn, and those who come later. */
  end(): void {
    this.#isEnded = true;
    this.#line.rejectAll(this.#notFound());
  }

  async #takeTurn(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#isEnded) {
      throw this.#notFound();
    }
    if (!this.#isBusy) {
      this.#isBusy = true;
      return;
    }
    if (this.#line.length >= MAX_QUEUED) {
      throw new SessionBusyError(this.#options.session, MAX_QUEUED);
    }
    await this.#line.join(signal);
  }

  #notFound(): SessionNotFoundError {
    return new SessionNotFoundError(this.#options.session);
  }
}
