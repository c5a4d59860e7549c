import { Injectable } from '@nestjs/common';
import { SingleFlight } from '@palisade/async';
import { readLog, Store, verifyLog, type LogEnds, type LogPoint, type LogVerdict } from '@palisade/domain';
import { LogSeals } from './log-seals.js';

export interface VerifiedLog {
  readonly isValid: boolean;
  /** Intact records: all, or those before the break. */
  readonly records: number;
  /** Where the log begins and ends; `last` is less than `first` when it is empty. */
  readonly first: number;
  readonly last: number;
  /** The first position at which it is not what it was. */
  readonly brokenAt?: number;
  /** `cut` and `signature` are about the seal that was kept. */
  readonly reason?: 'position' | 'previous_hash' | 'hash' | 'seal' | 'cut' | 'signature';
}

/** Verifies the log in the store, one verification at a time: those who ask meanwhile get its result. */
@Injectable()
export class LogVerification {
  private readonly flights = new SingleFlight<'', VerifiedLog>();

  constructor(
    private readonly store: Store,
    private readonly seals: LogSeals,
  ) {}

  /**
   * @param kept signature of an older seal: the log must still have what it had then. What was removed because of its age
   *   cannot be compared
   * @throws {StoreUnavailableError}
   */
  async verify(kept?: string): Promise<VerifiedLog> {
    const log = await this.flights.run('', () => this.verifyRecords());
    if (!log.isValid || kept === undefined) {
      return log;
    }
    const point = await this.seals.open(kept);
    const reason = point === undefined ? 'signature' : await this.mistakeAt(point);
    return reason === undefined
      ? log
      : { ...log, isValid: false, reason, ...(point && { brokenAt: Math.min(point.position, log.last + 1) }) };
  }

  /** Whether the log is another than it was when the seal was kept. */
  private async mistakeAt({ position, seal }: LogPoint): Promise<'cut' | 'seal' | undefined> {
    const { removed, head } = await this.store.log.ends();
    if (position > head.position) {
      return 'cut';
    }
    if (position < removed.position) {
      return undefined;
    }
    const [record] = await this.store.log.list({ after: position - 1, before: position + 1, limit: 1 });
    const found = position === removed.position ? removed.seal : record?.seal;
    return found === seal ? undefined : 'seal';
  }

  /** Begins again when the records at the break were not lost, but removed meanwhile because of their age. */
  private async verifyRecords(): Promise<VerifiedLog> {
    for (;;) {
      const ends = await this.store.log.ends();
      const verdict = await this.verifyBetween(ends);
      const { removed } = verdict.isValid ? ends : await this.store.log.ends();
      if (verdict.isValid || removed.position < verdict.brokenAt) {
        return present(ends, verdict);
      }
    }
  }

  private async verifyBetween({ removed, head }: LogEnds): Promise<LogVerdict> {
    const verdict = await verifyLog(readLog(this.store.log, removed, head), removed);
    if (!verdict.isValid || (verdict.head.position === head.position && verdict.head.seal === head.seal)) {
      return verdict;
    }
    const isShort = verdict.head.position < head.position;
    const brokenAt = isShort ? verdict.head.position + 1 : head.position;
    return { isValid: false, records: verdict.records, brokenAt, reason: isShort ? 'position' : 'seal' };
  }
}

function present({ removed, head }: LogEnds, verdict: LogVerdict): VerifiedLog {
  const { isValid, records } = verdict;
  const range = { first: removed.position + 1, last: head.position };
  return verdict.isValid
    ? { isValid, records, ...range }
    : { isValid, records, ...range, brokenAt: verdict.brokenAt, reason: verdict.reason };
}
