import { Module, type OnModuleInit } from '@nestjs/common';
import { Metrics } from '@palisade/platform';
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
export class PolicyModule implements OnModuleInit {
  constructor(
    private readonly streams: PolicyStreams,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge({
      name: 'control_plane_policy_streams',
      help: 'Policy streams that this replica serves.',
      read: () => this.streams.size,
    });
  }
}
