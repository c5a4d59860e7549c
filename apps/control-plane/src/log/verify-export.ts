import { verifyLog, type LogPoint, type LogVerdict } from '@palisade/domain';
import { SinkUnavailableError } from './log.errors.js';
import { openSink } from './open-sink.js';
import type { SegmentSink } from './segment-sink.js';
import { firstPosition, readSegment, segmentStart } from './segment.js';

export type ExportVerdict =
  | {
      readonly isValid: true;
      readonly segments: number;
      readonly records: number;
      /** 1, unless records were removed before an audit backend was configured. Absent when nothing is exported. */
      readonly first?: number;
      readonly last?: number;
      /** `seal` of the last record: what the store has at this position must have it, too. */
      readonly seal?: string;
    }
  | {
      readonly isValid: false;
      /** Name of the segment in which the log breaks; absent when it ends too early. */
      readonly segment?: string;
      readonly brokenAt: number;
      /**
       * `segment`: it is not, byte for byte, what was written; `cut`: the export ends before the point that was kept. The
       * others are about records in it.
       */
      readonly reason: 'segment' | 'cut' | Extract<LogVerdict, { isValid: false }>['reason'];
    };

/** What the command wrote, and how the process ends: 0 when the export is complete, 1 when not, 2 when it cannot be read. */
export interface VerifyExportResult {
  readonly output: string;
  /** For standard error. */
  readonly messages: readonly string[];
  readonly exitCode: 0 | 1 | 2;
}

/**
 * Whether what was exported is complete: each segment as it was written, all records in one chain. Reads one segment at a
 * time and stops at the first break.
 *
 * @param kept a point that an earlier verification or a seal has reported, which the export must still have
 * @throws {SinkUnavailableError}
 */
export async function verifyExport(sink: SegmentSink, kept?: LogPoint): Promise<ExportVerdict> {
  const names = await sink.list();
  let head: LogPoint | undefined;
  let records = 0;
  let first: number | undefined;
  for (const name of names) {
    const segment = readSegment(await sink.read(name));
    if (segment === undefined || segment.summary.first !== firstPosition(name)) {
      return { isValid: false, segment: name, brokenAt: firstPosition(name), reason: 'segment' };
    }
    const start: LogPoint = head ?? segmentStart(segment.summary);
    const verdict = await verifyLog(segment.records, start);
    if (!verdict.isValid) {
      return { isValid: false, segment: name, brokenAt: verdict.brokenAt, reason: verdict.reason };
    }
    const other = segment.records.find(({ position, seal }) => position === kept?.position && seal !== kept.seal);
    if (other !== undefined) {
      return { isValid: false, segment: name, brokenAt: other.position, reason: 'seal' };
    }
    head = verdict.head;
    records += verdict.records;
    first ??= start.position + 1;
  }
  const last = head?.position ?? 0;
  return kept !== undefined && kept.position > last
    ? { isValid: false, brokenAt: last + 1, reason: 'cut' }
    : { isValid: true, segments: names.length, records, first, last: head?.position, seal: head?.seal };
}

/**
 * The command `verify-export`.
 *
 * @param location `file:///<absolute path>` or `s3://<bucket>/<prefix>`
 * @param kept `<position>:<seal>`
 */
export async function runVerifyExport(location: string, kept?: string): Promise<VerifyExportResult> {
  const url = URL.parse(location);
  if (url === null || (url.protocol !== 'file:' && url.protocol !== 's3:')) {
    return failed(`expected file:///<absolute path> or s3://<bucket>/<prefix>, found ${JSON.stringify(location)}`);
  }
  const point = kept === undefined ? undefined : parsePoint(kept);
  if (kept !== undefined && point === undefined) {
    return failed(`--kept: expected <position>:<seal>, found ${JSON.stringify(kept)}`);
  }
  try {
    const sink = await openSink(url);
    const verdict = await verifyExport(sink, point).finally(() => sink.close());
    return { output: `${describeVerdict(verdict)}\n`, messages: [], exitCode: verdict.isValid ? 0 : 1 };
  } catch (error) {
    if (error instanceof SinkUnavailableError) {
      const { cause } = error;
      return failed(`${error.message}: ${cause instanceof Error ? cause.message : String(cause)}`);
    }
    throw error;
  }
}

function parsePoint(text: string): LogPoint | undefined {
  const [, position, seal] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  return seal === undefined ? undefined : { position: Number(position), seal };
}

function describeVerdict(verdict: ExportVerdict): string {
  if (!verdict.isValid) {
    const { brokenAt, segment, reason } = verdict;
    return `BROKEN at position ${brokenAt}${segment === undefined ? '' : ` in ${segment}`} (${reason})`;
  }
  const { segments, records, first, last, seal } = verdict;
  return records === 0
    ? 'complete: nothing is exported'
    : `complete: ${records} records in ${segments} segments, position ${first} to ${last}, keep ${last}:${seal}`;
}

function failed(message: string): VerifyExportResult {
  return { output: '', messages: [message], exitCode: 2 };
}
