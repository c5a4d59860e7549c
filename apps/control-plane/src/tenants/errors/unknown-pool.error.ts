import { DomainError, type PoolName } from '@palisade/domain';

/** The configuration has no pool of this name. */
export class UnknownPoolError extends DomainError {
  override readonly name = 'UnknownPoolError';
  readonly code = 'UNKNOWN_POOL';

  constructor(
    readonly pool: PoolName,
    readonly known: readonly PoolName[],
  ) {
    super(`pool: expected one of ${known.map((each) => `"${each}"`).join(', ')}, found "${pool}"`);
  }
}
