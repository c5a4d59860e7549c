import { Logger, Module, Optional, type OnModuleInit } from '@nestjs/common';
import { Metrics } from '@palisade/platform';
import { LeadershipModule } from '../leadership/leadership.module.js';
import { RegistryModule } from '../routing/table/registry.module.js';
import { ControlPlaneSettings } from '../config/control-plane-settings.js';
import { LoadBalancerControl } from './load-balancer-control.js';
import { createLoadBalancer } from './create-load-balancer.js';
import { registerLoadBalancerMetrics } from './load-balancer-metrics.js';
import { LoadBalancer } from './load-balancer.js';
import { ReplicaLoadBalancerControl } from './replica-load-balancer-control.js';

/** The load balancer of the configuration, if it has one, and the way to it from every replica. */
@Module({
  imports: [LeadershipModule, RegistryModule],
  providers: [
    { provide: LoadBalancer, inject: [ControlPlaneSettings], useFactory: createConfigured },
    { provide: LoadBalancerControl, useClass: ReplicaLoadBalancerControl },
  ],
  exports: [LoadBalancer, LoadBalancerControl],
})
export class LoadBalancerControlModule implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    @Optional() private readonly loadBalancer?: LoadBalancer,
  ) {}

  onModuleInit(): void {
    if (this.loadBalancer !== undefined) {
      registerLoadBalancerMetrics(this.metrics.registry, this.loadBalancer);
    }
  }
}

function createConfigured({ loadBalancer }: ControlPlaneSettings): LoadBalancer | undefined {
  const logger = new Logger(LoadBalancer.name);
  return loadBalancer && createLoadBalancer(loadBalancer, { onFallback: (what) => logger.warn(what) });
}
