import { DomainError } from '@palisade/domain';

/** A field of a request has a value that the field's own validation cannot judge. */
export class InvalidRequestError extends DomainError {
  readonly code = 'INVALID_REQUEST';

  constructor(
    readonly field: string,
    readonly expected: string,
    options?: ErrorOptions,
  ) {
    super(`${field}: expected ${expected}`, options);
  }
}
