import { createHash } from 'node:crypto';
import { inSlices } from './slices.js';

/** A file as it should be. */
export interface RenderedFile {
  readonly path: string;
  readonly pieces: readonly string[];
  readonly bytes: number;
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
}

/** Everything that a state needs, and what of it decides. */
export interface Rendering {
  /** In the order in which they are put in place: a file comes after those that it refers to. */
  readonly files: readonly RenderedFile[];
  /** Of all files together: SHA-256 in hexadecimal. */
  readonly hash: string;
}

export async function renderFile(path: string, pieces: readonly string[]): Promise<RenderedFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  await inSlices(
    pieces,
    (piece) => {
      hash.update(piece);
      bytes += Buffer.byteLength(piece);
    },
    1,
  );
  return { path, pieces, bytes, hash: hash.digest('hex') };
}

export function hashFiles(files: readonly RenderedFile[]): string {
  const lines = files.map(({ path, hash }) => `${hash} ${path}\n`);
  return createHash('sha256').update(lines.join('')).digest('hex');
}

/** Stands at the beginning of every file that may be overwritten. */
export const OWNERSHIP_MARK =
  'Written by the Palisade control plane, which overwrites it: put what is yours into a file of your own.';
