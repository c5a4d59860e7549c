import { DomainError } from '@palisade/domain';

/** The configuration file has no section `load_balancer`. */
export class LoadBalancerNotConfiguredError extends DomainError {
  override readonly name = 'LoadBalancerNotConfiguredError';
  readonly code = 'LOAD_BALANCER_NOT_CONFIGURED';

  constructor() {
    super('there is no load_balancer in the configuration');
  }
}
