import { open, rename, rm } from 'node:fs/promises';
import { FailureError, UsageError, systemErrorCode, unreadable } from '../command/command.errors.js';

/** No state that we have written is larger. */
const MAX_STATE_BYTES = 64 * 1024;

/** The progress of an import: the service has answered everything before `offset`. */
export interface ImportState {
  readonly version: 2;
  /** Kind, format and service; if any of them differs, it is another import. */
  readonly target: string;
  /** Provider of the created users or groups; absent until there are any. */
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

/** The default place, next to the file. */
export function statePathOf(input: string): string {
  return `${input}.palisade-state.json`;
}

/** The state of an interrupted run; undefined when there is none. @throws {UsageError} when it is damaged. */
export async function readState(path: string): Promise<ImportState | undefined> {
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    const value: unknown = size > MAX_STATE_BYTES ? undefined : JSON.parse(await file.readFile('utf8'));
    if (isState(value)) {
      return value;
    }
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') {
      return undefined;
    }
    if (!(error instanceof SyntaxError)) {
      throw unreadable(path, error);
    }
  }
  throw new UsageError(`${path} is not the state of an import; start over with --restart`);
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
 * Replaces the state atomically: whenever the process or the machine dies, either the old or the new state is on disk.
 *
 * @throws {FailureError} when it cannot be written; the old state is kept
 */
export async function writeState(path: string, state: ImportState): Promise<void> {
  const temporary = `${path}.tmp`;
  try {
    // Never write through a link that somebody else has put here; a run that died may also have left this file.
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
    throw new FailureError(`cannot write ${path} (${code}), which keeps the progress of the import`, { cause: error });
  }
}

export async function removeState(path: string): Promise<void> {
  await rm(path, { force: true });
}
