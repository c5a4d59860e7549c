import { DomainError } from '@palisade/domain';
import type { PoolSnapshot } from '../pool-snapshot.js';

/** No connection came free for this namespace in time; the work was not started. */
export class PoolTimeoutError extends DomainError {
  override readonly name = 'PoolTimeoutError';
  readonly code = 'POOL_TIMEOUT';

  constructor(
    readonly pool: PoolSnapshot,
    readonly waitedMs: number,
    readonly retryAfterSeconds = 1,
  ) {
    super(
      `pool "${pool.name}" gave no lease within ${Math.round(waitedMs)} ms (active=${pool.active}/${pool.max}, queued=${pool.queued})`,
    );
  }
}
