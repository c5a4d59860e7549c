import type { LogRecord, SealedRecord } from './log-record.js';

/** What the API, exports and the database call the fields of a record, in the order of an exported line. */
const NAMES = {
  position: 'position',
  timestamp: 'timestamp',
  scope: 'scope',
  provider: 'provider',
  tenantId: 'tenant_id',
  namespace: 'namespace',
  sessionId: 'session_id',
  userId: 'user_id',
  action: 'action',
  resource: 'resource',
  result: 'result',
  rowsAccessed: 'rows_accessed',
  piiAccessed: 'pii_accessed',
  requestId: 'request_id',
  detail: 'detail',
  previousHash: 'previous_hash',
  hash: 'hash',
  seal: 'seal',
} as const satisfies Readonly<Record<keyof SealedRecord, string>>;

const FIELDS = Object.entries(NAMES) as [keyof SealedRecord, string][];

type JsonOf<T> = {
  readonly [Field in keyof T as Field extends keyof typeof NAMES ? (typeof NAMES)[Field] : never]: T[Field] extends Date
    ? string
    : T[Field];
};

/** A record as the API answers it and as it is exported: document 2's names, and its place in the log. */
export type RecordJson = JsonOf<SealedRecord>;

/** The fields that the record has, by the names that they have outside. */
export function toRecordJson<T extends LogRecord>(record: T): JsonOf<T> {
  const values: Partial<Record<keyof SealedRecord, unknown>> = record;
  const json: Record<string, unknown> = {};
  // Field by field into one object: pages and exports have many records, and temporary objects took most of the time.
  for (const [field, name] of FIELDS) {
    const value = values[field];
    if (value !== undefined) {
      json[name] = value instanceof Date ? value.toISOString() : value;
    }
  }
  return json as JsonOf<T>;
}

/** The opposite of {@link toRecordJson}. */
export function fromRecordJson(json: RecordJson): SealedRecord {
  const values: Readonly<Record<string, unknown>> = { ...json, timestamp: new Date(json.timestamp) };
  const present = FIELDS.filter(([, name]) => values[name] !== undefined);
  return Object.fromEntries(present.map(([field, name]) => [field, values[name]])) as unknown as SealedRecord;
}
