import type { ActionRecord } from '@palisade/domain';
import { storableText } from '../storable-text.js';

const MAX_TEXT_LENGTH = 512;

type Detail = NonNullable<ActionRecord['detail']>;

/**
 * A copy of a record that every store keeps exactly as it is: without U+0000 and lone surrogates, which PostgreSQL has not,
 * with texts of at most 512 characters (those in `detail` are not cut), and without properties that are undefined.
 *
 * @throws {RangeError} when `rowsAccessed` is not a count, or the timestamp is not a date
 */
export function storableAction(record: ActionRecord): ActionRecord {
  const { rowsAccessed, piiAccessed, detail } = record;
  if (rowsAccessed !== undefined && !(Number.isSafeInteger(rowsAccessed) && rowsAccessed >= 0)) {
    throw new RangeError(`rowsAccessed: expected a count, found ${rowsAccessed}`);
  }
  return {
    timestamp: new Date(record.timestamp.toISOString()),
    ...(record.tenantId !== undefined && { tenantId: column(record.tenantId) }),
    ...(record.namespace !== undefined && { namespace: column(record.namespace) }),
    ...(record.sessionId !== undefined && { sessionId: column(record.sessionId) }),
    userId: column(record.userId),
    action: column(record.action),
    resource: column(record.resource),
    result: record.result,
    ...(rowsAccessed !== undefined && { rowsAccessed }),
    ...(piiAccessed !== undefined && { piiAccessed }),
    ...(detail !== undefined && { detail: storableDetail(detail) }),
  };
}

/**
 * The text of a record that its hash is computed from: JSON as RFC 8785 (JCS) writes it, i.e. without white space, names in
 * order of their UTF-16 code units, numbers and strings as ECMAScript's `JSON.stringify` writes them. Names are those of
 * the exported records (snake_case), times are ISO 8601 in UTC with milliseconds, absent values are left out.
 */
export function canonicalAction(record: ActionRecord & { readonly sequence: number }): string {
  return canonicalObject({
    action: record.action,
    detail: record.detail,
    namespace: record.namespace,
    pii_accessed: record.piiAccessed,
    resource: record.resource,
    result: record.result,
    rows_accessed: record.rowsAccessed,
    sequence: record.sequence,
    session_id: record.sessionId,
    tenant_id: record.tenantId,
    timestamp: record.timestamp.toISOString(),
    user_id: record.userId,
  });
}

function canonicalObject(object: Readonly<Record<string, unknown>>): string {
  const properties = Object.entries(object)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${JSON.stringify(name)}:${canonicalValue(value)}`);
  return `{${properties.join(',')}}`;
}

function canonicalValue(value: unknown): string {
  return typeof value === 'object' && value !== null ? canonicalObject({ ...value }) : JSON.stringify(value);
}

function column(text: string): string {
  return storableText(text, MAX_TEXT_LENGTH);
}

/** JSON has neither infinities nor NaN: they become null, as `JSON.stringify` makes them. */
function storableDetail(detail: Detail): Detail {
  const properties = Object.entries(detail).map(([name, value]) => [storableText(name), storableValue(value)]);
  return Object.freeze(Object.fromEntries(properties.filter(([, value]) => value !== undefined)) as Detail);
}

function storableValue(value: string | number | boolean | null): string | number | boolean | null {
  if (typeof value === 'number') {
    return Number.isFinite(value) ? value + 0 : null;
  }
  return typeof value === 'string' ? storableText(value) : value;
}
