import { DomainError, type LoadBalancerVersion } from '@palisade/domain';

const CODES = {
  rejected: 'LOAD_BALANCER_REJECTED',
  rolled_back: 'LOAD_BALANCER_ROLLED_BACK',
  failed: 'LOAD_BALANCER_FAILED',
} as const;

export type UnsuccessfulResult = keyof typeof CODES;

/** The load balancer does not do what it was to do; what it did before, it still does unless it does not run. */
export class ReloadUnsuccessfulError extends DomainError {
  override readonly name = 'ReloadUnsuccessfulError';
  readonly code: (typeof CODES)[UnsuccessfulResult];

  constructor({ id, revision, reason }: LoadBalancerVersion, result: UnsuccessfulResult) {
    super(`revision ${revision} was ${result.replace('_', ' ')} as ${id}: ${reason ?? 'no reason is known'}`);
    this.code = CODES[result];
  }
}
