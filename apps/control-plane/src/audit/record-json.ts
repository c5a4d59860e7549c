import { type ActionRecord, type ChainedActionRecord, parseJsonObject } from '@palisade/domain';

/** A record as the API answers it and as it is exported: document 2's names, and its place in the chain. */
export interface ActionRecordJson {
  readonly sequence: number;
  readonly timestamp: string;
  readonly tenant_id?: string;
  readonly namespace?: string;
  readonly session_id?: string;
  readonly user_id: string;
  readonly action: string;
  readonly resource: string;
  readonly result: ActionRecord['result'];
  readonly rows_accessed?: number;
  readonly pii_accessed?: boolean;
  readonly detail?: ActionRecord['detail'];
  readonly previous_hash: string;
  readonly hash: string;
}

export function toRecordJson(record: ChainedActionRecord): ActionRecordJson {
  return {
    sequence: record.sequence,
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
    previous_hash: record.previousHash,
    hash: record.hash,
  };
}

/**
 * Reads a line as {@link formatRecord} writes it, byte for byte; undefined when it is anything else. Whether the record's
 * hash is right is another question.
 */
export function parseRecord(line: string): ChainedActionRecord | undefined {
  const json = parseJsonObject(line);
  if (json === undefined || !isRecordJson(json)) {
    return undefined;
  }
  const record = fromRecordJson(json);
  return formatRecord(record) === line ? record : undefined;
}

export function formatRecord(record: ChainedActionRecord): string {
  return JSON.stringify(toRecordJson(record));
}

function fromRecordJson(json: ActionRecordJson): ChainedActionRecord {
  return {
    timestamp: new Date(json.timestamp),
    tenantId: json.tenant_id,
    namespace: json.namespace,
    sessionId: json.session_id,
    userId: json.user_id,
    action: json.action,
    resource: json.resource,
    result: json.result,
    rowsAccessed: json.rows_accessed,
    piiAccessed: json.pii_accessed,
    detail: json.detail,
    sequence: json.sequence,
    previousHash: json.previous_hash,
    hash: json.hash,
  };
}

/** Whether what is needed to compute its hash is there. */
function isRecordJson(json: object): json is ActionRecordJson {
  const { sequence, timestamp, previous_hash: previousHash, hash, detail } = json as Partial<ActionRecordJson>;
  return (
    Number.isSafeInteger(sequence) &&
    typeof timestamp === 'string' &&
    !Number.isNaN(Date.parse(timestamp)) &&
    typeof previousHash === 'string' &&
    typeof hash === 'string' &&
    (detail === undefined || isFlat(detail))
  );
}

function isFlat(detail: object | null): boolean {
  return detail !== null && Object.values(detail).every((value) => typeof value !== 'object' || value === null);
}
