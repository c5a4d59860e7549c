import { spawn, type ChildProcess } from 'node:child_process';
import { RejectedStateError } from './load-balancer.errors.js';

const MAX_OUTPUT_CHARACTERS = 4000;
/** A program that has ended may leave children behind that keep its output open. */
const OUTPUT_GRACE_MS = 200;

/** A program could not be started, failed, or took too long. */
export class CommandFailedError extends Error {
  override readonly name = 'CommandFailedError';

  constructor(
    program: string,
    how: string,
    output: string,
    /** Whether the program itself ended, rather than being killed or failing to start. */
    readonly hasEnded: boolean,
  ) {
    super(`${program} ${how}${output.trim() === '' ? '' : `: ${output.trim()}`}`);
  }
}

/**
 * Runs a program to its end, without a shell. When it takes too long, its whole process group is killed.
 *
 * @returns the end of its output
 * @throws {CommandFailedError} unless it ends with exit code 0
 */
export async function runCommand([program = '', ...args]: readonly string[], timeoutMs: number): Promise<string> {
  const child = spawn(program, args, {
    cwd: '/',
    detached: true,
    env: commandEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const collect = (chunk: Buffer): void => {
    output = (output + chunk.toString('utf8')).slice(-MAX_OUTPUT_CHARACTERS);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const end = await endOf(child, timeoutMs);
  child.stdout.destroy();
  child.stderr.destroy();
  if (end !== 0) {
    const how = typeof end === 'number' ? `ended with exit code ${end}` : end;
    throw new CommandFailedError(program, how, output, typeof end === 'number');
  }
  return output;
}

/** The exit code, or a description of how else it ended. */
async function endOf(child: ChildProcess, timeoutMs: number): Promise<number | string> {
  const { promise, resolve } = Promise.withResolvers<number | string>();
  const onEnd = (code: number | null, signal: NodeJS.Signals | null): void => resolve(code ?? `ended with ${signal}`);
  child.once('error', (error) => resolve(`could not be run (${error.message})`));
  child.once('close', onEnd);
  child.once('exit', (code, signal) => setTimeout(onEnd, OUTPUT_GRACE_MS, code, signal).unref());
  const timer = setTimeout(() => {
    resolve(`did not end within ${timeoutMs} ms`);
    killGroup(child.pid);
  }, timeoutMs);
  const end = await promise;
  clearTimeout(timer);
  return end;
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) {
      process.kill(-pid, 'SIGKILL');
    }
  } catch {
    // It has ended in the meantime.
  }
}

/** Commands of operators need variables such as KUBECONFIG; ours, and those of trace exporters, may hold secrets. */
function commandEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:SVC|OTEL)_/.test(name)));
}

/**
 * @throws {RejectedStateError} when the program reports a mistake
 * @throws {CommandFailedError} when it could not be run, or did not end in time
 */
export async function checkWithProgram(command: readonly string[], timeoutMs: number): Promise<void> {
  try {
    await runCommand(command, timeoutMs);
  } catch (error) {
    throw error instanceof CommandFailedError && error.hasEnded
      ? new RejectedStateError(error.message, { cause: error })
      : error;
  }
}
