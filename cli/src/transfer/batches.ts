import type { InputRecord } from './input-file.js';
import { START, type Position } from './records.js';
import type { ApiClient } from '../command/api-client.js';
import { FailureError } from '../command/command.errors.js';

/** Records that go into one request. */
export interface Batch {
  readonly records: readonly InputRecord[];
  /** Where the next batch begins in the file. */
  readonly end: Position;
}

export interface BatchLimits {
  readonly maxOperations: number;
  readonly maxBytes: number;
}

/** Room for what surrounds the data of a bulk operation. */
const OPERATION_BYTES = 128;

/** Groups records into batches within the limits; a record that exceeds them becomes a batch of its own. */
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

/** Room for what a request has besides its operations. */
const MARGIN_BYTES = 4096;
/** HTTP gateways commonly accept this much, and several such requests need little memory on both sides. */
const USUAL_BYTES = 2 ** 20;

interface ServiceProviderConfig {
  readonly bulk?: { readonly supported?: boolean; readonly maxOperations?: number; readonly maxPayloadSize?: number };
}

/** How large the batches of an import may be, and the largest record that fits into a bulk request. */
export interface BulkLimits extends BatchLimits {
  readonly maxRecordBytes: number;
}

/**
 * The limits that the service states for bulk requests (RFC 7643 §5), with at most `batchSize` operations.
 *
 * @throws {FailureError} when the service does not support bulk requests
 */
export async function readBulkLimits(client: ApiClient, batchSize: number): Promise<BulkLimits> {
  const answer = await client.send({ method: 'GET', path: '/scim/v2/ServiceProviderConfig' });
  const { bulk = {} } = (answer ?? {}) as ServiceProviderConfig;
  const { supported, maxOperations = 0, maxPayloadSize = 0 } = bulk;
  if (supported !== true || maxOperations < 1 || maxPayloadSize <= MARGIN_BYTES) {
    throw new FailureError('the service does not support bulk requests');
  }
  const maxRecordBytes = maxPayloadSize - MARGIN_BYTES;
  return {
    maxOperations: Math.min(batchSize, maxOperations),
    maxBytes: Math.min(USUAL_BYTES - MARGIN_BYTES, maxRecordBytes),
    maxRecordBytes,
  };
}
