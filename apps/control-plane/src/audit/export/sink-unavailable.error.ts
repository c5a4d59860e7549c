import { DomainError } from '@palisade/domain';

/** Action records cannot be exported or read where they were exported to; they stay in the store until they can. */
export class SinkUnavailableError extends DomainError {
  override readonly name = 'SinkUnavailableError';
  readonly code = 'AUDIT_BACKEND_UNAVAILABLE';

  constructor(
    readonly location: string,
    options?: ErrorOptions,
  ) {
    super(`the audit backend ${location} cannot be reached or written`, options);
  }
}
