import { DomainError } from '@palisade/domain';

/** The audit trail, without which no session may exist, cannot be written; the session was not created. */
export class AuditUnavailableError extends DomainError {
  override readonly name = 'AuditUnavailableError';
  readonly code = 'AUDIT_UNAVAILABLE';

  constructor(
    readonly retryAfterSeconds = 1,
    options?: ErrorOptions,
  ) {
    super('no session can be created: the audit trail cannot be written', options);
  }
}
