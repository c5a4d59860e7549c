import { DomainError } from '@palisade/domain';

/** The statement would have returned more rows than may be held at a time; what it changed was undone. */
export class RowLimitError extends DomainError {
  override readonly name = 'RowLimitError';
  readonly code = 'ROW_LIMIT';

  constructor(readonly maxRows: number) {
    super(`the statement returns more than ${maxRows} rows: limit it, or stream`);
  }
}
