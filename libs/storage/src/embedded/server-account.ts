import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { EmbeddedPostgresUnavailableError } from './embedded-postgres-unavailable.error.js';

const run = promisify(execFile);

const ACCOUNT_NAME = 'postgres';

/** What the server's processes run as. */
export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
}

/**
 * PostgreSQL refuses to run as root: then the account `postgres` is used, and created where there is none. Undefined:
 * the server runs as the service itself does.
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
