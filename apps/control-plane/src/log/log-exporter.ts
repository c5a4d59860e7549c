import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import { LOG_START, readLog, verifyLog, type LogPoint, type LogStore, type SealedRecord } from '@palisade/domain';
import type { LogSeals } from '@palisade/platform';
import { LogBrokenError } from './log.errors.js';
import type { SegmentSink } from './segment-sink.js';
import { firstPosition, readSegment, segmentHead, segmentName, writeSegment } from './segment.js';

const MAX_SEGMENT_RECORDS = 10_000;
/** In characters of the records' details, which is what their size depends on. */
const MAX_SEGMENT_DETAIL = 8_388_608;

export interface ExportProgress {
  /** Records that were exported by this call. */
  readonly records: number;
  /** The last position that is exported; 0 when there is none. */
  readonly through: number;
}

/**
 * Exports the log, each record once and in order: every segment begins where the one before ends, and is created only if
 * nobody else has created it. So several replicas may do it at the same time, and one that was interrupted resumes. The
 * store remembers how far the export has come, so that segments that vanish are noticed.
 */
export class LogExporter implements OnApplicationShutdown {
  private readonly logger = new Logger(LogExporter.name);
  /** End of the last segment; unknown before the first look, and after another replica has gone on. */
  private position: LogPoint | undefined;

  constructor(
    private readonly log: LogStore,
    private readonly seals: Pick<LogSeals, 'sign'>,
    private readonly sink: SegmentSink,
  ) {}

  /** The last position that is exported, as far as this replica knows; undefined before it has looked. */
  get exportedThrough(): number | undefined {
    return this.position?.position;
  }

  onApplicationShutdown(): void {
    this.sink.close();
  }

  /**
   * Exports everything that has not been, until the signal aborts.
   *
   * @throws {LogBrokenError} when the store no longer holds what follows on the last exported record, or the sink no longer
   *   holds what was exported: nothing is exported
   * @throws {SinkUnavailableError} {@link StoreUnavailableError}
   */
  async exportAll(signal: AbortSignal): Promise<ExportProgress> {
    const { head } = await this.log.ends();
    let start = await this.startOfNext();
    let records = 0;
    while (start.position < head.position && !signal.aborted) {
      records += await this.exportNext(start, head);
      const next = await this.startOfNext();
      if (next.position <= start.position) {
        break;
      }
      start = next;
    }
    return { records, through: start.position };
  }

  /** How many records went into the next segment; 0 when another replica has created it. */
  private async exportNext(start: LogPoint, head: LogPoint): Promise<number> {
    const [first, ...others] = await this.collect(start, head);
    if (first === undefined) {
      throw new LogBrokenError('the store', start.position + 1, 'position');
    }
    const records = [first, ...others] as const;
    const verdict = await verifyLog(records, start);
    if (!verdict.isValid) {
      throw new LogBrokenError('the store', verdict.brokenAt, verdict.reason);
    }
    const { signature } = await this.seals.sign(verdict.head, new Date());
    const isOurs = await this.sink.create(segmentName(first.position), writeSegment(records, start, signature));
    this.position = isOurs ? verdict.head : undefined;
    await this.log.moveReader(this.reader, isOurs ? verdict.head : start);
    return isOurs ? records.length : 0;
  }

  private async collect(start: LogPoint, head: LogPoint): Promise<SealedRecord[]> {
    const records: SealedRecord[] = [];
    let detail = 0;
    for await (const record of readLog(this.log, start, head)) {
      records.push(record);
      detail += JSON.stringify(record.detail ?? null).length;
      if (records.length === MAX_SEGMENT_RECORDS || detail >= MAX_SEGMENT_DETAIL) {
        break;
      }
    }
    return records;
  }

  /**
   * What the next segment follows on: the last one, or what was removed before it was exported, while no audit backend was
   * configured. That is missing there for good.
   *
   * @throws {LogBrokenError}
   */
  private async startOfNext(): Promise<LogPoint> {
    const point = await this.findPosition();
    const { removed, head } = await this.log.ends();
    const isOther = point.position === head.position && point.seal !== head.seal;
    if (point.position > head.position || isOther) {
      throw new LogBrokenError('the store', Math.min(point.position, head.position + 1), 'seal');
    }
    if (point.position >= removed.position) {
      return point;
    }
    this.logger.warn(`records ${point.position + 1} to ${removed.position} were removed before they were exported`);
    return removed;
  }

  private async findPosition(): Promise<LogPoint> {
    this.position ??= await this.readPosition();
    return this.position;
  }

  /** @throws {LogBrokenError} when the last segment is not as it was written, or not the last that was written */
  private async readPosition(): Promise<LogPoint> {
    const remembered = (await this.log.findReader(this.reader)) ?? LOG_START;
    const found = await this.readLastSegment();
    if (found.position < remembered.position) {
      throw new LogBrokenError(this.sink.location, found.position + 1, 'segment');
    }
    return found;
  }

  private async readLastSegment(): Promise<LogPoint> {
    const name = (await this.sink.list()).at(-1);
    if (name === undefined) {
      return LOG_START;
    }
    const segment = readSegment(await this.sink.read(name));
    if (segment === undefined) {
      throw new LogBrokenError(`${this.sink.location}, ${name}`, firstPosition(name), 'segment');
    }
    return segmentHead(segment.summary);
  }

  /** Each place has a position of its own. */
  private get reader(): string {
    return `export ${this.sink.location}`;
  }
}
