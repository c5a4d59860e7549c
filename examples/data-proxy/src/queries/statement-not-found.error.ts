import { DomainError } from '@palisade/domain';

/** This program has no statement of that name. */
export class StatementNotFoundError extends DomainError {
  override readonly name = 'StatementNotFoundError';
  readonly code = 'STATEMENT_NOT_FOUND';

  constructor(name: string) {
    super(`there is no statement ${JSON.stringify(name.slice(0, 80))}`);
  }
}
