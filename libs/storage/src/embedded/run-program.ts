import { spawn } from 'node:child_process';
import type { ServerAccount } from './server-account.js';

const MAX_OUTPUT_CHARACTERS = 4000;

/** A program of PostgreSQL that ended with another exit code than 0. */
export class ProgramFailedError extends Error {
  override readonly name = 'ProgramFailedError';

  constructor(program: string, exit: string, output: string) {
    super(`${program} ended with ${exit}: ${output.trim()}`);
  }
}

/** Nothing of the service's own environment, which may hold secrets, and no locale. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const { PATH, LD_LIBRARY_PATH, SystemRoot } = process.env;
  return { PATH, LD_LIBRARY_PATH, SystemRoot, LC_ALL: 'C', TZ: 'UTC' };
}

/**
 * Runs a program to its end.
 *
 * @throws {ProgramFailedError} with what it wrote
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  account: ServerAccount | undefined,
): Promise<void> {
  const child = spawn(program, args, {
    ...account,
    cwd: '/',
    env: serverEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const collect = (chunk: Buffer): void => {
    output = (output + chunk.toString('utf8')).slice(-MAX_OUTPUT_CHARACTERS);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const exit = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code === null ? `signal ${signal}` : `exit code ${code}`));
  });
  if (exit !== 'exit code 0') {
    throw new ProgramFailedError(program, exit, output);
  }
}
