import { DomainError, type PoolName } from '@palisade/domain';

/** The configuration has no pool of this name. */
export class PoolNotFoundError extends DomainError {
  override readonly name = 'PoolNotFoundError';
  readonly code = 'POOL_NOT_FOUND';

  constructor(readonly pool: PoolName) {
    super(`there is no pool "${pool}"`);
  }
}
