import type { ApiClient } from '../api/api-client.js';
import { FailureError } from '../failure.error.js';
import type { BatchLimits } from './batches.js';

/** The request has more than its operations. */
const MARGIN_BYTES = 4096;

interface ServiceProviderConfig {
  readonly bulk?: { readonly supported?: boolean; readonly maxOperations?: number; readonly maxPayloadSize?: number };
}

/** How large a bulk request may be (RFC 7643 §5), but of no more than `batchSize` operations. @throws {FailureError} when none may be. */
export async function readBulkLimits(client: ApiClient, batchSize: number): Promise<BatchLimits> {
  const answer = await client.send({ method: 'GET', path: '/scim/v2/ServiceProviderConfig' });
  const { bulk = {} } = (answer ?? {}) as ServiceProviderConfig;
  const { supported, maxOperations = 0, maxPayloadSize = 0 } = bulk;
  if (supported !== true || maxOperations < 1 || maxPayloadSize <= MARGIN_BYTES) {
    throw new FailureError('the service takes no bulk requests');
  }
  return { maxOperations: Math.min(batchSize, maxOperations), maxBytes: maxPayloadSize - MARGIN_BYTES };
}
