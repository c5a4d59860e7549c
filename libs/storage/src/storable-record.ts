import type { JsonObject, JsonValue, LogRecord } from '@palisade/domain';
import { storableText } from './storable-text.js';

const MAX_TEXT_LENGTH = 512;

/**
 * A copy of a record that every store keeps exactly as it is: without U+0000 and lone surrogates, which PostgreSQL cannot
 * hold, with texts of at most 512 characters (those in `detail` are not cut), and without properties that are undefined.
 *
 * @throws {RangeError} when `rowsAccessed` is not a count, or the timestamp is not a date
 */
export function storableRecord(record: LogRecord): LogRecord {
  const { rowsAccessed } = record;
  if (rowsAccessed !== undefined && !(Number.isSafeInteger(rowsAccessed) && rowsAccessed >= 0)) {
    throw new RangeError(`rowsAccessed: expected a count, found ${rowsAccessed}`);
  }
  const fields = Object.entries(record).filter(([, value]) => value !== undefined);
  return Object.fromEntries(fields.map(([name, value]) => [name, storableField(value)])) as unknown as LogRecord;
}

function storableField(value: LogRecord[keyof LogRecord]): unknown {
  if (value instanceof Date) {
    return new Date(value.toISOString());
  }
  if (typeof value === 'string') {
    return storableText(value, MAX_TEXT_LENGTH);
  }
  return typeof value === 'object' ? storableObject(value) : value;
}

function storableObject(object: JsonObject): JsonObject {
  const properties = Object.entries(object).filter(([, value]) => value !== undefined);
  // Object.fromEntries calls no setter, so a key such as "__proto__" stays a plain key.
  return Object.freeze(
    Object.fromEntries(properties.map(([name, value]) => [storableText(name), storableValue(value)])),
  );
}

/** JSON has neither infinities nor NaN: they become null, as `JSON.stringify` makes them. */
function storableValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    return Object.freeze(value.map(storableValue));
  }
  if (typeof value === 'object' && value !== null) {
    return storableObject(value as JsonObject);
  }
  if (typeof value === 'number') {
    return Number.isFinite(value) ? value + 0 : null;
  }
  return typeof value === 'string' ? storableText(value) : value;
}
