import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { FailureError } from '../failure.error.js';
import { EXIT, type ExitCode, type Session } from '../session.js';

const DIST = join(import.meta.dirname, '../../..');

/**
 * Runs a built program of the services, with our environment, input and output, to its end. Resolves to its exit code.
 *
 * @throws {FailureError} when it has not been built.
 */
export async function runProgram(path: string, arguments_: readonly string[], session: Session): Promise<ExitCode> {
  const program = join(DIST, path);
  if (!existsSync(program)) {
    throw new FailureError(`${program} is missing: run "npm run build"`);
  }
  const child = spawn(process.execPath, ['--enable-source-maps', program, ...arguments_], {
    env: session.env,
    stdio: 'inherit',
  });
  const stop = (): void => void child.kill('SIGTERM');
  session.signal.addEventListener('abort', stop);
  try {
    const [code] = (await once(child, 'exit')) as [number | null];
    return code ?? EXIT.failed;
  } finally {
    session.signal.removeEventListener('abort', stop);
  }
}
