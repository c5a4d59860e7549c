import { open, rename, rm } from 'node:fs/promises';
import { FailureError } from '../failure.error.js';
import { UsageError } from '../usage.error.js';
import { systemErrorCode } from '../system-error-code.js';

/** More than this is no state of ours. */
const MAX_STATE_BYTES = 64 * 1024;

/** How far an import has come: everything before `offset` has been answered by the service. */
export interface ImportState {
  readonly version: 2;
  /** What is imported, in which format and where: anything else is another import. */
  readonly target: string;
  /** Whose users or groups they became; absent until there is one. */
  readonly provider?: string;
  /** SHA-256 of the file up to `offset`. */
  readonly digest: string;
  readonly offset: number;
  readonly records: number;
  /** Lines before `offset`. */
  readonly lines: number;
  readonly present: number;
  readonly failed: number;
}

const COUNTS = ['offset', 'records', 'lines', 'present', 'failed'] as const;

/** Beside the file. */
export function statePathOf(input: string): string {
  return `${input}.palisade-state.json`;
}

/** The state of a run that was cut short; undefined when there is none. @throws {UsageError} when it is damaged. */
export async function readState(path: string): Promise<ImportState | undefined> {
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    const value: unknown = size > MAX_STATE_BYTES ? undefined : JSON.parse(await file.readFile('utf8'));
    if (isState(value)) {
      return value;
    }
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT') {
      return undefined;
    }
    if (code !== undefined) {
      throw new UsageError(`cannot read ${path} (${code})`, { cause: error });
    }
    if (!(error instanceof SyntaxError)) {
      throw error;
    }
  }
  throw new UsageError(`${path} is not what an import has left; begin anew with --restart`);
}

function isState(value: unknown): value is ImportState {
  const state = value as Partial<ImportState> | null;
  return (
    typeof state === 'object' &&
    state?.version === 2 &&
    typeof state.target === 'string' &&
    typeof state.digest === 'string' &&
    ['string', 'undefined'].includes(typeof state.provider) &&
    COUNTS.every((name) => Number.isSafeInteger(state[name]) && Number(state[name]) >= 0)
  );
}

/**
 * Replaces the state as a whole: whenever the process or the machine dies, the old or the new one is there.
 *
 * @throws {FailureError} when it cannot be written; then the old one is still there.
 */
export async function writeState(path: string, state: ImportState): Promise<void> {
  const temporary = `${path}.tmp`;
  try {
    // What a run that died has left, or a link that somebody else has put there, is not written through.
    await rm(temporary, { force: true });
    {
      await using file = await open(temporary, 'wx', 0o600);
      await file.writeFile(`${JSON.stringify(state)}\n`);
      await file.sync();
    }
    await rename(temporary, path);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) {
      throw error;
    }
    await rm(temporary, { force: true }).catch(() => undefined);
    throw new FailureError(`cannot write ${path} (${code}), which says how far the import has come`, { cause: error });
  }
}

/** The import is over. */
export async function removeState(path: string): Promise<void> {
  await rm(path, { force: true });
}
