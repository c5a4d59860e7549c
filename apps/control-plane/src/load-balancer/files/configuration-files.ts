import * as nodeFiles from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { RejectedStateError } from '../load-balancer.errors.js';
import type { Leader } from './leader.js';
import { type RenderedFile, OWNERSHIP_MARK } from '../rendering/rendered-file.js';
import { ClaimedFiles } from './claimed-files.js';
import { isAbsent, type FileSystem } from './durable-write.js';
import { LeaderMark } from './leader-mark.js';

const HEAD_BYTES = 1024;

/** The files of one load balancer, all in one directory. Only the leader that has claimed them can change them. */
export class ConfigurationFiles {
  /** @param mainPath the file that the load balancer is started with; the others lie beside it */
  constructor(
    readonly mainPath: string,
    private readonly fileSystem: FileSystem = nodeFiles,
  ) {}

  /** @throws {RejectedStateError} when the main file exists and was not written by the control plane */
  async requireOwnership(): Promise<void> {
    const head = await readHead(this.mainPath);
    if (head !== undefined && head.trim() !== '' && !head.includes(OWNERSHIP_MARK)) {
      throw new RejectedStateError(
        `${this.mainPath} was not written by the control plane, and is not overwritten: name another config_path`,
      );
    }
  }

  /** The files that are missing, or whose installed content differs. */
  async outdated(files: readonly RenderedFile[]): Promise<RenderedFile[]> {
    const checks = await Promise.all(files.map(async (file) => ({ file, isCurrent: await isInstalled(file) })));
    return checks.filter(({ isCurrent }) => !isCurrent).map(({ file }) => file);
  }

  /**
   * Takes the files over, so that no earlier leader can change them any more.
   *
   * @throws {SupersededError} when a later leader has claimed them
   */
  async claim(leader: Leader): Promise<ClaimedFiles> {
    const mark = new LeaderMark(this.mainPath, leader, this.fileSystem);
    return new ClaimedFiles(this.mainPath, mark, await mark.claim(), this.fileSystem);
  }
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
