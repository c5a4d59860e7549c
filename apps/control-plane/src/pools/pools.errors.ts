import { HttpStatus } from '@nestjs/common';
import { DomainError, parsePoolName, type PoolName } from '@palisade/domain';
import type { ProblemTable } from '@palisade/platform';

/** The configuration has no pool of this name. */
export class PoolNotFoundError extends DomainError {
  readonly code = 'POOL_NOT_FOUND';

  constructor(readonly pool: PoolName) {
    super(`there is no pool "${pool}"`);
  }
}

export const POOL_PROBLEMS = {
  POOL_NOT_FOUND: [HttpStatus.NOT_FOUND, 'no such pool', new PoolNotFoundError(parsePoolName('gold'))],
} as const satisfies ProblemTable;
