import { execFile } from 'node:child_process';
import { readFile, readdir, readlink, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Ids of the processes that serve a data directory, whoever started them: a server that outlived a killed service, or the
 * children of a killed server, which end soon.
 */
export async function findServerProcesses(dataDirectory: string): Promise<number[]> {
  switch (process.platform) {
    case 'linux':
      return processesWorkingIn(dataDirectory);
    case 'win32':
      // Here only the server's own check of its lock file protects the directory.
      return [];
    default:
      return recordedPostmaster(dataDirectory);
  }
}

/** PostgreSQL makes the data directory the working directory of all its processes. */
async function processesWorkingIn(dataDirectory: string): Promise<number[]> {
  const directory = await realpath(dataDirectory);
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    ids.map(async (id) => {
      const workingDirectory = await readlink(`/proc/${id}/cwd`).catch(() => undefined);
      if (workingDirectory !== directory) {
        return undefined;
      }
      const program = await readFile(`/proc/${id}/comm`, 'utf8').catch(() => '');
      return program.trim() === 'postgres' ? Number(id) : undefined;
    }),
  );
  return found.filter((id) => id !== undefined);
}

/** The process that the server's lock file names, if that is a server: after a reboot the id may belong to any process. */
async function recordedPostmaster(dataDirectory: string): Promise<number[]> {
  const pid = await recordedProcessId(dataDirectory);
  const command = pid ? await run('ps', ['-p', String(pid), '-o', 'command=']).catch(() => undefined) : undefined;
  return pid && command?.stdout.includes(dataDirectory) ? [pid] : [];
}

/**
 * Removes the server's lock file when the living process that it names is not a server; otherwise the server would not start.
 * Call it only when no process serves the directory. A lock file that names a dead process is removed by the server itself.
 */
export async function removeForeignLock(dataDirectory: string): Promise<void> {
  const pid = await recordedProcessId(dataDirectory);
  if (process.platform !== 'win32' && pid && isRunning(pid)) {
    await rm(lockFileOf(dataDirectory), { force: true });
  }
}

async function recordedProcessId(dataDirectory: string): Promise<number | undefined> {
  const [line = ''] = (await readFile(lockFileOf(dataDirectory), 'utf8').catch(() => '')).split('\n');
  return /^\d+$/.test(line) ? Number(line) : undefined;
}

function lockFileOf(dataDirectory: string): string {
  return join(dataDirectory, 'postmaster.pid');
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
