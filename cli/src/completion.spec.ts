import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { createProgram } from './palisade.js';
import { completionScript, SHELLS, completionEntries } from './completion.js';

const program = createProgram(
  {
    env: {},
    out: () => undefined,
    error: () => undefined,
    isTerminal: false,
    now: () => 0,
    signal: new AbortController().signal,
  },
  () => undefined,
);
const entries = completionEntries(program);

describe(completionEntries.name, () => {
  it('knows what follows a command', () => {
    expect(entries.find(({ path }) => path === 'proxy')?.words).toEqual([
      'list',
      'show',
      'drain',
      'undrain',
      'remove',
      'help',
      '--help',
    ]);
  });

  it('has only words that mean nothing else to a shell', () => {
    expect(entries.flatMap(({ words }) => words).filter((word) => !/^[a-z-]+$/.test(word))).toEqual([]);
  });
});

describe(completionScript.name, () => {
  const complete = (...words: readonly string[]): string[] => {
    const line = words.map((word) => `'${word}'`).join(' ');
    const script = `${completionScript('bash', entries)}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _palisade; echo "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split(' ');
  };

  it('lets bash complete a command', () => {
    expect(complete('palisade', 'prov')).toEqual(['provider']);
  });

  it('lets bash complete an option after an argument', () => {
    expect(complete('palisade', 'tenant', 'register', 'acme', '--ti')).toEqual(['--tier', '--timeout-ms']);
  });

  it.each(SHELLS)('has every command for %s', (shell) => {
    const script = completionScript(shell, entries);
    expect(entries.filter(({ path }) => !script.includes(path.split(' ').at(-1) ?? ''))).toEqual([]);
  });
});
