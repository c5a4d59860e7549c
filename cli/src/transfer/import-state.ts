import { open, readFile, rename, rm } from 'node:fs/promises';
import { UsageError } from '../usage.error.js';
import { systemErrorCode } from '../system-error-code.js';

/** How far an import has come: everything before `offset` has been answered by the service. */
export interface ImportState {
  readonly version: 1;
  /** Of the file, and where it goes: another file or service is another import. */
  readonly target: string;
  readonly offset: number;
  readonly records: number;
  readonly present: number;
  readonly failed: number;
}

/** Beside the file. */
export function statePathOf(input: string): string {
  return `${input}.palisade-state.json`;
}

/** The state of a run that was cut short; undefined when there is none. @throws {UsageError} when it is damaged. */
export async function readState(path: string): Promise<ImportState | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (isState(value)) {
      return value;
    }
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') {
      return undefined;
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
    state?.version === 1 &&
    typeof state.target === 'string' &&
    [state.offset, state.records, state.present, state.failed].every((n) => Number.isSafeInteger(n) && Number(n) >= 0)
  );
}

/** Replaces the state as a whole: whenever the process or the machine dies, the old or the new one is there. */
export async function writeState(path: string, state: ImportState): Promise<void> {
  const temporary = `${path}.tmp`;
  {
    await using file = await open(temporary, 'w', 0o600);
    await file.writeFile(`${JSON.stringify(state)}\n`);
    await file.sync();
  }
  await rename(temporary, path);
}

/** The import is over. */
export async function removeState(path: string): Promise<void> {
  await rm(path, { force: true });
}
