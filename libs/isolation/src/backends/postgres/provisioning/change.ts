import { escapeIdentifier } from '../pg-package.js';

/** One difference between what is and what should be. */
export interface Change {
  readonly description: string;
  /** What removes it; absent when nobody but a person should. */
  readonly statement?: string;
}

/** PostgreSQL cuts longer names off. */
const MAX_NAME_BYTES = 63;

/**
 * A name as SQL takes it, whatever characters it has.
 *
 * @throws {RangeError} when no object can have the name, or only a shortened one
 */
export function quoteName(name: string): string {
  const bytes = Buffer.byteLength(name);
  if (bytes < 1 || bytes > MAX_NAME_BYTES || name.includes('\0') || !name.isWellFormed()) {
    throw new RangeError(
      `${JSON.stringify(name.slice(0, 80))}: expected a name of 1 to ${MAX_NAME_BYTES} bytes without NUL characters`,
    );
  }
  return escapeIdentifier(name);
}
