import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readState, removeState, writeState, type ImportState } from './import-state.js';

const STATE: ImportState = { version: 1, target: 'users', offset: 10, records: 2, present: 1, failed: 1 };

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

  it.each(['', 'null', '{"version":1}', JSON.stringify({ ...STATE, offset: -1 })])(
    'is not taken from %j',
    async (text) => {
      await writeFile(path, text);
      await expect(readState(path)).rejects.toThrow('begin anew with --restart');
    },
  );
});
