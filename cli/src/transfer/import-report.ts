import { printable } from '../output/printable.js';
import type { Session } from '../session.js';
import type { InputRecord } from './input-file.js';

const BAR_LENGTH = 30;

export interface ImportCounts {
  readonly present: number;
  readonly failed: number;
}

export interface ImportCountsAt extends ImportCounts {
  readonly offset: number;
}

/** Tells how an import goes: a bar and sentences to people, JSON lines to programs. */
export class ImportReport {
  private beginning: ImportCountsAt & { readonly atMs: number };

  /** @param bytes of the file */
  constructor(
    private readonly session: Session,
    private readonly bytes: number,
  ) {
    this.beginning = { offset: 0, present: 0, failed: 0, atMs: session.now() };
  }

  /** From here on time counts. */
  begin({ offset, present, failed }: ImportCountsAt): void {
    this.beginning = { offset, present, failed, atMs: this.session.now() };
    if (offset > 0) {
      const records = present + failed;
      this.tell({ event: 'resumed', records }, `Going on after ${records} records.`);
    }
  }

  failed({ number, line }: Pick<InputRecord, 'number' | 'line'>, externalId: unknown, problem: string): void {
    const name = typeof externalId === 'string' ? externalId : undefined;
    this.tell(
      { event: 'failed', record: number, line, external_id: name, problem },
      `line ${line}${name === undefined ? '' : ` (${name})`}: ${problem}`,
    );
  }

  progress({ present, failed, offset }: ImportCountsAt): void {
    const records = present + failed;
    if (this.session.isTerminal) {
      const share = this.bytes === 0 ? 1 : Math.min(1, offset / this.bytes);
      const bar = '#'.repeat(Math.round(share * BAR_LENGTH)).padEnd(BAR_LENGTH, '.');
      const pace = this.describePace(records, offset);
      this.session.error(`\r[${bar}] ${Math.floor(share * 100)} % ${records} records${pace}\u001b[K`);
    } else {
      const { bytes } = this;
      this.session.out(`${JSON.stringify({ event: 'progress', records, present, failed, offset, bytes })}\n`);
    }
  }

  /** It ends before the end of the file. */
  stopped({ present, failed, offset }: ImportCountsAt): void {
    const records = present + failed;
    if (offset > 0) {
      this.tell(
        { event: 'stopped', records },
        `Stopped after ${records} records. The same command again goes on there.`,
      );
    }
  }

  done({ present, failed }: ImportCounts, isDryRun: boolean): void {
    const sentence = isDryRun
      ? `${present} could be sent, ${failed} are wrong. Nothing was sent.`
      : `${present} are there now, ${failed} failed.`;
    this.tell({ event: 'done', dry_run: isDryRun, records: present + failed, present, failed }, sentence);
  }

  private describePace(records: number, offset: number): string {
    const { beginning } = this;
    const seconds = (this.session.now() - beginning.atMs) / 1000;
    if (seconds <= 0 || offset <= beginning.offset) {
      return '';
    }
    const perSecond = Math.round((records - beginning.present - beginning.failed) / seconds);
    const left = Math.ceil(((this.bytes - offset) / (offset - beginning.offset)) * seconds);
    return `, ${perSecond}/s, ${Math.max(0, left)} s left`;
  }

  private tell(event: object, sentence: string): void {
    if (this.session.isTerminal) {
      this.session.error(`\r\u001b[K${printable(sentence)}\n`);
    } else {
      this.session.out(`${JSON.stringify(event)}\n`);
    }
  }
}
