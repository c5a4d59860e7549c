import { closeSync, openSync, readSync } from 'node:fs';
import { isNativeError } from 'node:util/types';

/** Each byte of YAML takes about 0.1 µs and 60 bytes of memory. */
export const MAX_FILE_BYTES = 8 * 2 ** 20;
const CHUNK_BYTES = 2 ** 20;

/** A file cannot be read, or is not text. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError';
}

/**
 * The text of a file, which may be a pipe.
 *
 * @throws {UnreadableFileError}
 */
export function readTextFile(path: string, maxBytes: number): string {
  const bytes = readBytes(path, maxBytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new UnreadableFileError(`${path}: expected text in UTF-8`, { cause: error });
  }
}

function readBytes(path: string, maxBytes: number): Buffer {
  try {
    const file = openSync(path, 'r');
    try {
      return readAll(file, path, maxBytes);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof UnreadableFileError) {
      throw error;
    }
    const reason = isNativeError(error) && 'code' in error ? String(error.code) : 'unknown reason';
    throw new UnreadableFileError(`${path}: cannot be read (${reason})`, { cause: error });
  }
}

function readAll(file: number, path: string, maxBytes: number): Buffer {
  const chunks: Buffer[] = [];
  for (let total = 0; total <= maxBytes;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const read = readSync(file, chunk);
    if (read === 0) {
      return Buffer.concat(chunks);
    }
    total += read;
    chunks.push(chunk.subarray(0, read));
  }
  throw new UnreadableFileError(`${path}: expected at most ${maxBytes / 2 ** 20} MiB`);
}
