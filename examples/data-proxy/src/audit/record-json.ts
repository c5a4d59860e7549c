import type { ActionRecord } from '@palisade/domain';

/** An action record in the words of the audit trail. */
export function toRecordJson(record: ActionRecord): object {
  return {
    timestamp: record.timestamp.toISOString(),
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
  };
}
