import { InvalidIdentifierError } from '@palisade/domain';

const MAX_NAME_LENGTH = 255;

/**
 * Whether PostgreSQL can store a text unchanged: it rejects U+0000, and the driver turns lone surrogates into U+FFFD. No
 * stored text is equal to one that cannot be stored.
 */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/**
 * Accepts only texts that every store can keep as a name.
 *
 * @param kind what the text names, for the error
 * @throws {InvalidIdentifierError} when the text is empty, longer than 255 characters or cannot be stored
 */
export function requireStorable(kind: string, text: string): void {
  if (text.length === 0 || text.length > MAX_NAME_LENGTH || !isStorable(text)) {
    throw new InvalidIdentifierError(kind, text, `1 to ${MAX_NAME_LENGTH} characters, no U+0000, no lone surrogates`);
  }
}

/** The text cut to a length, with U+FFFD in place of what cannot be stored. */
export function storableText(text: string, maxLength = Infinity): string {
  return text.slice(0, maxLength).replaceAll('\0', '\ufffd').toWellFormed();
}
