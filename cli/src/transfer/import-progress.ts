import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { UsageError } from '../command/command.errors.js';
import type { Batch } from './batches.js';
import { readState, removeState, statePathOf, writeState, type ImportState } from './import-state.js';
import { START } from './records.js';

/** Which import it is. */
export interface ImportIdentity {
  readonly path: string;
  /** Next to the file unless given. */
  readonly statePath: string | undefined;
  readonly target: string;
  /** The provider that the token belongs to; undefined while it has neither users nor groups. */
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
   * Resumes an interrupted run, or starts a new one. Writes the state at once, so that a path that cannot be written is
   * reported before anything is sent.
   *
   * @throws {UsageError} when the state belongs to another file, service or provider; {@link FailureError} when it cannot be written
   */
  static async open(identity: ImportIdentity, restart = false): Promise<ImportProgress> {
    const { path, statePath = statePathOf(path), target } = identity;
    const digest = new FileDigest(path);
    const found = restart ? undefined : await readState(statePath);
    if (found !== undefined) {
      const difference = await findDifference(found, identity, digest);
      if (difference !== undefined) {
        throw new UsageError(`${statePath} belongs to another import (${difference}); start over with --restart`);
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

  /** Records that everything up to the end of this batch has been answered. */
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

  /** Ends an interrupted run: the state is kept only if there is something to resume. */
  async stop(): Promise<void> {
    if (this.current.offset === 0) {
      await removeState(this.statePath);
    }
  }

  /** Ends a finished import. */
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
    return `the state is for ${found.target}, this is ${target}`;
  }
  if (found.provider !== undefined && found.provider !== provider) {
    const now = provider === undefined ? 'which has nothing in the service now' : `this is ${provider}`;
    return `the state is for the provider ${found.provider}, ${now}`;
  }
  if ((await digest.upTo(found.offset)) !== found.digest) {
    return `the first ${found.offset} bytes of ${path} have changed`;
  }
  return undefined;
}

/** SHA-256 of a growing part of a file from its beginning; tells whether the part that was imported is unchanged. */
class FileDigest {
  private readonly hash = createHash('sha256');
  private end = 0;

  constructor(private readonly path: string) {}

  /** The digest of the bytes before an offset, or of the whole file if it is shorter. Offsets must not decrease. */
  async upTo(offset: number): Promise<string> {
    if (offset > this.end) {
      const added = createReadStream(this.path, { start: this.end, end: offset - 1 }) as AsyncIterable<Buffer>;
      for await (const chunk of added) {
        this.hash.update(chunk);
      }
      this.end = offset;
    }
    return this.hash.copy().digest('hex');
  }
}
