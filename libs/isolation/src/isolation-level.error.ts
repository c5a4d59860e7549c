import { DomainError, type IsolationLevel } from '@palisade/domain';

/** What was asked for does not exist at the configured isolation level. */
export class IsolationLevelError extends DomainError {
  override readonly name = 'IsolationLevelError';
  readonly code = 'ISOLATION_LEVEL';

  constructor(
    readonly level: IsolationLevel,
    what: string,
  ) {
    super(`isolation_level is ${level}: there are no ${what}`);
  }
}
