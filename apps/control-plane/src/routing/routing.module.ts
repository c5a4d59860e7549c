import { Module } from '@nestjs/common';
import { RegistryModule } from './table/registry.module.js';
import { NamespaceAccess } from './namespace-access.js';
import { RoutingController } from './routing.controller.js';
import { RoutingService } from './routing.service.js';

@Module({
  imports: [RegistryModule],
  controllers: [RoutingController],
  providers: [RoutingService, NamespaceAccess],
  exports: [NamespaceAccess],
})
export class RoutingModule {}
