import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { EmbeddedPostgresUnavailableError } from './embedded.errors.js';

const run = promisify(execFile);

const ACCOUNT_NAME = 'postgres';

/** The account of the server's processes. */
export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
}

/**
 * PostgreSQL refuses to run as root: then the account `postgres` is used, and created where it does not exist. Undefined when
 * the server runs under the service's own account.
 *
 * @throws {EmbeddedPostgresUnavailableError} when the service is root and the account cannot be created
 */
export async function findServerAccount(): Promise<ServerAccount | undefined> {
  if (process.getuid?.() !== 0) {
    return undefined;
  }
  return (await readAccount()) ?? createAccount();
}

async function createAccount(): Promise<ServerAccount> {
  const options = ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin'];
  try {
    await run('useradd', [...options, ACCOUNT_NAME]);
  } catch (cause) {
    throw unavailable({ cause });
  }
  const account = await readAccount();
  if (!account) {
    throw unavailable();
  }
  return account;
}

async function readAccount(): Promise<ServerAccount | undefined> {
  try {
    const [user, group] = await Promise.all([run('id', ['-u', ACCOUNT_NAME]), run('id', ['-g', ACCOUNT_NAME])]);
    return { uid: Number(user.stdout), gid: Number(group.stdout) };
  } catch {
    return undefined;
  }
}

function unavailable(options?: ErrorOptions): EmbeddedPostgresUnavailableError {
  const reason = `PostgreSQL does not run as root, and the account "${ACCOUNT_NAME}" could not be created; run the service as another user`;
  return new EmbeddedPostgresUnavailableError(reason, options);
}

const MAX_OUTPUT_CHARACTERS = 4000;

/** A program of PostgreSQL exited with another code than 0. */
export class ProgramFailedError extends Error {
  override readonly name = 'ProgramFailedError';

  constructor(program: string, exit: string, output: string) {
    super(`${program} ended with ${exit}: ${output.trim()}`);
  }
}

/** The environment of PostgreSQL's programs: nothing of the service's own, which may hold secrets, and no locale. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const { PATH, LD_LIBRARY_PATH, SystemRoot } = process.env;
  return { PATH, LD_LIBRARY_PATH, SystemRoot, LC_ALL: 'C', TZ: 'UTC' };
}

/**
 * Runs a program to its end.
 *
 * @throws {ProgramFailedError} with the program's output
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
