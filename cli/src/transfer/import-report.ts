import { printable } from '../command/output.js';
import type { CommandContext } from '../command/context.js';
import type { InputRecord } from './input-file.js';

const BAR_LENGTH = 30;

export interface ImportCounts {
  readonly present: number;
  readonly failed: number;
}

export interface ImportCountsAt extends ImportCounts {
  readonly offset: number;
}

/** Reports the progress of an import: a bar and sentences for people, JSON lines for programs. */
export class ImportReport {
  private beginning: ImportCountsAt & { readonly atMs: number };

  /** @param bytes of the file */
  constructor(
    private readonly context: CommandContext,
    private readonly bytes: number,
  ) {
    this.beginning = { offset: 0, present: 0, failed: 0, atMs: context.now() };
  }

  /** Starts the clock for the pace. */
  begin({ offset, present, failed }: ImportCountsAt): void {
    this.beginning = { offset, present, failed, atMs: this.context.now() };
    if (offset > 0) {
      const records = present + failed;
      this.tell({ event: 'resumed', records }, `Resuming after ${records} records.`);
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
    if (this.context.isTerminal) {
      const share = this.bytes === 0 ? 1 : Math.min(1, offset / this.bytes);
      const bar = '#'.repeat(Math.round(share * BAR_LENGTH)).padEnd(BAR_LENGTH, '.');
      const pace = this.describePace(records, offset);
      this.context.error(`\r[${bar}] ${Math.floor(share * 100)} % ${records} records${pace}\u001b[K`);
    } else {
      const { bytes } = this;
      this.context.out(`${JSON.stringify({ event: 'progress', records, present, failed, offset, bytes })}\n`);
    }
  }

  /** The import ended before the end of the file. */
  stopped({ present, failed, offset }: ImportCountsAt): void {
    const records = present + failed;
    if (offset > 0) {
      this.tell(
        { event: 'stopped', records },
        `Stopped after ${records} records. Run the same command again to resume.`,
      );
    }
  }

  done({ present, failed }: ImportCounts, isDryRun: boolean): void {
    const sentence = isDryRun
      ? `${present} records are valid, ${failed} are not. Nothing was sent.`
      : `${present} exist now, ${failed} failed.`;
    this.tell({ event: 'done', dry_run: isDryRun, records: present + failed, present, failed }, sentence);
  }

  private describePace(records: number, offset: number): string {
    const { beginning } = this;
    const seconds = (this.context.now() - beginning.atMs) / 1000;
    if (seconds <= 0 || offset <= beginning.offset) {
      return '';
    }
    const perSecond = Math.round((records - beginning.present - beginning.failed) / seconds);
    const left = Math.ceil(((this.bytes - offset) / (offset - beginning.offset)) * seconds);
    return `, ${perSecond}/s, ${Math.max(0, left)} s left`;
  }

  private tell(event: object, sentence: string): void {
    if (this.context.isTerminal) {
      this.context.error(`\r\u001b[K${printable(sentence)}\n`);
    } else {
      this.context.out(`${JSON.stringify(event)}\n`);
    }
  }
}
