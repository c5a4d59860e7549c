import { codeOf } from '@palisade/domain';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { NotRunningError, ReloadFailedError } from '../load-balancer.errors.js';
import { isAbsent } from '../files/durable-write.js';

const POLL_MS = 20;

/** The master process of NGINX and its workers, found by its pid file. In another container they are not visible. */
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

  /** Process ids of workers, including old ones; undefined when they are not visible. */
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
   * Resolves when there is a new worker, and none of these takes connections any more.
   *
   * @throws {ReloadFailedError} when that does not happen in time
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

  /** Undefined when there is no such process, or it is not visible. */
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

/** NGINX marks such a worker in its process title. */
async function isShuttingDown(worker: number): Promise<boolean> {
  const title = await readFile(`/proc/${worker}/cmdline`, 'utf8').catch(() => '');
  return title === '' || title.includes('shutting down');
}
