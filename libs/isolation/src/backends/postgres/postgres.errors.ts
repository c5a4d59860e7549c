import { DomainError } from '@palisade/domain';

/** The statement cannot be sent as it is; nothing was sent. */
export class InvalidStatementError extends DomainError {
  readonly code = 'INVALID_STATEMENT';

  constructor(expected: string) {
    super(`statement: expected ${expected}`);
  }
}

/** Row-level security does not separate tenants here, for these reasons; nothing may be served. */
export class RowLevelSecurityError extends DomainError {
  readonly code = 'ROW_LEVEL_SECURITY';

  constructor(
    readonly problems: readonly string[],
    options?: ErrorOptions,
  ) {
    super(`row-level security does not separate tenants:\n${problems.map((each) => `  ${each}`).join('\n')}`, options);
  }
}

/** The statement would have returned more rows than may be held at a time; what it changed was undone. */
export class RowLimitError extends DomainError {
  readonly code = 'ROW_LIMIT';

  constructor(readonly maxRows: number) {
    super(`the statement returns more than ${maxRows} rows: limit it, or stream`);
  }
}

/** The transaction cannot go on, or did not take effect: everything in it was undone, or will be by a rollback. */
export class TransactionFailedError extends DomainError {
  readonly code = 'TRANSACTION_FAILED';

  constructor(reason: string, options?: ErrorOptions) {
    super(`the transaction failed: ${reason}`, options);
  }
}
