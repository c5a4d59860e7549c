import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SinkUnavailableError } from './log.errors.js';
import { SegmentSink } from './segment-sink.js';
import { isSegmentName } from './segment.js';

const DIRECTORY_MODE = 0o750;
const FILE_MODE = 0o640;
/** What a crash has left behind; one who writes now is done long before. */
const ABANDONED_AFTER_MS = 3_600_000;
const TEMPORARY = /^\.log-.*\.tmp$/;

/** A directory of a file system that has hard links; made when it does not exist. */
export class DirectorySink extends SegmentSink {
  override readonly location: string;

  constructor(private readonly directory: string) {
    super();
    this.location = `file://${directory}`;
  }

  override list(): Promise<string[]> {
    return this.attempt(async () => {
      await mkdir(this.directory, { recursive: true, mode: DIRECTORY_MODE });
      const names = await readdir(this.directory);
      await Promise.all(names.filter((name) => TEMPORARY.test(name)).map((name) => this.removeAbandoned(name)));
      return names.filter(isSegmentName).toSorted();
    });
  }

  override read(name: string): Promise<string> {
    return this.attempt(() => readFile(join(this.directory, name), 'utf8'));
  }

  override create(name: string, text: string): Promise<boolean> {
    return this.attempt(async () => {
      await mkdir(this.directory, { recursive: true, mode: DIRECTORY_MODE });
      const temporary = join(this.directory, `.${name}.${randomUUID()}.tmp`);
      try {
        await writeDurably(temporary, text);
        return await this.publish(temporary, name);
      } finally {
        await rm(temporary, { force: true });
      }
    });
  }

  override close(): void {
    // Nothing is kept open.
  }

  /** Gives the file its name, unless another has it: unlike a rename, a link replaces nothing. */
  private async publish(temporary: string, name: string): Promise<boolean> {
    try {
      await link(temporary, join(this.directory, name));
    } catch (error) {
      if (hasCode(error, 'EEXIST')) {
        return false;
      }
      throw error;
    }
    await syncDirectory(this.directory);
    return true;
  }

  private async removeAbandoned(name: string): Promise<void> {
    const path = join(this.directory, name);
    try {
      const { mtimeMs } = await stat(path);
      if (Date.now() - mtimeMs > ABANDONED_AFTER_MS) {
        await rm(path, { force: true });
      }
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) {
        throw error;
      }
    }
  }

  /** Whatever the file system says, the directory cannot be used now. */
  private async attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw new SinkUnavailableError(this.location, { cause: error });
    }
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  await using file = await open(path, 'wx', FILE_MODE);
  await file.writeFile(text);
  await file.sync();
}

/** So that the name survives a crash as well. */
async function syncDirectory(directory: string): Promise<void> {
  await using handle = await open(directory, 'r');
  await handle.sync();
}

function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
