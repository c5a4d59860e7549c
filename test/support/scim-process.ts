import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const MAIN = join(import.meta.dirname, '../../dist/apps/scim-service/src/main.js');
const READY_WITHIN_MS = 60_000;

/** The built service as a process of its own, as an operator runs it. */
export class ScimProcess {
  /** All that it has written to standard output and standard error. */
  output = '';

  private constructor(
    private readonly child: ChildProcess,
    readonly origin: string,
  ) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.output += chunk.toString();
      });
    }
  }

  /** Starts it on a free port of the loopback; resolves before it is ready. */
  static async spawn(environment: Readonly<Record<string, string>>): Promise<ScimProcess> {
    if (!existsSync(MAIN)) {
      throw new Error(`${MAIN} is missing: run "npm run build" first`);
    }
    const port = await freePort();
    const child = spawn(process.execPath, ['--enable-source-maps', MAIN], {
      env: { PATH: process.env.PATH, SVC_LOG_LEVEL: 'warn', ...environment, SVC_SCIM_LISTEN: `127.0.0.1:${port}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new ScimProcess(child, `http://127.0.0.1:${port}`);
  }

  /** Resolves when `/health/ready` answers with the status. */
  async untilReadiness(status: 200 | 503): Promise<void> {
    const deadline = Date.now() + READY_WITHIN_MS;
    while ((await this.readiness()) !== status) {
      if (Date.now() > deadline || this.child.exitCode !== null) {
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

  /** Sends a signal and waits for the end; resolves with the exit code, null after SIGKILL. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const exit = once(this.child, 'exit');
      this.child.kill(signal);
      await exit;
    }
    return this.child.exitCode;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
