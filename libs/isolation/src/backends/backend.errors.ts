import { DomainError } from '@palisade/domain';

/** No backend of this name, or of this kind, is configured. */
export class UnknownBackendError extends DomainError {
  readonly code = 'UNKNOWN_BACKEND';

  constructor(
    readonly backend: string,
    expected: string,
  ) {
    super(`backend ${JSON.stringify(backend.slice(0, 80))}: expected ${expected}`);
  }
}

/** The caller gave a name that is invalid in the backend; nothing was sent. */
export class InvalidNameError extends DomainError {
  readonly code = 'INVALID_NAME';

  constructor(
    readonly kind: string,
    readonly text: string,
    readonly expected: string,
  ) {
    super(`${kind}: expected ${expected}, found ${JSON.stringify(text.slice(0, 80))}`);
  }
}

/** A backend that is connected did not answer in time; whether it has done what was asked is not known. */
export class BackendTimeoutError extends DomainError {
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

/** The connection ended in the middle; whether the backend has done what was asked is not known. */
export class ConnectionLostError extends DomainError {
  readonly code = 'CONNECTION_LOST';
  readonly retryAfterSeconds = 1;

  constructor(
    readonly backend: string,
    options?: ErrorOptions,
  ) {
    super(`${backend}: the connection ended before the answer had come`, options);
  }
}

/** More messages came than may wait for their consumer, so the subscription has ended: those after the last are lost. */
export class SlowConsumerError extends DomainError {
  readonly code = 'SLOW_CONSUMER';

  constructor(
    readonly messages: number,
    readonly bytes: number,
  ) {
    super(`the subscription ended: ${messages} messages of ${bytes} bytes together waited to be consumed`);
  }
}

/** The package that a backend is reached with is not installed. */
export class MissingPackageError extends Error {
  override readonly name = 'MissingPackageError';

  constructor(
    readonly backend: string,
    readonly missing: string,
    options?: ErrorOptions,
  ) {
    super(`${backend} backends need the package ${missing}: npm install ${missing}`, options);
  }
}
