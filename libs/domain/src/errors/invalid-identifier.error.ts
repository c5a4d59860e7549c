import { DomainError } from './domain.error.js';

/** A text that should identify something does not have the form of such an identifier. */
export class InvalidIdentifierError extends DomainError {
  override readonly name = 'InvalidIdentifierError';
  readonly code = 'INVALID_IDENTIFIER';

  constructor(
    readonly kind: string,
    readonly text: string,
    readonly expected: string,
  ) {
    super(`${kind}: expected ${expected}, found ${JSON.stringify(text.slice(0, 80))}`);
  }
}
