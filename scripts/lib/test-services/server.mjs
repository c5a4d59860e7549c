import { spawn } from 'node:child_process';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 5_000;
const POLL_MS = 20;
const MAX_OUTPUT_CHARS = 8_000;

/**
 * Watches over a process: when ours has disappeared, however that happened, the pipe to the watcher closes, and it ends the
 * other one.
 */
function watchOver(pid) {
  if (process.platform === 'win32') {
    return { end: () => {} };
  }
  const script = 'cat > /dev/null; kill -9 "$1"';
  // In a group of its own, so that what ends ours from a terminal does not end the watcher.
  const options = { stdio: ['pipe', 'ignore', 'ignore'], detached: true };
  const watcher = spawn('sh', ['-c', script, 'sh', String(pid)], options);
  watcher.unref();
  watcher.stdin.unref();
  return { end: () => watcher.kill('SIGKILL') };
}

/** One run of a server's program. It ends with this process at the latest. */
class Run {
  output = '';
  /** How it ended; undefined while it runs. */
  end;
  #child;
  #ended = Promise.withResolvers();

  constructor(command, args) {
    this.#child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const watcher = this.#child.pid === undefined ? undefined : watchOver(this.#child.pid);
    const onEnd = (end) => {
      watcher?.end();
      this.end = end;
      this.#ended.resolve();
    };
    this.#child.once('error', (error) => onEnd(`could not be run: ${error.message}`));
    this.#child.once('exit', (code, signal) => onEnd(`ended with ${signal ?? code}`));
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        this.output = (this.output + text).slice(-MAX_OUTPUT_CHARS);
      });
    }
  }

  get pid() {
    return this.#child.pid;
  }

  async stop(signal) {
    this.#child.kill(signal);
    const force = setTimeout(() => this.#child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await this.#ended.promise;
    clearTimeout(force);
  }
}

/** A server that can be started and stopped any number of times, the same each time. */
export class Server {
  #command;
  #args;
  #readyText;
  #run;

  /** `readyText` is what the server writes when clients can come. */
  constructor(command, args, readyText) {
    this.#command = command;
    this.#args = args;
    this.#readyText = readyText;
  }

  get pid() {
    return this.#run?.pid;
  }

  /**
   * Resolves when clients can come.
   * @throws {Error} with what the server wrote when it ended or took too long; it does not run then
   */
  async start() {
    const run = new Run(this.#command, this.#args);
    this.#run = run;
    const deadline = performance.now() + START_TIMEOUT_MS;
    while (!run.output.includes(this.#readyText)) {
      if (run.end !== undefined || performance.now() > deadline) {
        const fault = run.end ?? `was not ready within ${START_TIMEOUT_MS} ms`;
        await run.stop('SIGKILL');
        throw new Error(`${this.#command} ${fault}. It wrote:\n${run.output.trim()}`);
      }
      await sleep(POLL_MS);
    }
  }

  /** Sends `signal`, and SIGKILL when that does not help; resolves when the server has ended. */
  async stop(signal = 'SIGTERM') {
    await this.#run?.stop(signal);
  }
}
