import { DomainError } from './domain.error.js';

/** Another replica has become the leader; what this one wanted to write was refused. */
export class LeaseLostError extends DomainError {
  override readonly name = 'LeaseLostError';
  readonly code = 'LEASE_LOST';

  constructor(
    readonly lease: string,
    readonly epoch: number,
  ) {
    super(`the lease "${lease}" of epoch ${epoch} has gone to another holder`);
  }
}
