import { Injectable, Logger, Optional } from '@nestjs/common';
import { Store, type ActionRecord } from '@palisade/domain';
import { ControlPlaneSettings } from '../config/control-plane-settings.js';
import { AuditExporter, type ExportProgress } from './export/audit-exporter.js';

const DAY_MS = 86_400_000;
const ACTOR = 'control-plane';

export interface RetentionOutcome {
  /** Records that were too old. */
  readonly removed: number;
  /** Absent without an audit backend. */
  readonly exported?: ExportProgress;
}

/** Removes action records that are older than `compliance.audit_retention_days`; exported ones only, where there is an export. */
@Injectable()
export class AuditRetention {
  private readonly logger = new Logger(AuditRetention.name);

  constructor(
    private readonly store: Store,
    private readonly settings: ControlPlaneSettings,
    @Optional() private readonly exporter?: AuditExporter,
  ) {}

  /**
   * Exports what has not been exported, then removes what is too old. A removal is itself an action that is recorded.
   *
   * @throws {ChainBrokenError} {@link SinkUnavailableError} when there is an export and it fails: nothing is removed
   * @throws {StoreUnavailableError}
   */
  async applyRetention(now: Date, signal: AbortSignal): Promise<RetentionOutcome> {
    const before = new Date(now.getTime() - this.settings.compliance.auditRetentionDays * DAY_MS);
    const exported = await this.exporter?.exportAll(signal);
    if (signal.aborted) {
      return { removed: 0, exported };
    }
    const removed = await this.store.actions.removeBefore(before, exported?.through);
    if (removed > 0) {
      this.logger.log(`${removed} action records from before ${before.toISOString()} were removed`);
      await this.store.actions.append([await this.removalOf(removed, before, now)]);
    }
    return { removed, exported };
  }

  private async removalOf(records: number, before: Date, now: Date): Promise<ActionRecord> {
    const { start } = await this.store.actions.ends();
    return {
      timestamp: now,
      userId: ACTOR,
      action: 'audit.remove',
      resource: 'audit',
      result: 'success',
      detail: { records, before: before.toISOString(), through: start.sequence - 1, hash: start.previousHash },
    };
  }
}
