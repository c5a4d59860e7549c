import { Module } from '@nestjs/common';
import { AuthenticationModule } from '../authentication.module.js';
import { ProxiesModule } from '../proxies/proxies.module.js';
import { ProxyAccessModule } from '../proxy-access/proxy-access.module.js';
import { RegistryModule } from '../routing/table/registry.module.js';
import { Policies } from './policies.js';
import { PolicyController } from './policy.controller.js';
import { PolicyStreams } from './policy-streams.js';

/** Sends each proxy what its pool has to enforce. */
@Module({
  imports: [AuthenticationModule, ProxiesModule, ProxyAccessModule, RegistryModule],
  controllers: [PolicyController],
  providers: [Policies, PolicyStreams],
  exports: [Policies, PolicyStreams],
})
export class PolicyModule {}
