import { Module } from '@nestjs/common';
import { RegistryModule } from '../routing/table/registry.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { ProxiesController } from './proxies.controller.js';
import { ProxiesService } from './proxies.service.js';

@Module({
  imports: [RegistryModule, UsageModule],
  controllers: [ProxiesController],
  providers: [ProxiesService],
  exports: [ProxiesService],
})
export class ProxiesModule {}
