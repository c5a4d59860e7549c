import { basename, dirname, join } from 'node:path';
import { SupersededError } from '../load-balancer.errors.js';
import type { Fence, Leader } from './leader.js';
import { isAbsent, isPresent, type FileSystem } from './durable-write.js';

const EPOCH = /^\d{1,15}$/;

/**
 * A directory beside the configuration that shows which leader may change it: its name has the leader's epoch, and the
 * leader prepares its files in it. A later leader moves it away with one atomic rename. From then on the earlier leader has
 * nothing left to install, however long it was suspended before. So leaders that share the directory need no lock, and a
 * leader that is killed leaves none behind.
 */
export class LeaderMark implements Fence {
  readonly path: string;
  private readonly directory: string;
  private readonly prefix: string;

  /** @param mainPath the file that the load balancer is started with */
  constructor(
    mainPath: string,
    private readonly leader: Leader,
    private readonly fileSystem: FileSystem,
  ) {
    this.directory = dirname(mainPath);
    this.prefix = `.${basename(mainPath)}.epoch-`;
    this.path = join(this.directory, `${this.prefix}${leader.epoch}`);
  }

  /**
   * Takes the configuration over from an earlier leader. False when this leader had it already.
   *
   * A mark with a larger epoch belongs to a later leader, unless epochs have restarted with another database: then the
   * database confirms that this leader leads, although its epoch is smaller.
   *
   * @throws {SupersededError} when there is a later leader
   */
  async claim(): Promise<boolean> {
    this.requireTerm();
    const isNew = await this.make();
    const others = await this.others();
    if (others.some((epoch) => epoch > this.leader.epoch) && !(await this.leader.isConfirmed())) {
      await this.fileSystem.rm(this.path, { recursive: true, force: true });
      throw new SupersededError(this.leader.epoch);
    }
    for (const epoch of others) {
      await this.remove(epoch);
    }
    return isNew || others.length > 0;
  }

  async check(): Promise<void> {
    this.requireTerm();
    if (!(await isPresent(this.fileSystem, this.path))) {
      throw new SupersededError(this.leader.epoch);
    }
  }

  private requireTerm(): void {
    if (!this.leader.isInTerm()) {
      throw new SupersededError(this.leader.epoch);
    }
  }

  /** Called before looking for others: of two leaders that do so at once, at least one sees the other. */
  private async make(): Promise<boolean> {
    if (await isPresent(this.fileSystem, this.path)) {
      return false;
    }
    await this.fileSystem.mkdir(this.path);
    return true;
  }

  private async others(): Promise<number[]> {
    const names = await this.fileSystem.readdir(this.directory);
    return names
      .filter((name) => name.startsWith(this.prefix))
      .map((name) => name.slice(this.prefix.length))
      .filter((epoch) => EPOCH.test(epoch))
      .map(Number)
      .filter((epoch) => epoch !== this.leader.epoch);
  }

  private async remove(epoch: number): Promise<void> {
    const superseded = join(this.path, `superseded-${epoch}`);
    await this.fileSystem.rm(superseded, { recursive: true, force: true });
    try {
      await this.fileSystem.rename(join(this.directory, `${this.prefix}${epoch}`), superseded);
    } catch (error) {
      if (!isAbsent(error)) {
        throw error;
      }
      // Its leader has given up and removed it; or this one was superseded, which the next step detects.
    }
    await this.fileSystem.rm(superseded, { recursive: true, force: true });
  }
}
