import { DomainError } from '@palisade/domain';

/** Records of the log are not those that were written; nothing is exported or removed any more. */
export class LogBrokenError extends DomainError {
  readonly code = 'AUDIT_CHAIN_BROKEN';

  constructor(
    readonly where: string,
    readonly brokenAt: number,
    readonly reason: string,
  ) {
    super(`the log in ${where} is broken at position ${brokenAt} (${reason})`);
  }
}

/** The log cannot be exported, or read where it was exported to; records stay in the store until it can. */
export class SinkUnavailableError extends DomainError {
  readonly code = 'AUDIT_BACKEND_UNAVAILABLE';

  constructor(
    readonly location: string,
    options?: ErrorOptions,
  ) {
    super(`the audit backend ${location} cannot be reached or written`, options);
  }
}
