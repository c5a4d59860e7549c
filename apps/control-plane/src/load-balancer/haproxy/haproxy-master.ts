import { codeOf } from '@palisade/domain';
import { setTimeout as sleep } from 'node:timers/promises';
import { NotRunningError, ReloadFailedError } from '../load-balancer.errors.js';
import type { Fence } from '../files/leader.js';
import type { HaproxySocket } from './haproxy-socket.js';
import { HaproxyWorker } from './haproxy-worker.js';

const POLL_MS = 20;
/** A map of a million entries needs a fourth of it. */
const LOADING_MS = 2000;

/** The workers of a master. */
export interface Processes {
  readonly reloads: number;
  /** Consecutive reloads that have failed. */
  readonly failedReloads: number;
  /** Process ids of workers that take new connections. */
  readonly workers: readonly number[];
  /** Process ids of workers that have been replaced, and finish their requests. */
  readonly oldWorkers: readonly number[];
}

/** The master process of HAProxy in master-worker mode, by its socket. */
export class HaproxyMaster {
  constructor(
    private readonly socket: HaproxySocket,
    private readonly timeoutMs: number,
  ) {}

  /**
   * While it loads a configuration, the master does not listen.
   *
   * @param patienceMs how long that may take
   * @throws {NotRunningError} when no process listens in time
   */
  async processes(patienceMs = Math.min(this.timeoutMs, LOADING_MS)): Promise<Processes> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      try {
        return parseProcesses(await this.socket.ask('show proc'));
      } catch (error) {
        if (!isConnectionRefused(error) || performance.now() > deadline) {
          throw error;
        }
        await sleep(POLL_MS);
      }
    }
  }

  /** The workers that have been replaced, the latest first. */
  async oldWorkers(): Promise<HaproxyWorker[]> {
    const { oldWorkers } = await this.processes();
    return oldWorkers.map((pid) => new HaproxyWorker(this.socket, `@!${pid} `));
  }

  /**
   * Makes the master load the configuration, by its own command unless `trigger` does it in another way.
   *
   * @param fence checked right before
   * @throws {ReloadFailedError} when it could not; then the old workers continue
   */
  async reload(fence: Fence, trigger?: () => Promise<unknown>): Promise<void> {
    const before = await this.processes();
    await fence.check();
    const said = trigger === undefined ? await this.requestReload() : await trigger().then(() => '');
    const deadline = performance.now() + this.timeoutMs;
    while (performance.now() < deadline) {
      const now = await this.processesAfterReload(deadline - performance.now());
      if (now.reloads !== before.reloads && now.failedReloads > 0) {
        throw new ReloadFailedError(`HAProxy could not load the configuration${said === '' ? '' : `: ${said}`}`);
      }
      if (now.workers.some((worker) => !before.workers.includes(worker) && !before.oldWorkers.includes(worker))) {
        return;
      }
      await sleep(POLL_MS);
    }
    throw new ReloadFailedError(`HAProxy has no new worker ${this.timeoutMs} ms after the reload`);
  }

  /** HAProxy retries an occupied port for seconds. When the master does not come back, the reload is the reason. */
  private async processesAfterReload(patienceMs: number): Promise<Processes> {
    try {
      return await this.processes(patienceMs);
    } catch (error) {
      throw error instanceof NotRunningError
        ? new ReloadFailedError(`HAProxy has not answered since the reload: ${error.message}`, { cause: error })
        : error;
    }
  }

  /** HAProxy 2.6 closes the connection without an answer; since 2.7 it answers with success or the error. */
  private async requestReload(): Promise<string> {
    const answer = await this.socket.ask('reload').catch(ignoreAbsence);
    return answer?.replace(/^Success=\d\n--\n/, '') ?? '';
  }
}

/** Whether the socket exists. */
function isConnectionRefused(error: unknown): boolean {
  return error instanceof NotRunningError && codeOf(error.cause) !== 'ENOENT';
}

function ignoreAbsence(error: unknown): undefined {
  if (!(error instanceof NotRunningError)) {
    throw error;
  }
}

function parseProcesses(answer: string): Processes {
  const master = /^\d+\s+master\s+(\d+)\s+\[failed: (\d+)\]/m.exec(answer);
  if (master === null) {
    throw new Error(`"show proc" was answered with ${JSON.stringify(answer.slice(0, 200))}`);
  }
  const [current = '', old = ''] = answer.split('# old workers');
  return {
    reloads: Number(master[1]),
    failedReloads: Number(master[2]),
    workers: workersIn(current),
    oldWorkers: workersIn(old),
  };
}

function workersIn(text: string): number[] {
  return [...text.matchAll(/^(\d+)\s+worker\s/gm)].map(([, pid]) => Number(pid));
}
