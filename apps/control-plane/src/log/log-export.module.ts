import { Module, Optional, type OnModuleInit } from '@nestjs/common';
import { Store } from '@palisade/domain';
import { LogSeals, Metrics } from '@palisade/platform';
import { ControlPlaneSettings } from '../config/control-plane-settings.js';
import { Leadership } from '../leadership/leadership.js';
import { LeadershipModule } from '../leadership/leadership.module.js';
import { registerExportMetrics } from './export-metrics.js';
import { LogExporter } from './log-exporter.js';
import { LogRetention } from './log-retention.js';
import { LogDuty } from './log.duty.js';
import { openSink } from './open-sink.js';

/** Exporting the log and removing old records. Needs the log from a global module. */
@Module({
  imports: [LeadershipModule],
  providers: [
    LogRetention,
    LogDuty,
    { provide: LogExporter, inject: [Store, LogSeals, ControlPlaneSettings], useFactory: createExporter },
  ],
})
export class LogExportModule implements OnModuleInit {
  constructor(
    private readonly store: Store,
    private readonly leadership: Leadership,
    private readonly metrics: Metrics,
    private readonly duty: LogDuty,
    @Optional() private readonly exporter?: LogExporter,
  ) {}

  onModuleInit(): void {
    const { leadership, exporter } = this;
    leadership.assign(this.duty);
    if (exporter !== undefined) {
      registerExportMetrics(this.metrics, { log: this.store.log, leadership, exporter });
    }
  }
}

/** Undefined without an audit backend. */
async function createExporter(
  store: Store,
  seals: LogSeals,
  { auditBackend }: ControlPlaneSettings,
): Promise<LogExporter | undefined> {
  return auditBackend && new LogExporter(store.log, seals, await openSink(auditBackend));
}
