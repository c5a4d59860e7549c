import { basename, dirname, join } from 'node:path';
import type { Fence } from './leader.js';
import type { RenderedFile } from '../rendering/rendered-file.js';
import { copyDurably, isPresent, synchronize, writeDurably, type FileSystem } from './durable-write.js';
import type { LeaderMark } from './leader-mark.js';
import { StagedFiles } from './staged-files.js';

/**
 * The files of one load balancer, which belong to its leader until another one claims them. A file is only ever replaced as a
 * whole: readers see the old content or the new one. The last good version of each file lies beside it.
 */
export class ClaimedFiles implements Fence {
  private readonly stagingDirectory: string;

  /** @param isNew whether others may have changed the files since this leader last did */
  constructor(
    private readonly mainPath: string,
    private readonly mark: LeaderMark,
    readonly isNew: boolean,
    private readonly fileSystem: FileSystem,
  ) {
    this.stagingDirectory = join(mark.path, 'staging');
  }

  check(): Promise<void> {
    return this.mark.check();
  }

  /** Writes files beside their places, where they can be checked. Disposing of the result removes them. */
  async stage(files: readonly RenderedFile[]): Promise<StagedFiles> {
    await this.fileSystem.rm(this.stagingDirectory, { recursive: true, force: true });
    await this.fileSystem.mkdir(this.stagingDirectory);
    const staged = new StagedFiles(this.stagingDirectory, files, this.fileSystem, this.mark);
    try {
      for (const file of files) {
        await writeDurably(this.fileSystem, staged.pathOf(file.path), file.pieces);
      }
      return staged;
    } catch (error) {
      await staged[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Makes the installed files, or `known` if given, the ones that {@link restoreLastGood} restores. */
  async keepLastGood(paths: readonly string[], known?: readonly RenderedFile[]): Promise<void> {
    for (const path of paths) {
      const file = known?.find((each) => each.path === path);
      if (file === undefined) {
        await this.copyOrRemove(path, lastGoodOf(path));
      } else {
        await this.replace(lastGoodOf(path), (temporary) => writeDurably(this.fileSystem, temporary, file.pieces));
      }
    }
  }

  /** False when there is nothing to restore. */
  async restoreLastGood(paths: readonly string[]): Promise<boolean> {
    if (!(await isPresent(this.fileSystem, lastGoodOf(this.mainPath)))) {
      return false;
    }
    for (const path of paths) {
      await this.copyOrRemove(lastGoodOf(path), path);
    }
    await synchronize(this.fileSystem, dirname(this.mainPath));
    return true;
  }

  private async copyOrRemove(from: string, to: string): Promise<void> {
    if (await isPresent(this.fileSystem, from)) {
      await this.replace(to, (temporary) => copyDurably(this.fileSystem, from, temporary));
    } else if (await isPresent(this.fileSystem, to)) {
      await this.remove(to);
    }
  }

  private async replace(path: string, write: (temporary: string) => Promise<void>): Promise<void> {
    const temporary = this.temporaryFor(path);
    await this.fileSystem.rm(temporary, { force: true });
    try {
      await write(temporary);
      await this.check();
      await this.fileSystem.rename(temporary, path);
    } catch (error) {
      await this.fileSystem.rm(temporary, { force: true });
      throw error;
    }
  }

  /** Moves the file into the mark first, which fails when another leader has claimed the files. */
  private async remove(path: string): Promise<void> {
    const temporary = this.temporaryFor(path);
    await this.check();
    await this.fileSystem.rename(path, temporary);
    await this.fileSystem.rm(temporary, { force: true });
  }

  private temporaryFor(path: string): string {
    return join(this.mark.path, `${basename(path)}.new`);
  }
}

function lastGoodOf(path: string): string {
  return `${path}.last-good`;
}
