import { DomainError } from '@palisade/domain';
import type { PoolsState } from '../pool-snapshot.js';

/** The pools are shutting down and give no lease any more; the work was not started. */
export class PoolClosedError extends DomainError {
  override readonly name = 'PoolClosedError';
  readonly code = 'POOL_CLOSED';

  constructor(
    readonly pool: string,
    readonly state: PoolsState,
  ) {
    super(`pool "${pool}" gives no leases: it is ${state}`);
  }
}
