import { parseJsonObject, type JsonObject, type LogRecord, type SealedRecord } from '@palisade/domain';

/** A record as the API answers it and as it is exported: document 2's names, and its place in the log. */
export interface RecordJson {
  readonly position: number;
  readonly timestamp: string;
  readonly scope: string;
  readonly provider?: string;
  readonly tenant_id?: string;
  readonly namespace?: string;
  readonly session_id?: string;
  readonly user_id: string;
  readonly action: string;
  readonly resource: string;
  readonly result: LogRecord['result'];
  readonly rows_accessed?: number;
  readonly pii_accessed?: boolean;
  readonly request_id?: string;
  readonly detail?: JsonObject;
  readonly previous_hash: string;
  readonly hash: string;
  readonly seal: string;
}

export function toRecordJson(record: SealedRecord): RecordJson {
  return {
    position: record.position,
    timestamp: record.timestamp.toISOString(),
    scope: record.scope,
    provider: record.provider,
    tenant_id: record.tenantId,
    namespace: record.namespace,
    session_id: record.sessionId,
    user_id: record.userId,
    action: record.action,
    resource: record.resource,
    result: record.result,
    rows_accessed: record.rowsAccessed,
    pii_accessed: record.piiAccessed,
    request_id: record.requestId,
    detail: record.detail,
    previous_hash: record.previousHash,
    hash: record.hash,
    seal: record.seal,
  };
}

/**
 * Reads a line as {@link formatRecord} writes it, byte for byte; undefined when it is anything else. Whether the record's
 * hash is right is another question.
 */
export function parseRecord(line: string): SealedRecord | undefined {
  const json = parseJsonObject(line);
  if (json === undefined || !isRecordJson(json)) {
    return undefined;
  }
  const record = fromRecordJson(json);
  return formatRecord(record) === line ? record : undefined;
}

export function formatRecord(record: SealedRecord): string {
  return JSON.stringify(toRecordJson(record));
}

function fromRecordJson(json: RecordJson): SealedRecord {
  return {
    position: json.position,
    timestamp: new Date(json.timestamp),
    scope: json.scope,
    provider: json.provider,
    tenantId: json.tenant_id,
    namespace: json.namespace,
    sessionId: json.session_id,
    userId: json.user_id,
    action: json.action,
    resource: json.resource,
    result: json.result,
    rowsAccessed: json.rows_accessed,
    piiAccessed: json.pii_accessed,
    requestId: json.request_id,
    detail: json.detail,
    previousHash: json.previous_hash,
    hash: json.hash,
    seal: json.seal,
  };
}

/** Whether what is needed to compute its hash is there. */
function isRecordJson(json: object): json is RecordJson {
  const { position, timestamp, scope, previous_hash, hash, seal, detail } = json as Partial<RecordJson>;
  return (
    Number.isSafeInteger(position) &&
    typeof timestamp === 'string' &&
    !Number.isNaN(Date.parse(timestamp)) &&
    [scope, previous_hash, hash, seal].every((text) => typeof text === 'string') &&
    (detail === undefined || (typeof detail === 'object' && detail !== null))
  );
}
