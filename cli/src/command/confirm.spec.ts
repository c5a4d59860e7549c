import { describe, expect, it } from '@jest/globals';
import { confirm } from './confirm.js';

const SILENT = { env: {}, out: () => undefined, isTerminal: true, now: () => 0, signal: new AbortController().signal };

describe(confirm.name, () => {
  const ask = (answer: string, errors: string[] = []) =>
    confirm(
      ['a\u001b[2J goes'],
      {},
      { ...SILENT, error: (text) => errors.push(text), ask: () => Promise.resolve(answer) },
    );

  it.each(['y', 'Y', 'yes', ' yes '])('goes on after %j', async (answer) => {
    await expect(ask(answer)).resolves.toBeUndefined();
  });

  it.each(['', 'n', 'no', 'yessir'])('does not after %j', async (answer) => {
    await expect(ask(answer)).rejects.toThrow('nothing was done');
  });

  it('says first what will happen', async () => {
    const errors: string[] = [];
    await ask('y', errors);
    expect(errors).toEqual(['a\\u{1b}[2J goes\n']);
  });

  it('asks nobody, and says nothing, with --yes', async () => {
    const error = (): never => {
      throw new Error('said something');
    };
    await expect(confirm(['a'], { yes: true }, { ...SILENT, error })).resolves.toBeUndefined();
  });

  it('does nothing where there is nobody to ask', async () => {
    await expect(confirm(['a'], {}, { ...SILENT, error: () => undefined })).rejects.toThrow('this needs --yes');
  });
});
