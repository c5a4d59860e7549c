import { DomainError } from '@palisade/domain';

/** The transaction cannot go on, or did not take effect: everything in it was undone, or will be by a rollback. */
export class TransactionFailedError extends DomainError {
  override readonly name = 'TransactionFailedError';
  readonly code = 'TRANSACTION_FAILED';

  constructor(reason: string, options?: ErrorOptions) {
    super(`the transaction failed: ${reason}`, options);
  }
}
