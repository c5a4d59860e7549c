import { DomainError } from '@palisade/domain';

/** The audit trail, without which nothing may be done, cannot be written; what was asked for was not begun. */
export class AuditUnavailableError extends DomainError {
  readonly code = 'AUDIT_UNAVAILABLE';

  constructor(
    /** What was not begun: `session`, `work`. */
    readonly rejected: 'session' | 'work',
    readonly retryAfterSeconds = 1,
    options?: ErrorOptions,
  ) {
    super(`no ${rejected} can be begun: the audit trail cannot be written`, options);
  }
}
