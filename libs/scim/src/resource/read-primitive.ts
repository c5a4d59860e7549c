import { MAX_EXTERNAL_ID_LENGTH, isExternalId, type AttributeDefinition, type JsonPrimitive } from '@palisade/domain';
import { toCanonicalDateTime } from '../values/canonical-date-time.js';
import { EXTERNAL_ID } from '../schema/common-attributes.js';
import { invalidValue } from '../schema/invalid-value.js';

const MAX_TEXT_LENGTH = 65_536;
/** For attributes that a store indexes. */
const MAX_KEY_LENGTH = 255;

// RFC 4648 §4 or §5; RFC 7643 §2.3.6: "trailing padding characters MAY be omitted".
const BASE64 = /^(?:[A-Za-z0-9+/]*|[A-Za-z0-9_-]*)={0,2}$/;

/**
 * One value of a simple attribute as it is stored: booleans as booleans, everything else verbatim.
 *
 * @throws {ScimError} 400 invalidValue when the value is not of the attribute's type or out of its bounds
 */
export function readPrimitive(attribute: AttributeDefinition, value: unknown, path: string): JsonPrimitive {
  switch (attribute.type) {
    case 'boolean':
      return readBoolean(value, path);
    case 'integer':
      return readNumber(value, path, Number.isSafeInteger, 'an integer');
    case 'decimal':
      return readNumber(value, path, Number.isFinite, 'a number');
    case 'dateTime':
      return readText(attribute, value, path, isDateTime, 'a date and time such as "2026-01-31T08:30:00Z"');
    case 'binary':
      return readText(attribute, value, path, isBase64, 'base64');
    case 'reference':
      return readText(attribute, value, path, isUriReference, 'a URI, or a relative reference');
    case 'string':
      return readText(attribute, value, path, () => true, 'a string');
    case 'complex':
      throw invalidValue(path, 'a simple value', value);
    default:
      return attribute.type satisfies never;
  }
}

// Entra ID sends "True" and "False".
function readBoolean(value: unknown, path: string): boolean {
  if (typeof value === 'boolean') {
    return value;
  }
  const text = typeof value === 'string' ? value.toLowerCase() : undefined;
  if (text !== 'true' && text !== 'false') {
    throw invalidValue(path, 'true or false', value);
  }
  return text === 'true';
}

function readNumber(value: unknown, path: string, isValid: (value: unknown) => boolean, expected: string): number {
  if (typeof value !== 'number' || !isValid(value)) {
    throw invalidValue(path, expected, value);
  }
  return value;
}

function readText(
  attribute: AttributeDefinition,
  value: unknown,
  path: string,
  isValid: (text: string) => boolean,
  expected: string,
): string {
  if (typeof value !== 'string') {
    throw invalidValue(path, expected, value);
  }
  // What may never be returned is not quoted in a message either.
  const shown = attribute.returned === 'never' ? '…' : value;
  if (attribute === EXTERNAL_ID && !isExternalId(value)) {
    throw invalidValue(path, `1 to ${MAX_EXTERNAL_ID_LENGTH} characters, none of them a control character`, shown);
  }
  const maxLength = isKey(attribute) ? MAX_KEY_LENGTH : MAX_TEXT_LENGTH;
  if (value.length > maxLength) {
    throw invalidValue(path, `at most ${maxLength} characters`, value.length);
  }
  if (value.includes('\0') || !value.isWellFormed()) {
    throw invalidValue(path, 'well-formed Unicode without U+0000', shown);
  }
  if (!isValid(value)) {
    throw invalidValue(path, expected, shown);
  }
  return value;
}

function isKey({ name, uniqueness }: AttributeDefinition): boolean {
  return uniqueness !== 'none' || name === 'displayName';
}

// RFC 3986 §2: unreserved, reserved and percent-encoded characters; URL checks their order. RFC 7643 §2.3.7.
const URI_CHARACTERS = /^(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/;
const ANY_BASE = 'https://base.invalid';

function isUriReference(text: string): boolean {
  return URI_CHARACTERS.test(text) && URL.canParse(text, ANY_BASE);
}

function isDateTime(text: string): boolean {
  return toCanonicalDateTime(text) !== undefined;
}

function isBase64(text: string): boolean {
  if (!BASE64.test(text)) {
    return false;
  }
  const paddingAt = text.indexOf('=');
  return paddingAt === -1 ? text.length % 4 !== 1 : text.length % 4 === 0;
}
