import type { ApiClient } from '../api/api-client.js';
import { FailureError } from '../failure.error.js';
import type { BatchLimits } from './batches.js';

/** The request has more than its operations. */
const MARGIN_BYTES = 4096;
/** What HTTP gateways commonly take, and several of which are little memory on both sides. */
const USUAL_BYTES = 2 ** 20;

interface ServiceProviderConfig {
  readonly bulk?: { readonly supported?: boolean; readonly maxOperations?: number; readonly maxPayloadSize?: number };
}

/** How large the batches of an import are, and the largest record of which a bulk request can be made. */
export interface BulkLimits extends BatchLimits {
  readonly maxRecordBytes: number;
}

/** How large a bulk request may be (RFC 7643 §5), but of no more than `batchSize` operations. @throws {FailureError} when none may be. */
export async function readBulkLimits(client: ApiClient, batchSize: number): Promise<BulkLimits> {
  const answer = await client.send({ method: 'GET', path: '/scim/v2/ServiceProviderConfig' });
  const { bulk = {} } = (answer ?? {}) as ServiceProviderConfig;
  const { supported, maxOperations = 0, maxPayloadSize = 0 } = bulk;
  if (supported !== true || maxOperations < 1 || maxPayloadSize <= MARGIN_BYTES) {
    throw new FailureError('the service takes no bulk requests');
  }
  const maxRecordBytes = maxPayloadSize - MARGIN_BYTES;
  return {
    maxOperations: Math.min(batchSize, maxOperations),
    maxBytes: Math.min(USUAL_BYTES - MARGIN_BYTES, maxRecordBytes),
    maxRecordBytes,
  };
}
