import { Injectable, Logger, Optional } from '@nestjs/common';
import { Store, removeOldRecords } from '@palisade/domain';
import { ControlPlaneSettings } from '../config/control-plane-settings.js';
import { LogExporter, type ExportProgress } from './log-exporter.js';

const DAY_MS = 86_400_000;
const ACTOR = 'control-plane';

export interface RetentionOutcome {
  /** Records that were too old. */
  readonly removed: number;
  /** Absent without an audit backend. */
  readonly exported?: ExportProgress;
}

/** Removes records of the log that are older than `compliance.audit_retention_days`; exported ones only, where there is an export. */
@Injectable()
export class LogRetention {
  private readonly logger = new Logger(LogRetention.name);

  constructor(
    private readonly store: Store,
    private readonly settings: ControlPlaneSettings,
    @Optional() private readonly exporter?: LogExporter,
  ) {}

  /**
   * Exports what has not been exported, then removes what is too old. A removal is itself an action that is recorded.
   *
   * @throws {LogBrokenError} {@link SinkUnavailableError} when there is an export and it fails: nothing is removed
   * @throws {StoreUnavailableError}
   */
  async applyRetention(now: Date, signal: AbortSignal): Promise<RetentionOutcome> {
    const before = new Date(now.getTime() - this.settings.compliance.auditRetentionDays * DAY_MS);
    const exported = await this.exporter?.exportAll(signal);
    if (signal.aborted) {
      return { removed: 0, exported };
    }
    const removed = await removeOldRecords(this.store.log, { before, through: exported?.through, actor: ACTOR, now });
    if (removed > 0) {
      this.logger.log(`${removed} records of the log from before ${before.toISOString()} were removed`);
    }
    return { removed, exported };
  }
}
