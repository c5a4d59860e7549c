import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, chmod, chown, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { messageOf } from '@palisade/domain';
import type { PostgresBinaries } from './binaries.js';
import { EmbeddedPostgresUnavailableError } from './embedded.errors.js';
import { runProgram, type ServerAccount } from './run-program.js';

/** Where an embedded server keeps its files; all inside one directory. */
export interface ServerPaths {
  readonly directory: string;
  /** PostgreSQL's own data directory; complete as soon as it exists. */
  readonly data: string;
  /** A data directory that is not complete yet. */
  readonly unfinishedData: string;
  /** The password of the server's only role, mode 600. */
  readonly password: string;
  readonly lock: string;
  /** The server's log since its last start. */
  readonly log: string;
}

export function serverPaths(directory: string): ServerPaths {
  const root = resolve(directory);
  return {
    directory: root,
    data: join(root, 'data'),
    unfinishedData: join(root, 'data.unfinished'),
    password: join(root, 'password'),
    lock: join(root, 'lock'),
    log: join(root, 'postgres.log'),
  };
}

export const ROLE = 'palisade';

const PASSWORD_BYTES = 24;

/**
 * Creates the directory unless it exists: then its permissions are its owner's business. The server's account must be able to
 * pass through it, and no more than that.
 */
export async function makeDirectory(paths: ServerPaths, account: ServerAccount | undefined): Promise<void> {
  const firstMade = await mkdir(paths.directory, { recursive: true });
  if (firstMade !== undefined) {
    await chmod(paths.directory, account ? 0o711 : 0o700);
  }
}

/**
 * Creates the data directory and a password if there are none yet; returns the password.
 *
 * @throws {EmbeddedPostgresUnavailableError} when the data directory does not exist and cannot be created
 */
export async function prepareData(
  paths: ServerPaths,
  binaries: PostgresBinaries,
  account: ServerAccount | undefined,
): Promise<string> {
  if (await exists(paths.data)) {
    return (await readFile(paths.password, 'utf8')).trim();
  }
  const password = randomBytes(PASSWORD_BYTES).toString('base64url');
  await writeFile(paths.password, password, { mode: 0o600 });
  try {
    await initialise(paths, binaries, account);
  } catch (cause) {
    const reason = `its data directory could not be made: ${messageOf(cause)}`;
    throw new EmbeddedPostgresUnavailableError(reason, { cause });
  }
  return password;
}

/** Works under another name first, so that an interruption leaves no incomplete data directory behind. */
async function initialise(
  paths: ServerPaths,
  binaries: PostgresBinaries,
  account: ServerAccount | undefined,
): Promise<void> {
  await rm(paths.unfinishedData, { recursive: true, force: true });
  await mkdir(paths.unfinishedData, { mode: 0o700 });
  const passwordFile = join(paths.directory, 'initial-password');
  await writeFile(passwordFile, await readFile(paths.password), { mode: 0o600 });
  if (account) {
    await chown(paths.unfinishedData, account.uid, account.gid);
    await chown(passwordFile, account.uid, account.gid);
  }
  try {
    await runProgram(
      binaries.initdb,
      [
        `--pgdata=${paths.unfinishedData}`,
        `--username=${ROLE}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--no-locale',
      ],
      account,
    );
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rename(paths.unfinishedData, paths.data);
  await syncDirectory(paths.directory);
}

/** Makes the names in a directory durable, where the platform supports it. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform !== 'win32') {
    await using directory = await open(path);
    await directory.sync();
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path, constants.F_OK).then(
    () => true,
    () => false,
  );
}
