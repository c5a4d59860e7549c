import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import * as nodeFiles from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { RejectedStateError } from '../errors/rejected-state.error.js';
import type { RenderedFile } from '../rendering/rendered-file.js';
import { isAbsent, syncDirectory, writeDurably, type FileSystem } from './durable-write.js';
import { OWNERSHIP_MARK } from './ownership.js';
import { StagedFiles } from './staged-files.js';

const HEAD_BYTES = 1024;

/**
 * The files of one load balancer, all in one directory. They are only ever replaced as a whole: whoever reads one sees the
 * old content or the new one. Beside each lies what it was when it was last known to be good.
 */
export class ConfigurationFiles {
  private readonly directory: string;
  private readonly stagingDirectory: string;

  /** @param mainPath the file that the load balancer is started with; the others lie beside it */
  constructor(
    readonly mainPath: string,
    private readonly fileSystem: FileSystem = nodeFiles,
  ) {
    this.directory = dirname(mainPath);
    this.stagingDirectory = join(this.directory, `.${basename(mainPath)}.staging`);
  }

  /** @throws {RejectedStateError} when the main file is there and somebody else has written it */
  async requireOwnership(): Promise<void> {
    const head = await readHead(this.mainPath);
    if (head !== undefined && head.trim() !== '' && !head.includes(OWNERSHIP_MARK)) {
      throw new RejectedStateError(
        `${this.mainPath} was not written by the control plane, and is not overwritten: name another config_path`,
      );
    }
  }

  /** Those whose installed content is another one, or that are missing. */
  async outdated(files: readonly RenderedFile[]): Promise<RenderedFile[]> {
    const checks = await Promise.all(files.map(async (file) => ({ file, isCurrent: await isInstalled(file) })));
    return checks.filter(({ isCurrent }) => !isCurrent).map(({ file }) => file);
  }

  /** Writes files beside their places, where they can be tried; nothing is left of them when the result is disposed of. */
  async stage(files: readonly RenderedFile[]): Promise<StagedFiles> {
    await this.fileSystem.rm(this.stagingDirectory, { recursive: true, force: true });
    await this.fileSystem.mkdir(this.stagingDirectory);
    const staged = new StagedFiles(this.stagingDirectory, files, this.fileSystem);
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

  /** Lets what is installed now, or `known` when that was it, be what {@link restoreLastGood} brings back. */
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

  /** False when there is nothing to bring back. */
  async restoreLastGood(paths: readonly string[]): Promise<boolean> {
    if (!(await this.exists(lastGoodOf(this.mainPath)))) {
      return false;
    }
    for (const path of paths) {
      await this.copyOrRemove(lastGoodOf(path), path);
    }
    await syncDirectory(this.fileSystem, this.directory);
    return true;
  }

  private async copyOrRemove(from: string, to: string): Promise<void> {
    if (await this.exists(from)) {
      await this.replace(to, (temporary) => this.fileSystem.copyFile(from, temporary, constants.COPYFILE_FICLONE));
    } else {
      await this.fileSystem.rm(to, { force: true });
    }
  }

  private async replace(path: string, write: (temporary: string) => Promise<void>): Promise<void> {
    const temporary = `${path}.new`;
    await this.fileSystem.rm(temporary, { force: true });
    try {
      await write(temporary);
      await this.fileSystem.rename(temporary, path);
    } catch (error) {
      await this.fileSystem.rm(temporary, { force: true });
      throw error;
    }
  }

  private async exists(path: string): Promise<boolean> {
    return this.fileSystem.access(path).then(
      () => true,
      (error: unknown) => {
        if (!isAbsent(error)) {
          throw error;
        }
        return false;
      },
    );
  }
}

function lastGoodOf(path: string): string {
  return `${path}.last-good`;
}

async function readHead(path: string): Promise<string | undefined> {
  try {
    let head = '';
    for await (const chunk of createReadStream(path, { end: HEAD_BYTES - 1, encoding: 'latin1' })) {
      head += String(chunk);
    }
    return head;
  } catch (error) {
    if (isAbsent(error)) {
      return undefined;
    }
    throw error;
  }
}

async function isInstalled({ path, bytes, hash }: RenderedFile): Promise<boolean> {
  try {
    if ((await nodeFiles.stat(path)).size !== bytes) {
      return false;
    }
    const digest = createHash('sha256');
    for await (const chunk of createReadStream(path)) {
      digest.update(chunk as Buffer);
    }
    return digest.digest('hex') === hash;
  } catch (error) {
    if (isAbsent(error)) {
      return false;
    }
    throw error;
  }
}
