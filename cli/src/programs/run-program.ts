import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { FailureError } from '../failure.error.js';
import { EXIT, type ExitCode, type Session } from '../session.js';

const DIST = join(import.meta.dirname, '../../..');
/** The Node.js that the checkout brings, as that of the system may be too old for the programs. Images have no other one. */
const BUNDLED_NODE = join(DIST, '../node_modules/node/bin/node');

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
  const node = existsSync(BUNDLED_NODE) ? BUNDLED_NODE : process.execPath;
  const child = spawn(node, ['--enable-source-maps', program, ...arguments_], {
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
