import { DomainError } from '@palisade/domain';

/** The service is shutting down and creates no sessions any more. */
export class SessionsClosedError extends DomainError {
  override readonly name = 'SessionsClosedError';
  readonly code = 'SESSIONS_CLOSED';

  constructor() {
    super('no session can be created: shutting down');
  }
}
