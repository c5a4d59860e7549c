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

/** No proxy reports what tenants use. */
export class NothingMeasuredError extends DomainError {
  readonly code = 'NOTHING_MEASURED';

  constructor() {
    super('no proxy has reported what tenants use within half a minute; ask without from=usage');
  }
}

export const POOL_PROBLEMS = {
  POOL_NOT_FOUND: [HttpStatus.NOT_FOUND, 'no such pool', new PoolNotFoundError(parsePoolName('gold'))],
  NOTHING_MEASURED: [HttpStatus.CONFLICT, 'no proxy reports what tenants use', new NothingMeasuredError()],
} as const satisfies ProblemTable;
