import { DomainError } from '@palisade/domain';

/** The values do not fit the statement's parameters; nothing was sent. */
export class InvalidValuesError extends DomainError {
  readonly code = 'INVALID_VALUES';

  constructor(parameter: string, expected: string) {
    super(`values.${parameter}: expected ${expected}`);
  }
}

/** This program has no statement with that name. */
export class StatementNotFoundError extends DomainError {
  readonly code = 'STATEMENT_NOT_FOUND';

  constructor(name: string) {
    super(`there is no statement ${JSON.stringify(name.slice(0, 80))}`);
  }
}

/** The database rejected the statement with these values; nothing was changed. */
export class StatementRejectedError extends DomainError {
  readonly code = 'STATEMENT_REJECTED';

  constructor(sqlState: string, options: ErrorOptions) {
    super(`the database rejected the values (SQLSTATE ${sqlState})`, options);
  }
}
