import { Module } from '@nestjs/common';
import { RegistryModule } from '../routing/table/registry.module.js';
import { RoutingModule } from '../routing/routing.module.js';
import { TenantsModule } from '../tenants/tenants.module.js';
import { AccessController } from './access.controller.js';
import { AccessService } from './access.service.js';
import { TenantAdminsController } from './tenant-admins.controller.js';
import { TenantAdmins } from './tenant-admins.js';

/** Where what the directory says of users meets routing. */
@Module({
  imports: [RegistryModule, RoutingModule, TenantsModule],
  controllers: [AccessController, TenantAdminsController],
  providers: [AccessService, TenantAdmins],
})
export class AccessModule {}
