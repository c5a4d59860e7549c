import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { ActionStore, ChainHead, ChainedActionRecord } from '@palisade/domain';
import { GENESIS, verifyChain } from '@palisade/storage';
import { ChainBrokenError } from '../chain/chain-broken.error.js';
import { chainRecords } from '../chain/chain-records.js';
import type { SegmentSink } from './segment-sink.js';
import { firstSequence, readSegment, segmentHead, segmentName, writeSegment } from './segment.js';

const MAX_SEGMENT_RECORDS = 10_000;
/** In characters of the records' details, which is what their size depends on. */
const MAX_SEGMENT_DETAIL = 8_388_608;

export interface ExportProgress {
  /** That were exported by this call. */
  readonly records: number;
  /** The last sequence that is exported; 0 when there is none. */
  readonly through: number;
}

/**
 * Exports action records, each once and in order: every segment begins where the one before ends, and is created only if
 * nobody else has created it. So several replicas may do it at the same time, and one that was interrupted goes on.
 */
export class AuditExporter implements OnApplicationShutdown {
  private readonly logger = new Logger(AuditExporter.name);
  /** Of the last segment; unknown before the first look, and after another replica has gone on. */
  private position: ChainHead | undefined;

  constructor(
    private readonly actions: ActionStore,
    private readonly sink: SegmentSink,
  ) {}

  /** The last sequence that is exported, as far as this replica knows; undefined before it has looked. */
  get exportedThrough(): number | undefined {
    return this.position?.sequence;
  }

  onApplicationShutdown(): void {
    this.sink.close();
  }

  /**
   * Exports everything that has not been, until the signal aborts.
   *
   * @throws {ChainBrokenError} when the store no longer holds what follows on the last exported record: nothing is exported
   * @throws {SinkUnavailableError} {@link StoreUnavailableError}
   */
  async exportAll(signal: AbortSignal): Promise<ExportProgress> {
    const { head } = await this.actions.ends();
    let position = await this.startOfNext();
    let records = 0;
    while (position.sequence < head.sequence && !signal.aborted) {
      records += await this.exportNext(position, head);
      const next = await this.startOfNext();
      if (next.sequence <= position.sequence) {
        break;
      }
      position = next;
    }
    return { records, through: position.sequence };
  }

  /** How many records went into the next segment; 0 when another replica has created it. */
  private async exportNext(position: ChainHead, head: ChainHead): Promise<number> {
    const [first, ...others] = await this.collect(position, head);
    if (first === undefined) {
      throw new ChainBrokenError('the store', position.sequence + 1, 'sequence');
    }
    const records = [first, ...others] as const;
    const start = { sequence: position.sequence + 1, previousHash: position.hash };
    const verdict = await verifyChain(records, start);
    if (!verdict.isValid) {
      throw new ChainBrokenError('the store', verdict.brokenAt, verdict.reason);
    }
    const isOurs = await this.sink.create(segmentName(first.sequence), writeSegment(records));
    this.position = isOurs ? verdict.head : undefined;
    return isOurs ? records.length : 0;
  }

  private async collect(position: ChainHead, head: ChainHead): Promise<ChainedActionRecord[]> {
    const records: ChainedActionRecord[] = [];
    let detail = 0;
    for await (const record of chainRecords(this.actions, position, head)) {
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
   * @throws {ChainBrokenError}
   */
  private async startOfNext(): Promise<ChainHead> {
    const position = await this.findPosition();
    const { start, head } = await this.actions.ends();
    const isOther = position.sequence === head.sequence && position.hash !== head.hash;
    if (position.sequence > head.sequence || isOther) {
      throw new ChainBrokenError('the store', Math.min(position.sequence, head.sequence + 1), 'hash');
    }
    if (position.sequence >= start.sequence - 1) {
      return position;
    }
    this.logger.warn(
      `records ${position.sequence + 1} to ${start.sequence - 1} were removed before they were exported`,
    );
    return { sequence: start.sequence - 1, hash: start.previousHash };
  }

  /** @throws {ChainBrokenError} when the last segment is not as it was written */
  private async findPosition(): Promise<ChainHead> {
    this.position ??= await this.readPosition();
    return this.position;
  }

  private async readPosition(): Promise<ChainHead> {
    const name = (await this.sink.list()).at(-1);
    if (name === undefined) {
      return GENESIS;
    }
    const segment = readSegment(await this.sink.read(name));
    if (segment === undefined) {
      throw new ChainBrokenError(`${this.sink.location}, ${name}`, firstSequence(name), 'segment');
    }
    return segmentHead(segment.summary);
  }
}
