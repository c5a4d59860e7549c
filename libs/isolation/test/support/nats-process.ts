import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { requireBinary } from '../../../../test/support/test-services.js';
import { waitUntil } from './wait-until.js';

const START_TIMEOUT_MS = 30_000;
const MAX_OUTPUT_CHARS = 8_000;

/**
 * A NATS server that has all of its configuration from a file, so that it can be told to read it again: what comes from the
 * command line is not the same after that. It ends with this process at the latest.
 */
export class NatsProcess {
  #child: ChildProcess | undefined = undefined;
  #output = '';

  constructor(private readonly configFile: string) {}

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Resolves when clients can come. @throws {Error} with what the server wrote when it ended instead */
  async start(): Promise<void> {
    const child = spawn(requireBinary('nats-server'), ['--config', this.configFile], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#child = child;
    this.#output = '';
    const kill = () => child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('exit', () => process.off('exit', kill));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#output = (this.#output + text).slice(-MAX_OUTPUT_CHARS);
    });
    const isOver = () => child.exitCode !== null || this.#output.includes('Server is ready');
    await waitUntil(isOver, 'the NATS server is ready', START_TIMEOUT_MS);
    if (child.exitCode !== null) {
      throw new Error(`nats-server ended with ${child.exitCode}. It wrote:\n${this.#output.trim()}`);
    }
  }

  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      child.kill(signal);
      await once(child, 'exit');
    }
  }
}
