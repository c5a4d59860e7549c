import { DomainError } from '@palisade/domain';

/** At the isolation level `session` work is done in a session, and the caller named none. */
export class SessionRequiredError extends DomainError {
  override readonly name = 'SessionRequiredError';
  readonly code = 'SESSION_REQUIRED';

  constructor(readonly namespace: string) {
    super(`isolation_level is session: work for namespace "${namespace}" needs a session, and none was named`);
  }
}
