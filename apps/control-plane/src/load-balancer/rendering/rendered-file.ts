import { createHash } from 'node:crypto';
import { inSlices } from './slices.js';

/** A file with its desired content. */
export interface RenderedFile {
  readonly path: string;
  readonly pieces: readonly string[];
  readonly bytes: number;
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
}

/** The files for a state. */
export interface Rendering {
  /** In the order of installation: a file comes after those that it refers to. */
  readonly files: readonly RenderedFile[];
  /** SHA-256 of all files together, in hexadecimal. */
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

/** The first line of every file that the control plane may overwrite. */
export const OWNERSHIP_MARK =
  'Written by the Palisade control plane, which overwrites it: put what is yours into a file of your own.';
