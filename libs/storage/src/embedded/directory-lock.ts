import { mkdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { codeOf } from '@palisade/domain';
import { DirectoryInUseError } from './embedded.errors.js';
import type { ServerPaths } from './data-directory.js';

const GUARD_POLL_MS = 20;
/** The guard is held for a few file operations; one this old was left by a process that died holding it. */
const STALE_GUARD_MS = 10_000;

interface Holder {
  readonly pid: number;
  /** Distinguishes a process from a later one with the same id; null where the platform does not provide it. */
  readonly startedAt: string | null;
}

/**
 * Locks the directory for this process until `release`. A lock whose process has died or been lost with a reboot is taken
 * over. Sees processes of this machine only: a directory must not be shared over a network.
 *
 * @throws {DirectoryInUseError} when a living process, even this one, has locked it
 */
export async function lockDirectory(paths: ServerPaths): Promise<{ release(): Promise<void> }> {
  const self: Holder = { pid: process.pid, startedAt: await startTimeOf(process.pid) };
  await withGuard(paths, async () => {
    const holder = await readHolder(paths);
    if (holder && (await isAlive(holder))) {
      throw new DirectoryInUseError(paths.directory, holder.pid);
    }
    const draft = `${paths.lock}.${process.pid}`;
    await writeFile(draft, JSON.stringify(self), { mode: 0o600 });
    await rename(draft, paths.lock);
  });
  return { release: () => rm(paths.lock, { force: true }) };
}

/** Lets one process at a time read and change the lock: otherwise two could take over the same stale one. */
async function withGuard(paths: ServerPaths, work: () => Promise<void>): Promise<void> {
  const guard = `${paths.lock}.guard`;
  while (!(await tryMakeDirectory(guard))) {
    const ageMs = Date.now() - ((await stat(guard).catch(() => undefined))?.mtimeMs ?? Date.now());
    if (ageMs > STALE_GUARD_MS) {
      await rm(guard, { recursive: true, force: true });
    }
    await setTimeout(GUARD_POLL_MS);
  }
  try {
    await work();
  } finally {
    await rmdir(guard);
  }
}

async function tryMakeDirectory(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') {
      return false;
    }
    throw error;
  }
}

async function readHolder(paths: ServerPaths): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(paths.lock, 'utf8')) as Holder;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}

async function isAlive({ pid, startedAt }: Holder): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return codeOf(error) === 'EPERM';
  }
  return startedAt === null || startedAt === (await startTimeOf(pid));
}

/** When a living process started: the boot's id and the ticks since then. */
async function startTimeOf(pid: number): Promise<string | null> {
  try {
    const [boot, status] = await Promise.all([
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      readFile(`/proc/${pid}/stat`, 'utf8'),
    ]);
    // proc(5): after the program's name, which may itself contain spaces and parentheses, come fields 3 to 52.
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
    const [state] = fields;
    // A zombie is dead, and stays until its parent asks for its exit code.
    return state === 'Z' || state === 'X' ? null : `${boot.trim()}:${fields[19]}`;
  } catch {
    return null;
  }
}
