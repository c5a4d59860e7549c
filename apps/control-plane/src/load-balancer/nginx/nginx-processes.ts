import { codeOf } from '@palisade/domain';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { NotRunningError, ReloadFailedError } from '../load-balancer.errors.js';
import { isAbsent } from '../files/durable-write.js';

const POLL_MS = 20;

/** The master process of NGINX and its workers, by its pid file; they may be of another container, and cannot be seen then. */
export class NginxProcesses {
  constructor(
    private readonly pidFile: string,
    private readonly timeoutMs: number,
  ) {}

  /** @throws {NotRunningError} when there is no such process */
  async requireMaster(): Promise<number> {
    const pid = await this.findMaster();
    if (pid === undefined) {
      throw new NotRunningError(`NGINX is not running: ${this.pidFile} names no process`);
    }
    return pid;
  }

  /** Process ids of workers, old ones as well; undefined when they cannot be seen. */
  async findWorkers(): Promise<readonly number[] | undefined> {
    const master = await this.findMaster();
    if (master === undefined) {
      return undefined;
    }
    try {
      const children = await readFile(`/proc/${master}/task/${master}/children`, 'utf8');
      return children
        .split(' ')
        .filter((pid) => pid !== '')
        .map(Number);
    } catch {
      return undefined;
    }
  }

  /**
   * Resolves when there is a worker that is none of these, and none of these takes connections any more.
   *
   * @throws {ReloadFailedError} when that does not come about in time
   */
  async awaitReplacement(before: readonly number[]): Promise<void> {
    const deadline = performance.now() + this.timeoutMs;
    while (performance.now() < deadline) {
      const workers = (await this.findWorkers()) ?? [];
      const old = workers.filter((worker) => before.includes(worker));
      if (workers.length > old.length && (await Promise.all(old.map(isShuttingDown))).every(Boolean)) {
        return;
      }
      await sleep(POLL_MS);
    }
    throw new ReloadFailedError(`NGINX has no new worker ${this.timeoutMs} ms after the reload; see its error log`);
  }

  /** Undefined when there is no such process, or it cannot be seen. */
  async findMaster(): Promise<number | undefined> {
    try {
      const pid = Number((await readFile(this.pidFile, 'utf8')).trim());
      return Number.isSafeInteger(pid) && pid > 0 && isAlive(pid) ? pid : undefined;
    } catch (error) {
      if (isAbsent(error)) {
        return undefined;
      }
      throw error;
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** NGINX changes the title of such a worker. */
async function isShuttingDown(worker: number): Promise<boolean> {
  const title = await readFile(`/proc/${worker}/cmdline`, 'utf8').catch(() => '');
  return title === '' || title.includes('shutting down');
}
