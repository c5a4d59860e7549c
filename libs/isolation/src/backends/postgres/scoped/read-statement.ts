import { InvalidStatementError } from '../errors/invalid-statement.error.js';

/** The protocol counts parameters in 16 bits. */
const MAX_VALUES = 65_535;

/**
 * Checks what a caller gives as a statement, whatever its types promise.
 *
 * @throws {InvalidStatementError}
 */
export function requireStatement(text: unknown, values: unknown): void {
  // The server would take what follows a NUL for the rest of the message.
  if (typeof text !== 'string' || text.includes('\0')) {
    throw new InvalidStatementError('a text without NUL characters');
  }
  if (!Array.isArray(values) || values.length > MAX_VALUES) {
    throw new InvalidStatementError(`a list of at most ${MAX_VALUES} values, empty when there are no parameters`);
  }
}

/** @throws {InvalidStatementError} */
export function requireCount(name: string, count: number, max: number): number {
  if (!Number.isInteger(count) || count < 1 || count > max) {
    throw new InvalidStatementError(`${name} to be an integer from 1 to ${max}`);
  }
  return count;
}
