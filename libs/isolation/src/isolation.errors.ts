import { DomainError, type IsolationLevel } from '@palisade/domain';

/** What was asked for does not exist at the configured isolation level. */
export class IsolationLevelError extends DomainError {
  readonly code = 'ISOLATION_LEVEL';

  constructor(
    readonly level: IsolationLevel,
    what: string,
  ) {
    super(`isolation_level is ${level}: there are no ${what}`);
  }
}

/** The service is shutting down and has waited long enough for the work; whether the backend has done it is not known. */
export class IsolationClosedError extends DomainError {
  readonly code = 'ISOLATION_CLOSED';

  constructor(readonly waitedMs: number) {
    super(`work was still under way ${waitedMs} ms after the beginning of the shutdown`);
  }
}

/** The isolation level is `session`, and the caller did not name its session. */
export class SessionRequiredError extends DomainError {
  readonly code = 'SESSION_REQUIRED';

  constructor(readonly namespace: string) {
    super(`isolation_level is session: work for namespace "${namespace}" needs a session, and none was named`);
  }
}
