import { Module } from '@nestjs/common';
import { ProxiesModule } from '../proxies/proxies.module.js';
import { RegistryModule } from '../routing/table/registry.module.js';
import { AccessWatch } from './access-watch.js';
import { ProxyAccessController } from './proxy-access.controller.js';
import { ProxyAccessService } from './proxy-access.service.js';

/** What the directory says of the users behind proxies' requests: on demand, and when it changes. */
@Module({
  imports: [ProxiesModule, RegistryModule],
  controllers: [ProxyAccessController],
  providers: [ProxyAccessService, AccessWatch],
  exports: [AccessWatch],
})
export class ProxyAccessModule {}
