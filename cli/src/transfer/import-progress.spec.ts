import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ImportProgress, type ImportIdentity } from './import-progress.js';

describe(ImportProgress.name, () => {
  let directory: string;
  let identity: ImportIdentity;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'palisade-progress-'));
    identity = { path: join(directory, 'users.ndjson'), statePath: undefined, target: 'users', provider: undefined };
    await writeFile(identity.path, 'a\nb\nc\n');
  });
  afterEach(() => rm(directory, { recursive: true }));

  /** A run that has imported the first line for the provider `p`. */
  async function interrupt(): Promise<void> {
    const progress = await ImportProgress.open(identity);
    const end = { offset: 2, records: 1, lines: 1 };
    const records = [{ number: 1, line: 1, end, resource: {} }];
    await progress.advance({ records, end }, 0, () => Promise.resolve('p'));
    await progress.stop();
  }

  it('goes on where the run before stopped', async () => {
    await interrupt();
    const { state } = await ImportProgress.open({ ...identity, provider: 'p' });
    expect(state).toMatchObject({ offset: 2, records: 1, lines: 1, present: 1, provider: 'p' });
  });

  it('goes on when the file has grown', async () => {
    await interrupt();
    await writeFile(identity.path, 'a\nb\nc\nd\n');
    expect((await ImportProgress.open({ ...identity, provider: 'p' })).state.offset).toBe(2);
  });

  it.each<readonly [string, Partial<ImportIdentity> & { readonly content?: string }, string]>([
    ['the beginning of the file is another', { content: 'x\nb\nc\n' }, 'the first 2 bytes'],
    ['the file is shorter', { content: 'a' }, 'the first 2 bytes'],
    ['the service is another', { target: 'users elsewhere' }, 'the state is for users, this is users elsewhere'],
    ['the provider is another', { provider: 'q' }, 'the state is for the provider p, this is q'],
    ['the service has nothing of it', { provider: undefined }, 'which has nothing in the service now'],
  ])('does not resume when %s', async (_, { content, ...difference }, message) => {
    await interrupt();
    if (content !== undefined) {
      await writeFile(identity.path, content);
    }
    const other = { ...identity, provider: 'p', ...difference };
    await expect(ImportProgress.open(other)).rejects.toThrow(message);
    expect((await ImportProgress.open(other, true)).state.offset).toBe(0);
  });

  it('leaves nothing behind when it stops before the first batch or at the end', async () => {
    const statePath = join(directory, 'state.json');
    await (await ImportProgress.open({ ...identity, statePath })).stop();
    expect(existsSync(statePath)).toBe(false);
    await interrupt();
    await (await ImportProgress.open({ ...identity, provider: 'p' })).end();
    expect(existsSync(`${identity.path}.palisade-state.json`)).toBe(false);
  });
});
