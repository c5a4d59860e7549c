import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DirectoryInUseError } from './embedded.errors.js';
import { lockDirectory } from './directory-lock.js';
import { serverPaths, type ServerPaths } from './data-directory.js';

/** The id of a process that has ended. */
async function deadProcessId(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid ?? 0;
}

describe(lockDirectory.name, () => {
  let paths: ServerPaths;

  beforeEach(async () => {
    paths = serverPaths(await mkdtemp(join(tmpdir(), 'palisade-lock-')));
  });

  afterEach(async () => {
    await rm(paths.directory, { recursive: true, force: true });
  });

  it('rejects a directory that a living process has, and names the process', async () => {
    await lockDirectory(paths);

    await expect(lockDirectory(paths)).rejects.toMatchObject({
      code: 'DIRECTORY_IN_USE',
      pid: process.pid,
      directory: paths.directory,
    });
  });

  it('gives the directory again after it was released', async () => {
    const lock = await lockDirectory(paths);
    await lock.release();

    await expect(lockDirectory(paths)).resolves.toBeDefined();
  });

  it('takes over the lock of a process that is dead', async () => {
    await writeFile(paths.lock, JSON.stringify({ pid: await deadProcessId(), startedAt: null }));

    await lockDirectory(paths);

    expect(JSON.parse(await readFile(paths.lock, 'utf8'))).toMatchObject({ pid: process.pid });
  });

  it('takes over the lock of a process whose id another one has now', async () => {
    await writeFile(paths.lock, JSON.stringify({ pid: process.pid, startedAt: 'another-boot:1' }));

    await expect(lockDirectory(paths)).resolves.toBeDefined();
  });

  it('gives a stale lock to one of several that want it at once', async () => {
    await writeFile(paths.lock, JSON.stringify({ pid: await deadProcessId(), startedAt: null }));

    const results = await Promise.allSettled(Array.from({ length: 5 }, () => lockDirectory(paths)));

    const rejections = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason);
    expect(rejections).toHaveLength(4);
    rejections.forEach((reason) => expect(reason).toBeInstanceOf(DirectoryInUseError));
  });

  it('gets past the guard of a process that died while it looked at the lock', async () => {
    const guard = `${paths.lock}.guard`;
    await mkdir(guard);
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(guard, longAgo, longAgo);

    await expect(lockDirectory(paths)).resolves.toBeDefined();
  });
});
