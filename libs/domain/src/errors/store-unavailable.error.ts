import { DomainError } from './domain.error.js';

/** The store cannot be reached or is shutting down; whether the last change was made is unknown, repeating it is safe. */
export class StoreUnavailableError extends DomainError {
  override readonly name = 'StoreUnavailableError';
  readonly code = 'STORE_UNAVAILABLE';

  constructor(
    readonly retryAfterSeconds: number,
    options?: ErrorOptions,
  ) {
    super(`the store is unavailable, retry in ${retryAfterSeconds} s`, options);
  }
}
