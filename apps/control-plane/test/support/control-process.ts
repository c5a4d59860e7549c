import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ADMIN_TOKEN } from './control-app.js';
import type { Method } from '../../../../test/support/routes-of.js';
import { until } from '../../../../test/support/until.js';
import { findFreePort } from '../../../../test/support/free-port.js';

const MAIN = join(import.meta.dirname, '../../../../dist/apps/control-plane/src/main.js');
const MAX_OUTPUT = 20_000;

export interface ProcessAnswer<T> {
  readonly status: number;
  readonly body: T;
}

/** The built service as a process of its own, as an operator runs it. */
export class ControlProcess implements AsyncDisposable {
  /** The last of what it has written. */
  output = '';

  private constructor(
    private readonly child: ChildProcess,
    readonly origin: string,
  ) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.output = (this.output + chunk.toString()).slice(-MAX_OUTPUT);
      });
    }
  }

  /** Starts it on the loopback, by default on a free port; resolves when it is ready. */
  static async start(environment: Readonly<Record<string, string>>, givenPort?: number): Promise<ControlProcess> {
    if (!existsSync(MAIN)) {
      throw new Error(`${MAIN} is missing: run "npm run build" first`);
    }
    const port = givenPort ?? (await findFreePort());
    const child = spawn(process.execPath, ['--enable-source-maps', MAIN], {
      env: {
        PATH: process.env.PATH,
        SVC_LOG_LEVEL: 'warn',
        SVC_ADMIN_TOKEN: ADMIN_TOKEN,
        ...environment,
        SVC_CONTROL_LISTEN: `127.0.0.1:${port}`,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const service = new ControlProcess(child, `http://127.0.0.1:${port}`);
    await until(() => service.isReady());
    return service;
  }

  /** A request below `/api/v1`; rejects when the connection breaks. */
  async api<T = Record<string, unknown>>(method: Method, path: string, body?: object): Promise<ProcessAnswer<T>> {
    const response = await fetch(`${this.origin}/api/v1${path}`, {
      method: method.toUpperCase(),
      headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as T };
  }

  /** Sends a signal and waits for the end. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const exit = once(this.child, 'exit');
      this.child.kill(signal);
      await exit;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end('SIGKILL');
  }

  private async isReady(): Promise<boolean> {
    if (this.child.exitCode !== null) {
      throw new Error(`the service ended with exit code ${this.child.exitCode}:\n${this.output}`);
    }
    const ready = await fetch(`${this.origin}/health/ready`).catch(() => undefined);
    return ready?.ok ?? false;
  }
}
