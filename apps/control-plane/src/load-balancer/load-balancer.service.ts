import { Injectable } from '@nestjs/common';
import type { ChangeContext, LoadBalancerVersion } from '@palisade/domain';
import { ReloadUnsuccessfulError } from './load-balancer.errors.js';
import { LoadBalancerControl } from './load-balancer-control.js';

/** What operators do with the load balancer. */
@Injectable()
export class LoadBalancerService {
  constructor(private readonly control: LoadBalancerControl) {}

  /** @throws {ReloadUnsuccessfulError} when it was not applied */
  async reload(change: ChangeContext): Promise<LoadBalancerVersion> {
    const version = await this.control.reload(change);
    switch (version.result) {
      case 'applied':
      case 'unchanged':
        return version;
      case 'rejected':
      case 'rolled_back':
      case 'failed':
        throw new ReloadUnsuccessfulError(version, version.result);
    }
  }
}
