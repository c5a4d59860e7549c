import { randomUUID } from 'node:crypto';
import { Turns } from '../collections/turns.js';
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

/** A dedicated connection as its manager sees it. */
export class SessionConnection<C> implements DedicatedConnection<C> {
  readonly id = randomUUID();
  readonly backend: string;
  readonly establishedAt: Date;
  readonly openedAtMs: number;
  readonly #raw: C;
  readonly #session: SessionId;
  readonly #turns: Turns;

  constructor({ session, backend, raw, establishedAt, openedAtMs }: SessionConnectionOptions<C>) {
    this.backend = backend;
    this.establishedAt = establishedAt;
    this.openedAtMs = openedAtMs;
    this.#raw = raw;
    this.#session = session;
    this.#turns = new Turns((maxQueued) => new SessionBusyError(session, maxQueued));
  }

  get isBusy(): boolean {
    return this.#turns.isTaken;
  }

  get queued(): number {
    return this.#turns.waiting;
  }

  async run<T>(work: (connection: C) => Promise<T>, signal?: AbortSignal): Promise<T> {
    using _turn = await this.#turns.take(signal);
    return await work(this.#raw);
  }

  /** Rejects those who wait for their turn, and those who come later. */
  end(): void {
    this.#turns.close(new SessionNotFoundError(this.#session));
  }
}
