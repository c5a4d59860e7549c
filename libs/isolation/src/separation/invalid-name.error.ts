import { DomainError } from '@palisade/domain';

/** A name that the caller gave is none that the backend can have; nothing was sent to it. */
export class InvalidNameError extends DomainError {
  override readonly name = 'InvalidNameError';
  readonly code = 'INVALID_NAME';

  constructor(
    readonly kind: string,
    readonly text: string,
    readonly expected: string,
  ) {
    super(`${kind}: expected ${expected}, found ${JSON.stringify(text.slice(0, 80))}`);
  }
}
