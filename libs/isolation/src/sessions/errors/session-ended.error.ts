import { DomainError } from '@palisade/domain';
import type { SessionEndReason } from '../session-event.js';

/** The session ended while the request was under way; whether the backend has done what was asked is not known. */
export class SessionEndedError extends DomainError {
  override readonly name = 'SessionEndedError';
  readonly code = 'SESSION_ENDED';

  constructor(
    readonly session: string,
    readonly reason: SessionEndReason,
  ) {
    super(`session ${session} ended (${reason}) while the request was under way`);
  }
}
