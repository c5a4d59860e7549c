import { DomainError } from '@palisade/domain';

/** A budget of sessions, or of their connections, is used up; the session was not created. */
export class SessionLimitError extends DomainError {
  override readonly name = 'SessionLimitError';
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
