import { DomainError } from '@palisade/domain';

/** No more requests of the namespace are taken at the moment; this one was not started. */
export class RateLimitedError extends DomainError {
  override readonly name = 'RateLimitedError';
  readonly code = 'RATE_LIMITED';
  readonly retryAfterSeconds: number;

  constructor(
    readonly namespace: string,
    reason: string,
    retryInMs: number,
  ) {
    super(`namespace "${namespace}": ${reason}`);
    this.retryAfterSeconds = Math.max(1, Math.ceil(retryInMs / 1000));
  }
}
