import { badRequest, type ScimError } from '../scim.errors.js';

const MAX_QUOTED_CHARACTERS = 60;

/** A 400 invalidValue that tells what was expected at a path and what was found there. */
export function invalidValue(path: string, expected: string, found: unknown): ScimError {
  return badRequest('invalidValue', `${path}: expected ${expected}, found ${describeValue(found)}`);
}

/** A value in a few words: primitives as JSON, of long texts the beginning, of lists and objects only that they are. */
export function describeValue(value: unknown): string {
  if (value === undefined || value === null) {
    return 'nothing';
  }
  if (Array.isArray(value)) {
    return `a list of ${value.length}`;
  }
  switch (typeof value) {
    case 'string':
      return quote(value);
    case 'number':
    case 'boolean':
      return String(value);
    case 'object':
      return 'an object';
    default:
      return 'something that is not JSON';
  }
}

/** A text as JSON, so that no character of it can be mistaken for the message around it; of a long one the beginning. */
export function quote(text: string): string {
  return JSON.stringify(text.length > MAX_QUOTED_CHARACTERS ? `${text.slice(0, MAX_QUOTED_CHARACTERS)}…` : text);
}
