import { invalidValue, quote } from './invalid-value.js';

const MAX_TEXT_LENGTH = 1000;

/** An object with no other than the given keys. @throws {ScimError} 400 invalidValue */
export function readFields(input: unknown, path: string, keys: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw invalidValue(path, 'an object', input);
  }
  const unknown = Object.keys(input).find((key) => !keys.includes(key));
  if (unknown !== undefined) {
    throw invalidValue(path, `only the keys ${keys.join(', ')}`, unknown);
  }
  return { ...input };
}

/** A list of `minimum` to `maximum` entries. @throws {ScimError} 400 invalidValue */
export function readEntries(input: unknown, path: string, minimum: number, maximum: number): readonly unknown[] {
  if (!Array.isArray(input) || input.length < minimum || input.length > maximum) {
    throw invalidValue(path, `a list of ${minimum} to ${maximum}`, input);
  }
  return input;
}

/** A text that a database can hold, of at most 1000 characters. @throws {ScimError} 400 invalidValue */
export function readText(input: unknown, path: string): string {
  if (typeof input !== 'string' || input === '' || input.length > MAX_TEXT_LENGTH) {
    throw invalidValue(path, `a text of 1 to ${MAX_TEXT_LENGTH} characters`, input);
  }
  if (input.includes('\0') || !input.isWellFormed()) {
    throw invalidValue(path, 'well-formed Unicode without U+0000', input);
  }
  return input;
}

/** `fallback` when absent. @throws {ScimError} 400 invalidValue */
export function readFlag(input: unknown, path: string, fallback: boolean): boolean {
  if (input === undefined) {
    return fallback;
  }
  if (typeof input !== 'boolean') {
    throw invalidValue(path, 'true or false', input);
  }
  return input;
}

/** One of the given words; `fallback`, if there is one, when absent. @throws {ScimError} 400 invalidValue */
export function readWord<Word extends string>(
  input: unknown,
  path: string,
  words: readonly Word[],
  fallback?: Word,
): Word {
  const word = input === undefined ? fallback : words.find((candidate) => candidate === input);
  if (word === undefined) {
    throw invalidValue(path, words.map(quote).join(' or '), input);
  }
  return word;
}
