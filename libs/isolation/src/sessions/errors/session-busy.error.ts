import { DomainError } from '@palisade/domain';

/** So many requests of this session wait for the connection already that no more are taken; the work was not started. */
export class SessionBusyError extends DomainError {
  override readonly name = 'SessionBusyError';
  readonly code = 'SESSION_BUSY';

  constructor(
    readonly session: string,
    readonly maxQueued: number,
    readonly retryAfterSeconds = 1,
  ) {
    super(`session ${session}: ${maxQueued} requests wait for its connection already`);
  }
}
