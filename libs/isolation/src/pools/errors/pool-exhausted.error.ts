import { DomainError } from '@palisade/domain';

/** A bound on those who wait is reached, of one namespace's queue or of all namespaces; the work was not started. */
export class PoolExhaustedError extends DomainError {
  override readonly name = 'PoolExhaustedError';
  readonly code = 'POOL_EXHAUSTED';

  constructor(
    readonly pool: string,
    readonly bound: 'queued' | 'namespaces',
    readonly max: number,
    readonly retryAfterSeconds = 1,
  ) {
    super(`pool "${pool}" is exhausted (${bound}=${max}/${max})`);
  }
}
