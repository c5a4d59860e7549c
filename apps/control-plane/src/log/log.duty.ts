import { Injectable, Logger } from '@nestjs/common';
import { Store, StoreUnavailableError, type JsonObject } from '@palisade/domain';
import { pause } from '@palisade/async';
import { LeaderDuty, type LeaderTerm } from '../leadership/leader-duty.js';
import { LogRetention } from './log-retention.js';

const INTERVAL_MS = 300_000;
const RETRY_MS = 30_000;

/** Exports the log every five minutes and removes records that are too old. A failure is retried. */
@Injectable()
export class LogDuty extends LeaderDuty {
  override readonly name = 'audit';
  private readonly logger = new Logger(LogDuty.name);

  constructor(
    private readonly store: Store,
    private readonly retention: LogRetention,
  ) {
    super();
  }

  override async run(term: LeaderTerm): Promise<void> {
    while (!term.signal.aborted) {
      const isDone = await this.maintain(term);
      await pause(isDone ? INTERVAL_MS : RETRY_MS, term.signal);
    }
  }

  /** False when something went wrong. */
  private async maintain(term: LeaderTerm): Promise<boolean> {
    try {
      const { removed, exported } = await this.retention.applyRetention(new Date(), term.signal);
      const progress = exported && { exported: exported.records, exported_through: exported.through };
      await this.report(term, { removed, ...progress });
      return true;
    } catch (error) {
      term.signal.throwIfAborted();
      this.logger.error('the log could not be exported, or old records not removed', error);
      await this.reportFailure(term, error);
      return false;
    }
  }

  private async reportFailure(term: LeaderTerm, failure: unknown): Promise<void> {
    const detail = { error: failure instanceof Error ? failure.message : String(failure) };
    try {
      await this.report(term, detail);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) {
        throw error;
      }
    }
  }

  private async report(term: LeaderTerm, detail: JsonObject): Promise<void> {
    const lease = term.lease();
    await this.store.operations.report({ component: 'audit', detail, holder: lease.holder, at: new Date() }, lease);
  }
}
