import { Module } from '@nestjs/common';
import { RefusalsModule } from '../refusals/refusals.module.js';
import { RegistryModule } from '../registry/registry.module.js';
import { TenantAccess } from './tenant-access.js';
import { TenantsController } from './tenants.controller.js';
import { TenantsService } from './tenants.service.js';

@Module({
  imports: [RegistryModule, RefusalsModule],
  controllers: [TenantsController],
  providers: [TenantsService, TenantAccess],
  exports: [TenantsService],
})
export class TenantsModule {}
