import { DomainError } from '@palisade/domain';

/** The database refused the statement with these values; nothing was changed. */
export class StatementRefusedError extends DomainError {
  override readonly name = 'StatementRefusedError';
  readonly code = 'STATEMENT_REFUSED';

  constructor(sqlState: string, options: ErrorOptions) {
    super(`the database refused the values (SQLSTATE ${sqlState})`, options);
  }
}
