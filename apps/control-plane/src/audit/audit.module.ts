import { Module } from '@nestjs/common';
import { Store } from '@palisade/domain';
import { ControlPlaneSettings } from '../config/control-plane-settings.js';
import { AuditController } from './api/audit.controller.js';
import { AuditService } from './api/audit.service.js';
import { AuditRetention } from './audit-retention.js';
import { AuditDuty } from './audit.duty.js';
import { ChainVerification } from './chain/chain-verification.js';
import { AuditExporter } from './export/audit-exporter.js';
import { openSink } from './export/open-sink.js';

/** Reading, verifying, exporting and removing action records. {@link AuditDuty} is for the leader. */
@Module({
  controllers: [AuditController],
  providers: [
    AuditService,
    ChainVerification,
    AuditRetention,
    AuditDuty,
    { provide: AuditExporter, inject: [Store, ControlPlaneSettings], useFactory: createExporter },
  ],
  exports: [AuditDuty, AuditExporter, AuditRetention],
})
export class AuditModule {}

/** Undefined without an audit backend. */
async function createExporter(
  store: Store,
  { auditBackend }: ControlPlaneSettings,
): Promise<AuditExporter | undefined> {
  return auditBackend && new AuditExporter(store.actions, await openSink(auditBackend));
}
