import { Module, type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import { LoadBalancerController } from './load-balancer.controller.js';
import { LoadBalancerService } from './load-balancer.service.js';

/** The load balancer's part of the API. */
@Module({ controllers: [LoadBalancerController], providers: [LoadBalancerService] })
export class LoadBalancerModule {
  /** @param imports one of them exports the `LoadBalancerControl` that answers */
  static forRoot(imports: NonNullable<ModuleMetadata['imports']>): DynamicModule {
    return { module: LoadBalancerModule, imports };
  }
}
