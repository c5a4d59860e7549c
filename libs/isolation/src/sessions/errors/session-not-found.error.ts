import { DomainError } from '@palisade/domain';

/**
 * The caller has no session of this id: it never existed, has ended, or belongs to another client or namespace. Which
 * of these is not told.
 */
export class SessionNotFoundError extends DomainError {
  override readonly name = 'SessionNotFoundError';
  readonly code = 'SESSION_NOT_FOUND';

  constructor(readonly session: string) {
    super(`session ${JSON.stringify(session.slice(0, 80))} does not exist`);
  }
}
