import { DomainError } from '@palisade/domain';

/** Only the leader administers the load balancer, and there is none, or it did not answer in time. */
export class LeaderUnavailableError extends DomainError {
  override readonly name = 'LeaderUnavailableError';
  readonly code = 'LEADER_UNAVAILABLE';

  constructor(readonly retryAfterSeconds: number) {
    super('no leader answers at the moment; it may still do what was asked for');
  }
}
