import { readFile } from 'node:fs/promises';
import type { LoadBalancerVersion } from '@palisade/domain';
import type { ConfigurationChange } from '../changes/configuration-change.js';
import { isAbsent } from '../files/durable-write.js';
import type { RenderedFile } from '../rendering/rendered-file.js';
import type { ResolvedState } from '../resolved-state.js';
import { compareLines, type LineDifference } from './line-difference.js';

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
