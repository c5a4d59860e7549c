import { printable } from '../output/printable.js';
import type { Session } from '../session.js';

const BAR_LENGTH = 30;

export interface ImportProgress {
  readonly records: number;
  readonly present: number;
  readonly failed: number;
  readonly offset: number;
  readonly bytes: number;
}

/** Tells how an import goes: a bar and sentences to people, JSON lines to programs. */
export class ImportReport {
  constructor(private readonly session: Session) {}

  resumed(records: number): void {
    this.tell({ event: 'resumed', records }, `Going on after record ${records}.`);
  }

  failed(record: number, externalId: unknown, problem: string): void {
    const name = typeof externalId === 'string' ? externalId : undefined;
    this.tell(
      { event: 'failed', record, external_id: name, problem },
      `record ${record}${name === undefined ? '' : ` (${name})`}: ${problem}`,
    );
  }

  progress(progress: ImportProgress): void {
    if (this.session.isTerminal) {
      const share = progress.bytes === 0 ? 1 : Math.min(1, progress.offset / progress.bytes);
      const bar = '#'.repeat(Math.round(share * BAR_LENGTH)).padEnd(BAR_LENGTH, '.');
      this.session.error(`\r[${bar}] ${Math.floor(share * 100)} % ${progress.records} records`);
    } else {
      this.session.out(`${JSON.stringify({ event: 'progress', ...progress })}\n`);
    }
  }

  done(progress: Omit<ImportProgress, 'bytes' | 'offset'>, isDryRun: boolean): void {
    const { present, failed } = progress;
    const sentence = isDryRun
      ? `${present} could be sent, ${failed} are wrong. Nothing was sent.`
      : `${present} are there now, ${failed} failed.`;
    this.tell({ event: 'done', dry_run: isDryRun, ...progress }, sentence);
  }

  private tell(event: object, sentence: string): void {
    if (this.session.isTerminal) {
      this.session.error(`\r\u001b[K${printable(sentence)}\n`);
    } else {
      this.session.out(`${JSON.stringify(event)}\n`);
    }
  }
}
