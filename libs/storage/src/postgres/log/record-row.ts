import { SERVICE_SCOPE, type LogRecord, type SealedRecord } from '@palisade/domain';
import type { Selectable } from 'kysely';
import type { LogRecordsTable, LogUnsealedTable } from '../connection/tables.js';

export function toRecord(row: Omit<Selectable<LogUnsealedTable>, 'id' | 'written_at'>): LogRecord {
  return {
    timestamp: row.at,
    ...(row.scope !== SERVICE_SCOPE && { provider: row.scope }),
    ...(row.tenant_id !== null && { tenantId: row.tenant_id }),
    ...(row.namespace !== null && { namespace: row.namespace }),
    ...(row.session_id !== null && { sessionId: row.session_id }),
    userId: row.user_id,
    action: row.action,
    resource: row.resource,
    result: row.result,
    ...(row.rows_accessed !== null && { rowsAccessed: row.rows_accessed }),
    ...(row.pii_accessed !== null && { piiAccessed: row.pii_accessed }),
    ...(row.request_id !== null && { requestId: row.request_id }),
    ...(row.detail && { detail: row.detail }),
  };
}

export function toSealedRecord(row: Selectable<LogRecordsTable>): SealedRecord {
  const { position, scope, previous_hash: previousHash, hash, seal } = row;
  return {
    ...toRecord(row),
    position,
    scope,
    previousHash: previousHash.toString('hex'),
    hash: hash.toString('hex'),
    seal: seal.toString('hex'),
  };
}
