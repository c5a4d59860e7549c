import { closeSync, openSync, readSync } from 'node:fs';

/** 100,000 routes take 6 MiB. */
export const MAX_FILE_BYTES = 64 * 2 ** 20;
const CHUNK_BYTES = 2 ** 20;

/** A file cannot be read, or is no text. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError';
}

/**
 * The text of a configuration file, which may be a pipe.
 *
 * @throws {UnreadableFileError}
 */
export function readConfigurationText(path: string): string {
  const bytes = readBytes(path);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new UnreadableFileError(`${path}: expected text in UTF-8`, { cause: error });
  }
}

function readBytes(path: string): Buffer {
  try {
    const file = openSync(path, 'r');
    try {
      return readAll(file, path);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof UnreadableFileError) {
      throw error;
    }
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    throw new UnreadableFileError(`${path}: cannot be read (${reason})`, { cause: error });
  }
}

function readAll(file: number, path: string): Buffer {
  const chunks: Buffer[] = [];
  for (let total = 0; total <= MAX_FILE_BYTES;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const read = readSync(file, chunk);
    if (read === 0) {
      return Buffer.concat(chunks);
    }
    total += read;
    chunks.push(chunk.subarray(0, read));
  }
  throw new UnreadableFileError(`${path}: expected at most ${MAX_FILE_BYTES / 2 ** 20} MiB`);
}
