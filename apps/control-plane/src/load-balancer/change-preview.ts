import { readFile } from 'node:fs/promises';
import type { LoadBalancerVersion } from '@palisade/domain';
import type { ConfigurationChange } from './configuration-change.js';
import { isAbsent } from './files/durable-write.js';
import type { RenderedFile } from './rendering/rendered-file.js';
import type { ResolvedState } from './rendering/resolved-state.js';
import { inSlices } from './rendering/slices.js';

export interface FilePreview extends LineDifference {
  readonly path: string;
  readonly bytes: number;
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
  readonly change: 'none' | 'new' | 'changed';
}

export interface ChangePreview {
  readonly revision: number;
  readonly hash: string;
  readonly method: LoadBalancerVersion['method'];
  readonly files: readonly FilePreview[];
}

const NO_DIFFERENCE: LineDifference = { added: 0, removed: 0, sample: [] };

/** Writes nothing. */
export async function previewChange(change: ConfigurationChange, state: ResolvedState): Promise<ChangePreview> {
  const rendering = await change.render(state);
  const outdated = new Set((await change.outdated(rendering)).map(({ path }) => path));
  const files: FilePreview[] = [];
  for (const file of rendering.files) {
    files.push(await previewFile(file, outdated.has(file.path)));
  }
  return { revision: state.revision, hash: rendering.hash, method: await change.methodFor(rendering), files };
}

async function previewFile(file: RenderedFile, isOutdated: boolean): Promise<FilePreview> {
  const { path, bytes, hash } = file;
  if (!isOutdated) {
    return { path, bytes, hash, change: 'none', ...NO_DIFFERENCE };
  }
  const installed = await readInstalled(path);
  const difference = await compareLines(installed ?? '', file.pieces);
  return { path, bytes, hash, change: installed === undefined ? 'new' : 'changed', ...difference };
}

async function readInstalled(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'latin1');
  } catch (error) {
    if (isAbsent(error)) {
      return undefined;
    }
    throw error;
  }
}

const MAX_SAMPLE = 50;

export interface LineDifference {
  readonly added: number;
  readonly removed: number;
  /** The first lines of both kinds, prefixed with `+` and `-`. */
  readonly sample: readonly string[];
}

/** The lines that are added and removed, whatever their order. */
export async function compareLines(before: string, pieces: readonly string[]): Promise<LineDifference> {
  const surplus = new Map<string, number>();
  await inSlices(linesOf([before]), (line) => surplus.set(line, (surplus.get(line) ?? 0) + 1));
  const sample: string[] = [];
  let [added, removed] = [0, 0];
  const note = (line: string): void => {
    if (sample.length < MAX_SAMPLE) {
      sample.push(line);
    }
  };
  await inSlices(linesOf(pieces), (line) => {
    const left = surplus.get(line) ?? 0;
    if (left > 0) {
      surplus.set(line, left - 1);
    } else {
      added += 1;
      note(`+ ${line}`);
    }
  });
  await inSlices(surplus, ([line, left]) => {
    removed += left;
    if (left > 0) {
      note(`- ${line}`);
    }
  });
  return { added, removed, sample };
}

/** Pieces and files end at the end of a line. Empty lines are left out. */
function* linesOf(pieces: Iterable<string>): Generator<string> {
  for (const piece of pieces) {
    for (let start = 0; start < piece.length;) {
      const newline = piece.indexOf('\n', start);
      const end = newline === -1 ? piece.length : newline;
      if (end > start) {
        yield piece.slice(start, end);
      }
      start = end + 1;
    }
  }
}
