import { DomainError } from '@palisade/domain';

/** A backend that is connected did not answer in time; whether it has done what was asked is not known. */
export class BackendTimeoutError extends DomainError {
  override readonly name = 'BackendTimeoutError';
  readonly code = 'BACKEND_TIMEOUT';
  readonly retryAfterSeconds = 1;

  constructor(
    readonly backend: string,
    readonly operation: string,
    readonly waitedMs: number,
    options?: ErrorOptions,
  ) {
    super(`${backend}: no answer to ${operation} within ${waitedMs} ms`, options);
  }
}
