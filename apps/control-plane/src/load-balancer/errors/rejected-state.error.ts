import { DomainError } from '@palisade/domain';

/** What is desired cannot become a configuration: nothing was changed, and trying again without a change does not help. */
export class RejectedStateError extends DomainError {
  override readonly name = 'RejectedStateError';
  readonly code = 'LOAD_BALANCER_REJECTED';
}
