import { DomainError } from '@palisade/domain';

/** The connection ended in the middle; whether the backend has done what was asked is not known. */
export class ConnectionLostError extends DomainError {
  override readonly name = 'ConnectionLostError';
  readonly code = 'CONNECTION_LOST';
  readonly retryAfterSeconds = 1;

  constructor(
    readonly backend: string,
    options?: ErrorOptions,
  ) {
    super(`${backend}: the connection ended before the answer had come`, options);
  }
}
