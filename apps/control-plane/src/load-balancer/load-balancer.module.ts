import { Logger, Module, Optional, type OnModuleInit } from '@nestjs/common';
import { Store } from '@palisade/domain';
import { Metrics } from '@palisade/platform';
import { ControlPlaneSettings } from '../config/control-plane-settings.js';
import { Leadership } from '../leadership/leadership.js';
import { LeadershipModule } from '../leadership/leadership.module.js';
import { Registry } from '../routing/table/registry.js';
import { RegistryModule } from '../routing/table/registry.module.js';
import { createLoadBalancer } from './create-load-balancer.js';
import { registerLoadBalancerMetrics } from './load-balancer-metrics.js';
import { LoadBalancerController } from './load-balancer.controller.js';
import { LoadBalancerDuty } from './load-balancer.duty.js';
import { LoadBalancerService } from './load-balancer.service.js';
import { LoadBalancer } from './load-balancer.js';

/** The load balancer of the configuration, if it has one: what the leader does with it, and its part of the API. */
@Module({
  imports: [LeadershipModule, RegistryModule],
  controllers: [LoadBalancerController],
  providers: [
    { provide: LoadBalancer, inject: [ControlPlaneSettings], useFactory: createConfigured },
    LoadBalancerService,
  ],
})
export class LoadBalancerModule implements OnModuleInit {
  constructor(
    private readonly store: Store,
    private readonly registry: Registry,
    private readonly settings: ControlPlaneSettings,
    private readonly leadership: Leadership,
    private readonly metrics: Metrics,
    @Optional() private readonly loadBalancer?: LoadBalancer,
  ) {}

  onModuleInit(): void {
    const { store, registry, loadBalancer } = this;
    const { health, loadBalancer: configured } = this.settings;
    if (loadBalancer !== undefined && configured !== undefined) {
      const { driftIntervalMs, policyWaitMs } = configured;
      this.leadership.assign(
        new LoadBalancerDuty(store, registry, loadBalancer, { health, driftIntervalMs, policyWaitMs }),
      );
      registerLoadBalancerMetrics(this.metrics.registry, loadBalancer);
    }
  }
}

function createConfigured({ loadBalancer }: ControlPlaneSettings): LoadBalancer | undefined {
  const logger = new Logger(LoadBalancer.name);
  return loadBalancer && createLoadBalancer(loadBalancer, { onFallback: (what) => logger.warn(what) });
}
