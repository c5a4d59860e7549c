import { Module } from '@nestjs/common';
import { RoutingModule } from '../routing/routing.module.js';
import { RegistryModule } from '../routing/table/registry.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { TenantsController } from './tenants.controller.js';
import { TenantsService } from './tenants.service.js';

@Module({
  imports: [RegistryModule, RoutingModule, UsageModule],
  controllers: [TenantsController],
  providers: [TenantsService],
  exports: [TenantsService],
})
export class TenantsModule {}
