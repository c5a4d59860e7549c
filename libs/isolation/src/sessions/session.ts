import type { NamespaceId } from '@palisade/domain';
import { requireDriver, type DriverClass } from '../backends/backend-driver.js';
import { UnknownBackendError } from '../backends/backend.errors.js';
import { ExpiryLink } from '../collections/expiry.js';
import type { Lease } from '../pools/lease.js';
import type { DedicatedConnection, SessionConnection } from './dedicated-connection.js';
import { SessionEndedError } from './session.errors.js';
import type { SessionOwner } from './session-budget.js';
import type { SessionEndReason } from './session-event.js';
import type { SessionId } from './session-id.js';
import type { SessionBackend } from './session-settings.js';

/**
 * ```
 * opening  → active, draining (setting it up failed)
 * active   → draining
 * draining → destroyed
 * ```
 */
export type SessionState = 'opening' | 'active' | 'draining' | 'destroyed';

/** What a client's requests share: its dedicated connections, until it ends. */
export interface Session {
  readonly id: SessionId;
  readonly namespace: NamespaceId;
  readonly clientId: string;
  readonly state: SessionState;
  readonly createdAt: Date;
  readonly lastActivityAt: Date;
  readonly requestsHandled: number;
  /** Aborts when connections are about to be closed although requests are under way. */
  readonly signal: AbortSignal;
  /** In the order in which they were established. */
  readonly connections: readonly Omit<DedicatedConnection<unknown>, 'run'>[];

  /**
   * One of the session's connections to a backend; they are numbered from 0.
   *
   * @throws {UnknownBackendError} when the session has no such connection, or the backend has another driver
   */
  connection<C>(backend: string, driverClass: DriverClass<C>, index?: number): DedicatedConnection<C>;
}

/** A connection of a session, and where it came from. */
export interface SessionPart {
  readonly backend: SessionBackend;
  readonly connection: SessionConnection<unknown>;
  readonly lease: Lease<unknown>;
  /** Resolves when its socket has closed. */
  readonly closed: Promise<void>;
}

/** A session as its manager sees it. */
export class ManagedSession implements Session {
  readonly namespace: NamespaceId;
  readonly clientId: string;
  readonly idlePlace = new ExpiryLink<ManagedSession>(this);
  /** Aborted when setting it up has failed; the reason is the caller's error. */
  readonly setup = new AbortController();
  abandoned: SessionEndReason | undefined = undefined;
  /** Resolves when every attempt to connect has ended. */
  established: Promise<void> = Promise.resolve();
  /** Why it is being destroyed; undefined until that has begun. */
  endReason: SessionEndReason | undefined = undefined;
  /** Resolves when it is destroyed; undefined until that has begun. */
  ending: Promise<void> | undefined = undefined;
  lastActivityAt: Date;
  requestsHandled = 0;
  readonly parts: SessionPart[] = [];
  #state: SessionState = 'opening';
  #inFlight = 0;
  readonly #quiet = Promise.withResolvers<void>();
  readonly #end = new AbortController();

  constructor(
    readonly id: SessionId,
    readonly owner: SessionOwner,
    readonly createdAt: Date,
    readonly createdAtMs: number,
  ) {
    this.namespace = owner.namespace;
    this.clientId = owner.clientId;
    this.lastActivityAt = createdAt;
  }

  get state(): SessionState {
    return this.#state;
  }

  get signal(): AbortSignal {
    return this.#end.signal;
  }

  get connections(): readonly SessionConnection<unknown>[] {
    return this.parts.map(({ connection }) => connection);
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Resolves when no request is under way after {@link moveTo} `draining`. */
  get quiet(): Promise<void> {
    return this.#quiet.promise;
  }

  connection<C>(backend: string, driverClass: DriverClass<C>, index = 0): DedicatedConnection<C> {
    const found = this.parts.filter(({ connection }) => connection.backend === backend)[index];
    if (found === undefined) {
      throw new UnknownBackendError(backend, `a backend to which the session has more than ${index} connections`);
    }
    requireDriver(backend, found.backend.driver, driverClass);
    return found.connection as DedicatedConnection<C>;
  }

  isOwnedBy({ namespace, clientId }: SessionOwner): boolean {
    return this.namespace === namespace && this.clientId === clientId;
  }

  /** Stops setting it up; the first reason stands. */
  abandon(reason: SessionEndReason, error: unknown): void {
    if (this.#state === 'opening') {
      this.abandoned ??= reason;
      this.setup.abort(error);
    }
  }

  /** The only way to change state. */
  moveTo(state: SessionState): void {
    this.#state = state;
    this.#settle();
  }

  begin(now: Date): void {
    this.#inFlight++;
    this.lastActivityAt = now;
  }

  finish(now: Date): void {
    this.#inFlight--;
    this.requestsHandled++;
    this.lastActivityAt = now;
    this.#settle();
  }

  /** Stops waiting for requests under way, and interrupts them. */
  interrupt(): void {
    this.#end.abort(new SessionEndedError(this.id, this.endReason ?? 'ended'));
    this.#quiet.resolve();
  }

  #settle(): void {
    if (this.#state === 'draining' && this.#inFlight === 0) {
      this.#quiet.resolve();
    }
  }
}
