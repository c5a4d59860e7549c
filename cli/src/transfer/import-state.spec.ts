import { mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FailureError } from '../command/command.errors.js';
import { readState, removeState, writeState, type ImportState } from './import-state.js';

const STATE: ImportState = {
  version: 2,
  target: 'users',
  provider: 'default',
  digest: 'abc',
  offset: 10,
  records: 2,
  lines: 2,
  present: 1,
  failed: 1,
};

describe('state of an import', () => {
  let path: string;
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'palisade-state-'));
    path = join(directory, 'state.json');
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('is read as it was written', async () => {
    await writeState(path, STATE);
    expect(await readState(path)).toEqual(STATE);
  });

  it('can be read by its owner only', async () => {
    await writeState(path, STATE);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('is undefined before the first batch and after the last', async () => {
    await writeState(path, STATE);
    await removeState(path);
    expect(await readState(path)).toBeUndefined();
  });

  it('is not written through what is in the way', async () => {
    const victim = join(directory, 'victim');
    await writeFile(victim, 'kept');
    await symlink(victim, `${path}.tmp`);
    await writeState(path, STATE);
    expect(await readFile(victim, 'utf8')).toBe('kept');
    expect(await readState(path)).toEqual(STATE);
  });

  it('says so when it cannot be written, and leaves nothing half', async () => {
    await mkdir(path);
    await expect(writeState(path, STATE)).rejects.toThrow(FailureError);
    expect(await readdir(directory)).toEqual(['state.json']);
  });

  it.each([
    '',
    'null',
    '{"version":2}',
    JSON.stringify(STATE).slice(0, -5),
    JSON.stringify({ ...STATE, version: 1 }),
    JSON.stringify({ ...STATE, offset: -1 }),
    JSON.stringify({ ...STATE, provider: 7 }),
    JSON.stringify({ ...STATE, target: 'x'.repeat(70_000) }),
  ])('is not taken from %j', async (text) => {
    await writeFile(path, text);
    await expect(readState(path)).rejects.toThrow('start over with --restart');
  });
});
