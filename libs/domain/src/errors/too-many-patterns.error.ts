import { DomainError } from './domain.error.js';

/** The registry holds as many patterns of the costly kind as it may; nothing was changed. */
export class TooManyPatternsError extends DomainError {
  override readonly name = 'TooManyPatternsError';
  readonly code = 'TOO_MANY_PATTERNS';

  constructor(readonly limit: number) {
    super(`there may be ${limit} patterns that are neither a name nor "prefix*"`);
  }
}
