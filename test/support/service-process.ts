import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from './free-port.js';

const DIST = join(import.meta.dirname, '../../dist');
const READY_WITHIN_MS = 60_000;

/** Where a program was built to, and which variable has its address. */
const PROGRAMS = {
  'scim-service': { main: 'apps/scim-service/src/main.js', listenVariable: 'SVC_SCIM_LISTEN' },
  'control-plane': { main: 'apps/control-plane/src/main.js', listenVariable: 'SVC_CONTROL_LISTEN' },
  'data-proxy': { main: 'examples/data-proxy/src/main.js', listenVariable: 'DATA_PROXY_LISTEN' },
} as const;
export type ServiceName = keyof typeof PROGRAMS;

export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A built service as a process of its own, as an operator runs it. */
export class ServiceProcess implements AsyncDisposable {
  /** All that it has written to standard output and standard error. */
  output = '';
  /** Resolves when it has ended and everything that it has written is in {@link output}. */
  readonly exit: Promise<ProcessExit>;

  private constructor(
    private readonly child: ChildProcess,
    readonly origin: string,
  ) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.output += chunk.toString();
      });
    }
    this.exit = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  }

  /** Starts it on a free port of the loopback; resolves before it is ready. */
  static async spawn(name: ServiceName, environment: Readonly<Record<string, string>>): Promise<ServiceProcess> {
    const { listenVariable } = PROGRAMS[name];
    const main = join(DIST, PROGRAMS[name].main);
    if (!existsSync(main)) {
      throw new Error(`${main} is missing: run npm test, which builds it`);
    }
    const port = await findFreePort();
    const env = {
      PATH: process.env.PATH,
      SVC_LOG_LEVEL: 'warn',
      ...environment,
      [listenVariable]: `127.0.0.1:${port}`,
    };
    const child = spawn(process.execPath, ['--enable-source-maps', main], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    return new ServiceProcess(child, `http://127.0.0.1:${port}`);
  }

  get port(): number {
    return Number(new URL(this.origin).port);
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Resolves when `/health/ready` answers with the status. */
  async untilReadiness(status: 200 | 503): Promise<void> {
    const deadline = Date.now() + READY_WITHIN_MS;
    while ((await this.readiness()) !== status) {
      if (Date.now() > deadline || this.hasEnded) {
        throw new Error(`the service did not answer /health/ready with ${status}:\n${this.output.slice(-20_000)}`);
      }
      // Polling a process from outside: there is nothing to wait on.
      await sleep(50);
    }
  }

  async readiness(): Promise<number | undefined> {
    try {
      return (await fetch(`${this.origin}/health/ready`)).status;
    } catch {
      return undefined;
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Sends a signal and waits for the end; resolves with the exit code, null after SIGKILL. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    if (!this.hasEnded) {
      this.signal(signal);
    }
    return (await this.exit).code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end('SIGKILL');
  }
}
