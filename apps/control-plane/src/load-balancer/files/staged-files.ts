import { basename, dirname, join } from 'node:path';
import type { Fence } from './leader.js';
import type { RenderedFile } from '../rendering/rendered-file.js';
import { synchronize, writeDurably, type FileSystem } from './durable-write.js';

/** Files that are written, but not yet installed. */
export class StagedFiles implements AsyncDisposable {
  private isInstalled = false;

  constructor(
    private readonly directory: string,
    private readonly files: readonly RenderedFile[],
    private readonly fileSystem: FileSystem,
    private readonly fence: Fence,
  ) {}

  has(path: string): boolean {
    return this.files.some((file) => file.path === path);
  }

  /** Where the new content of a file can be read before it is installed. */
  pathOf(path: string): string {
    return this.has(path) ? join(this.directory, basename(path)) : path;
  }

  /** Writes a file that is only checked, never installed. Returns its path. */
  async addTrial(name: string, pieces: readonly string[]): Promise<string> {
    const path = join(this.directory, name);
    await writeDurably(this.fileSystem, path, pieces);
    return path;
  }

  /**
   * Installs the files in order; a second call does nothing.
   *
   * @throws {SupersededError} before the first file, or between two
   */
  async install(): Promise<void> {
    if (this.isInstalled) {
      return;
    }
    this.isInstalled = true;
    for (const { path } of this.files) {
      await this.fence.check();
      await this.fileSystem.rename(this.pathOf(path), path);
    }
    for (const directory of new Set(this.files.map(({ path }) => dirname(path)))) {
      await synchronize(this.fileSystem, directory);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.fileSystem.rm(this.directory, { recursive: true, force: true });
  }
}
