import { AuditUnavailableError } from '../audit/audit.errors.js';
import { UnknownBackendError } from '../backends/backend.errors.js';
import type { ConnectionDriver, Credentials } from '../pools/connection-driver.js';
import { BackendUnavailableError } from '../pools/pool.errors.js';
import { partOfCap } from '../pools/capacity.js';
import { InvalidSettingsError } from '../invalid-settings.error.js';
import { type Clock, onAbort, SYSTEM_CLOCK } from '@palisade/async';
import { Expiry } from '../collections/expiry.js';
import { NO_CPU_METER, type CpuMeter } from '../limits/cpu-meter.js';
import { DedicatedBackend } from './dedicated-backend.js';
import { SessionConnection } from './dedicated-connection.js';
import { SessionNotFoundError, SessionsClosedError } from './session.errors.js';
import {
  countsByName,
  readWanted,
  SessionBudget,
  type SessionOwner,
  type WantedConnections,
} from './session-budget.js';
import type { SessionAuditSink, SessionEndReason } from './session-event.js';
import { createSessionId, type SessionId } from './session-id.js';
import { SessionJournal, type SessionsSnapshot } from './session-journal.js';
import type { DedicatedSettings } from './session-settings.js';
import { ManagedSession, type Session, type SessionPart } from './session.js';

export interface SessionManagerOptions {
  readonly settings: DedicatedSettings;
  /** One for each backend of the settings, by name. */
  readonly drivers: Readonly<Record<string, ConnectionDriver<unknown>>>;
  /** Required when events are mandatory. */
  readonly sink?: SessionAuditSink;
  readonly clock?: Clock;
  readonly random?: () => number;
  /** Has what comes in on a session's connections charged to its namespace. */
  readonly meter?: CpuMeter;
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
 * Sessions and connections are bounded by the budgets of the settings; beyond them a session is rejected. A session ends
 * when its owner ends it, when it has had no request under way for `sessionTimeoutMs`, when one of its connections is
 * lost, and on {@link drain}. Ending takes no new requests, lets those under way finish for `drainTimeoutMs`, closes the
 * connections, and only then gives the budget back.
 */
export class SessionManager {
  readonly #settings: DedicatedSettings;
  readonly #clock: Clock;
  readonly #backends: ReadonlyMap<string, DedicatedBackend>;
  readonly #budget: SessionBudget;
  readonly #journal: SessionJournal;
  readonly #idle: Expiry<ManagedSession>;
  readonly #sessions = new Map<SessionId, ManagedSession>();
  #isOpening = true;
  #drained: Promise<void> | undefined = undefined;
  #foreignAttempts = 0;

  /**
   * @throws {UnknownBackendError} when a backend has no driver
   * @throws {InvalidSettingsError} when events are mandatory and have no sink
   */
  constructor(options: SessionManagerOptions) {
    const { settings, drivers, sink, clock = SYSTEM_CLOCK, random = Math.random, meter = NO_CPU_METER } = options;
    if (settings.audit.isMandatory && sink === undefined) {
      throw new InvalidSettingsError(['audit.mandatory: expected a sink for the events']);
    }
    this.#settings = settings;
    this.#clock = clock;
    this.#budget = new SessionBudget(settings);
    this.#journal = new SessionJournal({ sink, settings: settings.audit, clock });
    const { connectTimeoutMs, sessionTimeoutMs } = settings;
    this.#backends = new Map(
      [...settings.backends.keys()].map((name) => {
        const driver = Object.hasOwn(drivers, name) ? drivers[name] : undefined;
        if (driver === undefined) {
          throw new UnknownBackendError(name, 'a driver for it');
        }
        return [name, new DedicatedBackend({ name, driver, clock, random, meter, connectTimeoutMs })];
      }),
    );
    this.#idle = new Expiry({
      clock,
      delayMs: sessionTimeoutMs,
      onExpired: (session) => void this.#destroy(session, 'idle_timeout', 0), // never rejects
    });
  }

  /**
   * Sets up a session with its connections.
   *
   * @throws {SessionLimitError} when a budget is used up
   * @throws {AuditUnavailableError} when events are mandatory and cannot be written
   * @throws {BackendUnavailableError} when a connection cannot be made; those that were made are closed
   * @throws {UnknownBackendError} when connections to a backend that is not configured are asked for
   * @throws {SessionsClosedError} when shutting down
   * @throws the reason of `signal` when that aborts first
   */
  async open(owner: SessionOwner, { connections, credentials, signal }: OpenSessionOptions = {}): Promise<Session> {
    const wanted = readWanted(connections, this.#backends);
    signal?.throwIfAborted();
    if (!this.#isOpening) {
      throw new SessionsClosedError();
    }
    if (!this.#journal.permitsSessions) {
      throw new AuditUnavailableError('session');
    }
    this.#budget.reserve(owner, countsByName(wanted));
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

  /** Ends the sessions of owners for whom there is an error now: nobody can use them any more, and their requests are told to end. */
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

  /** Rejects new sessions from now on; those that exist go on. */
  stopOpening(): void {
    this.#isOpening = false;
  }

  snapshot(): SessionsSnapshot {
    const { maxSessions, backends } = this.#settings;
    const budget = this.#budget;
    return {
      isOpening: this.#isOpening,
      sessions: this.#sessions.size,
      maxSessions,
      connections: [...backends.keys()].map((backend) => ({
        backend,
        total: budget.connectionsTo(backend),
        max: budget.maxConnectionsTo(backend),
      })),
      foreignAttempts: this.#foreignAttempts,
      audit: this.#journal.snapshot(),
    };
  }

  /**
   * Leaves this process its part of `max_connections` to each backend. Sessions that exist stay as they are; until enough
   * of them have ended, no new one gets connections.
   *
   * @throws {RangeError} when `replicas` is no integer from 1 on
   */
  divideCaps(replicas: number): void {
    for (const [backend, { maxConnections }] of this.#settings.backends) {
      this.#budget.resize(backend, partOfCap(maxConnections, replicas));
    }
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

  async #connect(session: ManagedSession, backend: DedicatedBackend, credentials?: Credentials): Promise<void> {
    const { name, driver } = backend;
    let raw: unknown;
    try {
      raw = await backend.connect(session.namespace, session.setup.signal, credentials);
    } catch (error) {
      this.#budget.releaseConnection(name);
      session.abandon('connect_failed', error);
      return;
    }
    const [establishedAt, openedAtMs] = [this.#clock.date(), this.#clock.now()];
    const connection = new SessionConnection({ session: session.id, backend: name, raw, establishedAt, openedAtMs });
    session.add(backend, connection);
    this.#journal.established(session, connection);
    driver.onLost?.(raw, () => this.#lose(session, backend));
  }

  #lose(session: ManagedSession, { name }: DedicatedBackend): void {
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

  async #close(session: ManagedSession, { backend, connection }: SessionPart): Promise<void> {
    connection.end();
    await backend.close(connection.raw);
    this.#budget.releaseConnection(backend.name);
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
