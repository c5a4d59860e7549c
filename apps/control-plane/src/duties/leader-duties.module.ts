import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { KubernetesModule } from '../kubernetes/kubernetes.module.js';
import { LeadershipModule } from '../leadership/leadership.module.js';
import { LoadBalancerControlModule } from '../load-balancer/load-balancer-control.module.js';
import { RegistryModule } from '../registry/registry.module.js';
import { LeaderDuties } from './leader-duties.js';

/** Everything that only the leader does. */
@Module({
  imports: [AuditModule, KubernetesModule, LeadershipModule, LoadBalancerControlModule, RegistryModule],
  providers: [LeaderDuties],
})
export class LeaderDutiesModule {}
