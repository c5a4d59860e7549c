import { Module, Optional, type OnModuleInit } from '@nestjs/common';
import { Store } from '@palisade/domain';
import { Metrics } from '@palisade/platform';
import { ControlPlaneSettings } from '../config/control-plane-settings.js';
import { Leadership } from '../leadership/leadership.js';
import { LeadershipModule } from '../leadership/leadership.module.js';
import { AuditController } from './api/audit.controller.js';
import { AuditService } from './api/audit.service.js';
import { registerAuditMetrics } from './audit-metrics.js';
import { AuditRetention } from './audit-retention.js';
import { AuditDuty } from './audit.duty.js';
import { ChainVerification } from './chain/chain-verification.js';
import { AuditExporter } from './export/audit-exporter.js';
import { openSink } from './export/open-sink.js';

/** Reading, verifying, exporting and removing action records. */
@Module({
  imports: [LeadershipModule],
  controllers: [AuditController],
  providers: [
    AuditService,
    ChainVerification,
    AuditRetention,
    AuditDuty,
    { provide: AuditExporter, inject: [Store, ControlPlaneSettings], useFactory: createExporter },
  ],
})
export class AuditModule implements OnModuleInit {
  constructor(
    private readonly store: Store,
    private readonly leadership: Leadership,
    private readonly metrics: Metrics,
    private readonly duty: AuditDuty,
    @Optional() private readonly exporter?: AuditExporter,
  ) {}

  onModuleInit(): void {
    const { leadership, exporter } = this;
    leadership.assign(this.duty);
    if (exporter !== undefined) {
      registerAuditMetrics(this.metrics.registry, { actions: this.store.actions, leadership, exporter });
    }
  }
}

/** Undefined without an audit backend. */
async function createExporter(
  store: Store,
  { auditBackend }: ControlPlaneSettings,
): Promise<AuditExporter | undefined> {
  return auditBackend && new AuditExporter(store.actions, await openSink(auditBackend));
}
