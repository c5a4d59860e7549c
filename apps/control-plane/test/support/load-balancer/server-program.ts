import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

const WITHIN_MS = 20_000;
const MAX_OUTPUT = 20_000;

/** A program that runs until it is disposed of, with everything that it has started. */
export class ServerProgram implements AsyncDisposable {
  output = '';
  private readonly ended: Promise<unknown>;

  private constructor(private readonly child: ChildProcess) {
    this.ended = once(child, 'exit');
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.output = (this.output + chunk.toString()).slice(-MAX_OUTPUT);
      });
    }
  }

  /** Resolves when `isReady`, which gets what the program has written, does so with true. */
  static async start(
    command: readonly string[],
    isReady: (output: string) => Promise<boolean>,
  ): Promise<ServerProgram> {
    const [program = '', ...args] = command;
    const server = new ServerProgram(spawn(program, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] }));
    try {
      const readyOrEnded = async (): Promise<boolean> => server.child.exitCode !== null || isReady(server.output);
      await until(readyOrEnded, `${command.join(' ')} to be ready`, () => server.output);
      if (server.child.exitCode !== null) {
        throw new Error(`${command.join(' ')} ended with exit code ${server.child.exitCode}: ${server.output}`);
      }
      return server;
    } catch (error) {
      await server[Symbol.asyncDispose]();
      throw error;
    }
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      process.kill(-this.pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
    await this.ended;
  }
}

/** Waits for what nothing tells. */
export async function until(
  condition: () => Promise<boolean>,
  what: string,
  describe: () => string = () => '',
): Promise<void> {
  const deadline = performance.now() + WITHIN_MS;
  while (!(await condition().catch(() => false))) {
    if (performance.now() > deadline) {
      throw new Error(`waited ${WITHIN_MS} ms for ${what}: ${describe()}`);
    }
    await sleep(10);
  }
}
