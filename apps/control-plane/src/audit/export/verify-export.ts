import type { ChainHead } from '@palisade/domain';
import { verifyChain } from '@palisade/storage';
import type { SegmentSink } from './segment-sink.js';
import { firstSequence, readSegment, segmentStart } from './segment.js';

export type ExportVerdict =
  | {
      readonly isValid: true;
      readonly segments: number;
      readonly records: number;
      /** 1, unless records were removed before an audit backend was configured. Absent when nothing is exported. */
      readonly first?: number;
      readonly last?: number;
      /** Of the last record: what the store has at this sequence must have it, too. */
      readonly hash?: string;
    }
  | {
      readonly isValid: false;
      /** Name of the segment in which the chain breaks. */
      readonly segment: string;
      readonly brokenAt: number;
      /** `segment`: it is not, byte for byte, what was written. The others are about records in it. */
      readonly reason: 'segment' | 'sequence' | 'previous_hash' | 'hash';
    };

/**
 * Whether what was exported is whole: each segment as it was written, all records in one chain. Reads one segment at a time
 * and stops at the first break.
 *
 * @throws {SinkUnavailableError}
 */
export async function verifyExport(sink: SegmentSink): Promise<ExportVerdict> {
  const names = await sink.list();
  let head: ChainHead | undefined;
  let records = 0;
  let first: number | undefined;
  for (const name of names) {
    const segment = readSegment(await sink.read(name));
    if (segment === undefined || segment.summary.first !== firstSequence(name)) {
      return { isValid: false, segment: name, brokenAt: firstSequence(name), reason: 'segment' };
    }
    const start = head ? { sequence: head.sequence + 1, previousHash: head.hash } : segmentStart(segment.summary);
    const verdict = await verifyChain(segment.records, start);
    if (!verdict.isValid) {
      return { isValid: false, segment: name, brokenAt: verdict.brokenAt, reason: verdict.reason };
    }
    head = verdict.head;
    records += verdict.records;
    first ??= start.sequence;
  }
  return { isValid: true, segments: names.length, records, first, last: head?.sequence, hash: head?.hash };
}
