import { DomainError } from '@palisade/domain';

/** The statement is none that could be sent; nothing was. */
export class InvalidStatementError extends DomainError {
  override readonly name = 'InvalidStatementError';
  readonly code = 'INVALID_STATEMENT';

  constructor(expected: string) {
    super(`statement: expected ${expected}`);
  }
}
