import { readFileSync, statSync } from 'node:fs';
import { UsageError } from '../usage.error.js';
import { systemErrorCode } from '../system-error-code.js';

const MAX_BODY_BYTES = 2 ** 20;

/** The object in a JSON file. @throws {UsageError} when there is none. */
export function readBodyFile(path: string): Readonly<Record<string, unknown>> {
  try {
    if (statSync(path).size > MAX_BODY_BYTES) {
      throw new UsageError(`${path} has more than ${MAX_BODY_BYTES} bytes`);
    }
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new UsageError(`${path} is not JSON: ${error.message}`, { cause: error });
    }
    const code = systemErrorCode(error);
    if (code !== undefined) {
      throw new UsageError(`cannot read ${path} (${code})`, { cause: error });
    }
    throw error;
  }
  throw new UsageError(`${path}: expected a JSON object`);
}
