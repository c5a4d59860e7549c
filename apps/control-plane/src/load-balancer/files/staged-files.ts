import { basename, dirname, join } from 'node:path';
import type { Fence } from './leader.js';
import type { RenderedFile } from '../rendering/rendered-file.js';
import { synchronize, writeDurably, type FileSystem } from './durable-write.js';

/** Files that are written, but not yet where the load balancer looks for them. */
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

  /** Where the coming content of an installed file can be read now. */
  pathOf(path: string): string {
    return this.has(path) ? join(this.directory, basename(path)) : path;
  }

  /** Writes a file that is only there to be tried. Returns its path. */
  async addTrial(name: string, pieces: readonly string[]): Promise<string> {
    const path = join(this.directory, name);
    await writeDurably(this.fileSystem, path, pieces);
    return path;
  }

  /**
   * Puts the files in place, in their order; a second time does nothing.
   *
   * @throws {SupersededError} before any of them, or between two
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
