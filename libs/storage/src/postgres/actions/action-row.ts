import type { ChainedActionRecord } from '@palisade/domain';
import type { Selectable } from 'kysely';
import type { ActionRecordsTable } from '../connection/tables.js';

export function toAction(row: Selectable<ActionRecordsTable>): ChainedActionRecord {
  return {
    timestamp: row.at,
    ...(row.tenant_id !== null && { tenantId: row.tenant_id }),
    ...(row.namespace !== null && { namespace: row.namespace }),
    ...(row.session_id !== null && { sessionId: row.session_id }),
    userId: row.user_id,
    action: row.action,
    resource: row.resource,
    result: row.result,
    ...(row.rows_accessed !== null && { rowsAccessed: row.rows_accessed }),
    ...(row.pii_accessed !== null && { piiAccessed: row.pii_accessed }),
    ...(row.detail && { detail: row.detail }),
    sequence: row.sequence,
    previousHash: row.previous_hash,
    hash: row.hash,
  };
}

/** Named as the columns are, for `json_to_recordset`. */
export function toActionColumns(record: ChainedActionRecord): object {
  return {
    sequence: record.sequence,
    at: record.timestamp,
    tenant_id: record.tenantId,
    namespace: record.namespace,
    session_id: record.sessionId,
    user_id: record.userId,
    action: record.action,
    resource: record.resource,
    result: record.result,
    rows_accessed: record.rowsAccessed,
    pii_accessed: record.piiAccessed,
    detail: record.detail,
    previous_hash: record.previousHash,
    hash: record.hash,
  };
}
