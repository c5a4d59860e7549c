import { Module } from '@nestjs/common';
import { RegistryModule } from '../routing/table/registry.module.js';
import { RoutingModule } from '../routing/routing.module.js';
import { CapMetrics } from './cap-metrics.js';
import { CapsService } from './caps.service.js';
import { TenantMetrics } from './tenant-metrics.js';
import { UsageController } from './usage.controller.js';
import { UsageService } from './usage.service.js';

/** What proxies use, and how the caps of backends are divided among them. */
@Module({
  imports: [RegistryModule, RoutingModule],
  controllers: [UsageController],
  providers: [CapsService, UsageService, CapMetrics, TenantMetrics],
  exports: [CapsService, UsageService],
})
export class UsageModule {}
