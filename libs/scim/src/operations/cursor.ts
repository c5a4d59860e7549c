import { createHash } from 'node:crypto';
import type { AttributeType, CursorPosition } from '@palisade/domain';
import { badRequest } from '../scim.errors.js';
import { toCanonicalDateTime } from '../values/canonical-date-time.js';

const MAX_CURSOR_LENGTH = 4096;
const FINGERPRINT_LENGTH = 16;

/**
 * A fingerprint of everything that must stay the same from page to page (RFC 9865 §2: "all query parameters and values
 * being identical to the initial query").
 */
export function queryFingerprint(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, FINGERPRINT_LENGTH);
}

/** An opaque text of unreserved characters only (RFC 9865 §2). It never expires: it names a position, not a result set. */
export function formatCursor(position: CursorPosition, fingerprint: string): string {
  const { sequence, sortValue } = position;
  const fields = sortValue === undefined ? [sequence] : [sequence, sortValue];
  return fingerprint + Buffer.from(JSON.stringify(fields)).toString('base64url');
}

/**
 * @param sortTypes types of the attributes that the query sorts by; none without sorting
 * @throws {ScimError} 400 invalidCursor when the text is no cursor, or one of another query
 */
export function parseCursor(
  text: string,
  fingerprint: string,
  sortTypes: ReadonlySet<AttributeType> = new Set(),
): CursorPosition {
  const isOfThisQuery = text.length <= MAX_CURSOR_LENGTH && text.startsWith(fingerprint);
  const position = isOfThisQuery ? decode(text.slice(FINGERPRINT_LENGTH)) : undefined;
  if (position === undefined || !isSortValueOf(sortTypes, position.sortValue)) {
    // RFC 9865 §5.2: one message for all causes, so that nobody learns from it which cursors exist.
    throw badRequest('invalidCursor', 'cursor: expected a nextCursor value of an earlier answer to the same query');
  }
  return position;
}

function decode(encoded: string): CursorPosition | undefined {
  let fields: unknown;
  try {
    fields = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
  if (!Array.isArray(fields) || fields.length < 1 || fields.length > 2) {
    return undefined;
  }
  const [sequence, sortValue] = fields as [unknown, unknown];
  if (!Number.isSafeInteger(sequence) || (sortValue !== undefined && !isScalar(sortValue))) {
    return undefined;
  }
  return { sequence: sequence as number, ...(sortValue === undefined ? {} : { sortValue }) };
}

/** Whether a store can have given the value: anything else is made up, and a store need not understand it. */
function isSortValueOf(types: ReadonlySet<AttributeType>, value: CursorPosition['sortValue']): boolean {
  if (types.size === 0 || value === undefined) {
    return types.size === 0 && value === undefined;
  }
  return value === null || [...types].some((type) => isOfType(type, value));
}

function isOfType(type: AttributeType, value: string | number | boolean): boolean {
  switch (type) {
    case 'boolean':
      return typeof value === 'boolean';
    case 'integer':
    case 'decimal':
      return typeof value === 'number';
    case 'dateTime':
      return typeof value === 'string' && toCanonicalDateTime(value) === value;
    default:
      return typeof value === 'string';
  }
}

function isScalar(value: unknown): value is string | number | boolean | null {
  return (
    value === null ||
    typeof value === 'boolean' ||
    typeof value === 'number' ||
    (typeof value === 'string' && isStorable(value))
  );
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
