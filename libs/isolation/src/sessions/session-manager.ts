import { AuditUnavailableError } from '../audit/audit.errors.js';
import type { NamespaceId, TenantId } from '@palisade/domain';
import type { Credentials } from '../pools/connection-driver.js';
import type { Lease } from '../pools/lease.js';
import { BackendUnavailableError } from '../pools/pool.errors.js';
import { InvalidSettingsError } from '../invalid-settings.error.js';
import { type Clock, onAbort, SYSTEM_CLOCK } from '@palisade/async';
import { Expiry } from '../collections/expiry.js';
import { SessionConnection } from './dedicated-connection.js';
import { SessionNotFoundError, SessionsClosedError } from './session.errors.js';
import { readWanted, SessionBudget, type SessionOwner, type WantedConnections } from './session-budget.js';
import type { SessionAuditSink, SessionEndReason } from './session-event.js';
import { createSessionId, type SessionId } from './session-id.js';
import { SessionJournal, type SessionsSnapshot } from './session-journal.js';
import type { SessionBackend, SessionSettings } from './session-settings.js';
import { ManagedSession, type Session, type SessionPart } from './session.js';

export interface SessionManagerOptions {
  readonly settings: SessionSettings;
  readonly backends: readonly SessionBackend[];
  /** Throws for a namespace that may have no sessions, and says whose it is; asked for each new one. By default all may. */
  readonly requireSessions?: (namespace: NamespaceId) => TenantId | undefined;
  /** Required when events are mandatory. */
  readonly sink?: SessionAuditSink;
  readonly clock?: Clock;
}

export interface OpenSessionOptions {
  /** How many connections, by backend. By default one to each. */
  readonly connections?: Readonly<Record<string, number>>;
  /** The session's own, by backend. By default the driver's. */
  readonly credentials?: Readonly<Record<string, Credentials>>;
  readonly signal?: AbortSignal;
}

/**
 * Sessions with connections of their own, which are opened with the session, never given to anybody else and closed with
 * it. A session belongs to the client and the namespace that it was opened for, and nobody else can use or end it.
 *
 * Sessions are bounded by the settings; beyond them a session is rejected. Its connections are leased from the pools of its
 * namespace, so a session waits for a slot like any other work, and is rejected when it does not get all of them in time.
 * A session ends when its owner ends it, when it has had no request under way for `sessionTimeoutMs`, when one of its
 * connections is lost, on {@link endWhere} and on {@link drain}. Ending takes no new requests, lets those under way finish
 * for `drainTimeoutMs`, closes the connections, and only then gives the budget back.
 */
export class SessionManager {
  #settings: SessionSettings;
  readonly #clock: Clock;
  readonly #backends: ReadonlyMap<string, SessionBackend>;
  readonly #budget = new SessionBudget();
  readonly #requireSessions: (namespace: NamespaceId) => TenantId | undefined;
  readonly #journal: SessionJournal;
  readonly #idle: Expiry<ManagedSession>;
  readonly #sessions = new Map<SessionId, ManagedSession>();
  #isOpening = true;
  #drained: Promise<void> | undefined = undefined;
  #foreignAttempts = 0;

