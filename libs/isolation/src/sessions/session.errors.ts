import { DomainError } from '@palisade/domain';
import type { SessionEndReason } from './session-event.js';

/** So many requests of this session wait for the connection already that no more are taken; the work was not started. */
export class SessionBusyError extends DomainError {
  readonly code = 'SESSION_BUSY';

  constructor(
    readonly session: string,
    readonly maxQueued: number,
    readonly retryAfterSeconds = 1,
  ) {
    super(`session ${session}: ${maxQueued} requests wait for its connection already`);
  }
}

/** The session ended while the request was under way; whether the backend has done what was asked is not known. */
export class SessionEndedError extends DomainError {
  readonly code = 'SESSION_ENDED';

  constructor(
    readonly session: string,
    readonly reason: SessionEndReason,
  ) {
    super(`session ${session} ended (${reason}) while the request was under way`);
  }
}

/** A budget of sessions, or of their connections, is used up; the session was not created. */
export class SessionLimitError extends DomainError {
  readonly code = 'SESSION_LIMIT';

  constructor(
    /** `max_sessions`, `postgres.max_connections` and the like. */
    readonly limit: string,
    readonly used: number,
    readonly wanted: number,
    readonly max: number,
    readonly retryAfterSeconds = 1,
  ) {
    super(`no session can be created: ${limit} is ${max}, of which ${used} are taken and ${wanted} more wanted`);
  }
}

/**
 * The caller has no session of this id: it never existed, has ended, or belongs to another client or namespace. Which
 * of these is not told.
 */
export class SessionNotFoundError extends DomainError {
  readonly code = 'SESSION_NOT_FOUND';

  constructor(readonly session: string) {
    super(`session ${JSON.stringify(session.slice(0, 80))} does not exist`);
  }
}

/** The service is shutting down and creates no sessions any more. */
export class SessionsClosedError extends DomainError {
  readonly code = 'SESSIONS_CLOSED';

  constructor() {
    super('no session can be created: shutting down');
  }
}
