import { UsageError } from '../usage.error.js';
import type { Batch } from './batches.js';
import { FileDigest } from './file-digest.js';
import { readState, removeState, statePathOf, writeState, type ImportState } from './import-state.js';
import { START } from './records.js';

/** Which import it is. */
export interface ImportIdentity {
  readonly path: string;
  /** Beside the file unless it is given. */
  readonly statePath: string | undefined;
  readonly target: string;
  /** Whose users and groups the service has for this token; undefined while it has none. */
  readonly provider: string | undefined;
}

/** How far an import has come, here and on disk. */
export class ImportProgress {
  private constructor(
    private readonly statePath: string,
    private readonly digest: FileDigest,
    private current: ImportState,
  ) {}

  /**
   * Goes on where a run that was cut short has stopped, else begins. What cannot be written is found out now, before
   * anything is sent.
   *
   * @throws {UsageError} when the run before was of another file, service or provider; {@link FailureError} when it cannot be written.
   */
  static async open(identity: ImportIdentity, restart = false): Promise<ImportProgress> {
    const { path, statePath = statePathOf(path), target } = identity;
    const digest = new FileDigest(path);
    const found = restart ? undefined : await readState(statePath);
    if (found !== undefined) {
      const difference = await findDifference(found, identity, digest);
      if (difference !== undefined) {
        throw new UsageError(`${statePath} is of another import (${difference}); begin anew with --restart`);
      }
      return new ImportProgress(statePath, digest, found);
    }
    const state: ImportState = { version: 2, target, digest: await digest.upTo(0), ...START, present: 0, failed: 0 };
    await writeState(statePath, state);
    return new ImportProgress(statePath, digest, state);
  }

  get state(): ImportState {
    return this.current;
  }

  /** Everything up to the end of this batch has been answered. */
  async advance(
    { end, records }: Batch,
    failed: number,
    findProvider: () => Promise<string | undefined>,
  ): Promise<void> {
    const present = this.current.present + records.length - failed;
    const provider = this.current.provider ?? (present > 0 ? await findProvider() : undefined);
    const digest = await this.digest.upTo(end.offset);
    const next = { ...this.current, ...end, provider, digest, present, failed: this.current.failed + failed };
    await writeState(this.statePath, next);
    this.current = next;
  }

  /** Cut short: what nobody needs in order to go on is removed. */
  async stop(): Promise<void> {
    if (this.current.offset === 0) {
      await removeState(this.statePath);
    }
  }

  /** The import is over. */
  async end(): Promise<void> {
    await removeState(this.statePath);
  }
}

async function findDifference(
  found: ImportState,
  { path, target, provider }: ImportIdentity,
  digest: FileDigest,
): Promise<string | undefined> {
  if (found.target !== target) {
    return `that was ${found.target}, this is ${target}`;
  }
  if (found.provider !== undefined && found.provider !== provider) {
    const now = provider === undefined ? 'the service has nothing of it now' : `this is ${provider}`;
    return `that was of the provider ${found.provider}, ${now}`;
  }
  if ((await digest.upTo(found.offset)) !== found.digest) {
    return `the first ${found.offset} bytes of ${path} have changed`;
  }
  return undefined;
}
