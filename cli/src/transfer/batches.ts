import type { InputRecord } from './input-file.js';
import { START, type Position } from './records.js';

/** Records that go into one request. */
export interface Batch {
  readonly records: readonly InputRecord[];
  /** Where the file goes on after it. */
  readonly end: Position;
}

export interface BatchLimits {
  readonly maxOperations: number;
  readonly maxBytes: number;
}

/** What a bulk operation has around its data. */
const OPERATION_BYTES = 128;

/** Groups records into batches within the limits; a record that is too large for any is a batch of its own. */
export async function* inBatches(
  records: AsyncIterable<InputRecord>,
  { maxOperations, maxBytes }: BatchLimits,
): AsyncGenerator<Batch> {
  let batch: InputRecord[] = [];
  let bytes = 0;
  for await (const record of records) {
    const size = OPERATION_BYTES + Buffer.byteLength(JSON.stringify(record.resource ?? ''));
    if (batch.length > 0 && (batch.length === maxOperations || bytes + size > maxBytes)) {
      yield toBatch(batch);
      [batch, bytes] = [[], 0];
    }
    batch.push(record);
    bytes += size;
  }
  if (batch.length > 0) {
    yield toBatch(batch);
  }
}

function toBatch(records: readonly InputRecord[]): Batch {
  return { records, end: records.at(-1)?.end ?? START };
}
