import { Module, Optional, type OnModuleInit } from '@nestjs/common';
import { Store } from '@palisade/domain';
import { Metrics } from '@palisade/platform';
import { registerAuditMetrics } from '../audit/audit-metrics.js';
import { AuditModule } from '../audit/audit.module.js';
import { AuditExporter } from '../audit/export/audit-exporter.js';
import { registerDnsMetrics } from '../dns/dns-metrics.js';
import { KubernetesModule } from '../kubernetes/kubernetes.module.js';
import { Leadership } from '../leadership/leadership.js';
import { LeadershipModule } from '../leadership/leadership.module.js';
import { LoadBalancerControlModule } from '../load-balancer/load-balancer-control.module.js';
import { RegistryModule } from '../routing/table/registry.module.js';
import { LeaderDuties } from './leader-duties.js';

/** Everything that only the leader does, and what Prometheus sees of it. */
@Module({
  imports: [AuditModule, KubernetesModule, LeadershipModule, LoadBalancerControlModule, RegistryModule],
  providers: [LeaderDuties],
})
export class LeaderDutiesModule implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    private readonly store: Store,
    private readonly leadership: Leadership,
    private readonly duties: LeaderDuties,
    @Optional() private readonly exporter?: AuditExporter,
  ) {}

  onModuleInit(): void {
    const { store, leadership, exporter } = this;
    const { registry } = this.metrics;
    if (this.duties.dns !== undefined) {
      registerDnsMetrics(registry, this.duties.dns);
    }
    if (exporter !== undefined) {
      registerAuditMetrics(registry, { actions: store.actions, leadership, exporter });
    }
  }
}
