import { createHash } from 'node:crypto';
import { scopeOf, type LogRecord, type SealedRecord } from './log-record.js';
import type { LogPoint } from './log-store.js';
import { toRecordJson } from './record-json.js';

const ZEROS = '0'.repeat(64);

/** Before the first record. */
export const LOG_START: LogPoint = { position: 0, seal: ZEROS };

export type LogVerdict =
  | { readonly isValid: true; readonly records: number; readonly head: LogPoint }
  | {
      readonly isValid: false;
      /** Intact records before the break. */
      readonly records: number;
      /** The first position at which the log is not what it was. */
      readonly brokenAt: number;
      /** A record is missing or was inserted, does not follow on the one before in its scope, or was changed. */
      readonly reason: 'position' | 'previous_hash' | 'hash' | 'seal';
    };

/**
 * The records with their places behind `head`.
 *
 * @param scopes the hash of the last record of each scope that has one
 */
export function sealRecords(
  records: readonly LogRecord[],
  head: LogPoint,
  scopes: ReadonlyMap<string, string>,
): SealedRecord[] {
  const hashes = new Map(scopes);
  let { position, seal } = head;
  return records.map((record) => {
    position += 1;
    const scope = scopeOf(record);
    const placed = { ...record, position, scope, previousHash: hashes.get(scope) ?? ZEROS };
    const hash = hashOf(placed);
    hashes.set(scope, hash);
    seal = sealOver(seal, hash);
    return { ...placed, hash, seal };
  });
}

/**
 * Whether the records are all that were written behind `start`, unchanged. Reads them one by one and stops at the first that
 * is not. That none is missing at the end shows in comparing the head with a seal that was kept elsewhere.
 */
export async function verifyLog(
  records: AsyncIterable<SealedRecord> | Iterable<SealedRecord>,
  start: LogPoint,
): Promise<LogVerdict> {
  const hashes = new Map<string, string>();
  let head = start;
  let count = 0;
  for await (const record of records) {
    // The first record of a scope behind removed ones names a hash that is gone; the seal covers it.
    const previousHash = hashes.get(record.scope) ?? (start.position === 0 ? ZEROS : record.previousHash);
    const reason = mistakeIn(record, head, previousHash);
    if (reason !== undefined) {
      return { isValid: false, records: count, brokenAt: head.position + 1, reason };
    }
    hashes.set(record.scope, record.hash);
    head = { position: record.position, seal: record.seal };
    count += 1;
  }
  return { isValid: true, records: count, head };
}

function mistakeIn(record: SealedRecord, head: LogPoint, previousHash: string) {
  if (record.position !== head.position + 1) {
    return 'position';
  }
  if (record.previousHash !== previousHash) {
    return 'previous_hash';
  }
  if (record.hash !== hashOf(record)) {
    return 'hash';
  }
  return record.seal === sealOver(head.seal, record.hash) ? undefined : 'seal';
}

function hashOf(record: Omit<SealedRecord, 'hash' | 'seal'>): string {
  return sha256(record.previousHash, canonicalRecord(record));
}

function sealOver(previousSeal: string, hash: string): string {
  return sha256(previousSeal, hash);
}

function sha256(...texts: readonly string[]): string {
  return createHash('sha256').update(texts.join('')).digest('hex');
}

/**
 * The text of a record that its hash is computed from: JSON as RFC 8785 (JCS) writes it, i.e. without white space, names in
 * order of their UTF-16 code units, numbers and strings as ECMAScript's `JSON.stringify` writes them. Names are those of
 * the API and of exported records, times are ISO 8601 in UTC with milliseconds, absent values are left out.
 */
export function canonicalRecord(record: Omit<SealedRecord, 'previousHash' | 'hash' | 'seal'>): string {
  const { previousHash: _previousHash, hash: _hash, seal: _seal, ...own } = record as SealedRecord;
  return canonical(toRecordJson(own));
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(canonical).join(',')}]`;
  }
  if (typeof value !== 'object' || value === null) {
    return JSON.stringify(value);
  }
  const properties = Object.entries(value)
    .filter(([, property]) => property !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, property]) => `${JSON.stringify(name)}:${canonical(property)}`);
  return `{${properties.join(',')}}`;
}