  /**
   * @throws {InvalidSettingsError} when events are mandatory and have no sink
   */
  constructor(options: SessionManagerOptions) {
    const { settings, backends, requireSessions = () => undefined, sink, clock = SYSTEM_CLOCK } = options;
    if (settings.audit.isMandatory && sink === undefined) {
      throw new InvalidSettingsError(['audit.mandatory: expected a sink for the events']);
    }
    this.#settings = settings;
    this.#clock = clock;
    this.#requireSessions = requireSessions;
    this.#journal = new SessionJournal({ sink, settings: settings.audit, clock });
    this.#backends = new Map(backends.map((backend) => [backend.name, backend]));
    this.#idle = new Expiry({
      clock,
      delayMs: settings.sessionTimeoutMs,
      onExpired: (session) => void this.#destroy(session, 'idle_timeout', 0), // never rejects
    });
  }

  /**
   * Sets up a session with its connections.
   *
   * @throws {SessionLimitError} when there are as many sessions as there may be
   * @throws {IsolationLevelError} {@link NamespaceNotServedError} {@link NoPolicyError} when its namespace may have none
   * @throws {AuditUnavailableError} when events are mandatory and cannot be written
   * @throws {BackendUnavailableError} {@link PoolTimeoutError} {@link PoolExhaustedError} when it cannot have all of its
   * connections; those that were made are closed
   * @throws {UnknownBackendError} when connections to a backend that is not configured are asked for
   * @throws {SessionsClosedError} when shutting down
   * @throws the reason of `signal` when that aborts first
   */
  async open(caller: SessionOwner, { connections, credentials, signal }: OpenSessionOptions = {}): Promise<Session> {
    signal?.throwIfAborted();
    if (!this.#isOpening) {
      throw new SessionsClosedError();
    }
    const owner = { ...caller, policyTenantId: this.#requireSessions(caller.namespace) };
    const wanted = readWanted(owner, connections, this.#backends);
    if (!this.#journal.permitsSessions) {
      throw new AuditUnavailableError('session');
    }
    this.#budget.reserve(owner, this.#settings);
    const session = new ManagedSession(createSessionId(), owner, this.#clock.date(), this.#clock.now());
    this.#sessions.set(session.id, session);
    session.established = this.#establish(session, wanted, credentials);
    {
      using _ = signal && onAbort(signal, () => session.abandon('aborted', signal.reason));
      await session.established;
    }
    if (session.abandoned !== undefined) {
      await this.#destroy(session, session.abandoned, 0);
      throw session.setup.signal.reason;
    }
    session.moveTo('active');
    this.#idle.add(session.idlePlace, this.#clock.now());
    return session;
  }

  /**
   * Does work for a request of a session. The session does not end for lack of activity meanwhile.
   *
   * @throws {SessionNotFoundError} when the owner has no such session
   */
  async run<T>(id: SessionId, owner: SessionOwner, work: (session: Session) => Promise<T>): Promise<T> {
    const session = this.#get(id, owner);
    session.begin(this.#clock.date());
    this.#idle.remove(session.idlePlace);
    try {
      return await work(session);
    } finally {
      session.finish(this.#clock.date());
      if (session.state === 'active' && session.inFlight === 0) {
        this.#idle.add(session.idlePlace, this.#clock.now());
      }
    }
  }

  /**
   * Ends a session; resolves when its connections are closed.
   *
   * @throws {SessionNotFoundError} when the owner has no such session
   */
  async end(id: SessionId, owner: SessionOwner): Promise<void> {
    await this.#destroy(this.#get(id, owner), 'ended', this.#settings.drainTimeoutMs);
  }

  /**
   * Ends a session now, because the state of one of its connections is not known. Requests under way are told to end.
   *
   * @throws {SessionNotFoundError} when the owner has no such session
   */
  discard(id: SessionId, owner: SessionOwner): void {
    void this.#destroy(this.#get(id, owner), 'connection_unusable', 0); // never rejects
  }

  /** Whether there is such a session, also one that is ending. */
  has(id: SessionId): boolean {
    return this.#sessions.has(id);
  }

  /** Ends the sessions of those owners for which `errorFor` has an error: nobody can use them any more, and their requests are told to end. */
  endWhere(errorFor: (owner: SessionOwner) => Error | undefined, reason: SessionEndReason): void {
    for (const session of this.#sessions.values()) {
      const error = errorFor(session.owner);
      if (error !== undefined) {
        session.abandon(reason, error);
        void this.#destroy(session, reason, 0); // never rejects
      }
    }
  }

  /** The owners of the sessions that exist. */
  owners(): Iterable<SessionOwner> {
    return this.#sessions.values().map(({ owner }) => owner);
  }

  /** Puts other settings in the place of those in force; sessions that exist stay. */
  reconfigure(settings: SessionSettings): void {
    this.#settings = settings;
    this.#journal.reconfigure(settings.audit);
    this.#idle.setDelay(settings.sessionTimeoutMs);
  }

  /** Rejects new sessions from now on; those that exist go on. */
  stopOpening(): void {
    this.#isOpening = false;
  }

  snapshot(): SessionsSnapshot {
    return {
      isOpening: this.#isOpening,
      sessions: this.#sessions.size,
      maxSessions: this.#settings.maxSessions,
      foreignAttempts: this.#foreignAttempts,
      audit: this.#journal.snapshot(),
    };
  }

  /** The sessions that exist, those that are being set up or torn down included. */
  sessions(): Iterable<Session> {
    return this.#sessions.values();
  }

  /**
   * Creates no more sessions and ends those that exist: their requests may finish until the deadline, then connections
   * are closed and the last events written. Resolves when that is done, and after twice the deadline in any case.
   */
  drain(deadlineMs = this.#settings.drainTimeoutMs): Promise<void> {
    this.stopOpening();
    this.#drained ??= this.#drain(deadlineMs);
    return this.#drained;
  }

  async #drain(deadlineMs: number): Promise<void> {
    const sessions = [...this.#sessions.values()];
    for (const session of sessions) {
      session.abandon('shutdown', new SessionsClosedError());
    }
    const forced = Promise.withResolvers<void>();
    const interrupt = this.#clock.setTimer(() => interruptAll(sessions), deadlineMs);
    const force = this.#clock.setTimer(forced.resolve, 2 * deadlineMs);
    const ended = Promise.all(sessions.map((session) => this.#destroy(session, 'shutdown', deadlineMs)));
    await Promise.race([ended.then(() => this.#journal.flush()), forced.promise]);
    interrupt.cancel();
    force.cancel();
    this.#idle.cancel();
  }

  /** Never rejects: what fails abandons the session. */
  async #establish(
    session: ManagedSession,
    wanted: WantedConnections,
    credentials: OpenSessionOptions['credentials'] = {},
  ): Promise<void> {
    try {
      await this.#journal.created(session);
    } catch (error) {
      session.abandon('audit_unavailable', new AuditUnavailableError('session', 1, { cause: error }));
    }
    const attempts = [...wanted].flatMap(([backend, count]) => {
      const own = Object.hasOwn(credentials, backend.name) ? credentials[backend.name] : undefined;
      return Array.from({ length: count }, () => this.#connect(session, backend, own));
    });
    await Promise.all(attempts);
  }

  async #connect(session: ManagedSession, backend: SessionBackend, credentials?: Credentials): Promise<void> {
    const { name, pools } = backend;
    const { promise: closed, resolve: onClosed } = Promise.withResolvers<void>();
    const onLost = () => this.#lose(session, backend);
    const { signal } = session.setup;
    let lease: Lease<unknown>;
    try {
      lease = await pools.acquireOwn(session.namespace, {
        signal,
        onLost,
        onClosed,
        ...(credentials && { credentials }),
      });
    } catch (error) {
      session.abandon('connect_failed', error);
      return;
    }
    const [establishedAt, openedAtMs] = [this.#clock.date(), this.#clock.now()];
    const raw = lease.connection;
    const connection = new SessionConnection({ session: session.id, backend: name, raw, establishedAt, openedAtMs });
    session.parts.push({ backend, connection, lease, closed });
    this.#journal.established(session, connection);
  }

  #lose(session: ManagedSession, { name }: SessionBackend): void {
    if (session.state === 'opening') {
      session.abandon('connection_lost', new BackendUnavailableError(name, 1, 0));
    } else {
      void this.#destroy(session, 'connection_lost', 0); // never rejects
    }
  }

  /** Never rejects. Whoever calls it first says why. */
  #destroy(session: ManagedSession, reason: SessionEndReason, drainMs: number): Promise<void> {
    session.endReason ??= reason;
    session.ending ??= this.#tearDown(session, drainMs);
    if (drainMs === 0) {
      session.interrupt();
    }
    return session.ending;
  }

  async #tearDown(session: ManagedSession, drainMs: number): Promise<void> {
    session.moveTo('draining');
    this.#idle.remove(session.idlePlace);
    const interrupt = this.#clock.setTimer(() => session.interrupt(), drainMs);
    await session.established;
    await session.quiet;
    interrupt.cancel();
    session.moveTo('destroyed');
    await Promise.all(session.parts.map((part) => this.#close(session, part)));
    this.#journal.destroyed(session);
    this.#sessions.delete(session.id);
    this.#budget.releaseSession(session.owner);
  }

  async #close(session: ManagedSession, { connection, lease, closed }: SessionPart): Promise<void> {
    connection.end();
    lease.release();
    await closed;
    this.#journal.closed(session, connection);
  }

  #get(id: SessionId, owner: SessionOwner): ManagedSession {
    const session = this.#sessions.get(id);
    if (session?.state === 'active' && session.isOwnedBy(owner)) {
      return session;
    }
    if (session !== undefined && !session.isOwnedBy(owner)) {
      this.#foreignAttempts++;
    }
    throw new SessionNotFoundError(id);
  }
}

function interruptAll(sessions: readonly ManagedSession[]): void {
  for (const session of sessions) {
    session.interrupt();
  }
}
