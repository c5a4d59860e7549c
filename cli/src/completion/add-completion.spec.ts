import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { runPalisade } from '../palisade.js';
import { SHELLS } from './add-completion.js';

async function palisade(...arguments_: readonly string[]): Promise<{ readonly code: number; readonly out: string }> {
  let out = '';
  const code = await runPalisade(arguments_, {
    // Nothing listens on the first port.
    env: {
      PALISADE_SCIM_URL: 'http://127.0.0.1:1',
      PALISADE_CONTROL_URL: 'http://127.0.0.1:1',
      PALISADE_TOKEN: 'secret',
    },
    out: (text) => {
      out += text;
    },
    error: (text) => {
      throw new Error(text);
    },
    isTerminal: false,
    now: () => 0,
    signal: new AbortController().signal,
  });
  return { code, out };
}

/** The candidates for the last word; undefined where the shell offers files. */
async function complete(...words: readonly string[]): Promise<string[] | undefined> {
  const { code, out } = await palisade('__complete', '--', ...words);
  return code === 0 ? out.split('\n').slice(0, -1) : undefined;
}

describe('palisade __complete', () => {
  it.each([
    [['prov'], ['provider']],
    [
      ['proxy', ''],
      ['list', 'show', 'drain', 'undrain', 'remove', 'help'],
    ],
    [['get', 'tenan'], ['tenant']],
    [
      ['tenant', 'register', 'acme', '--ti'],
      ['--tier', '--timeout-ms'],
    ],
    [
      ['binding', 'add', 'eng', 'orders', '--relation', ''],
      ['read', 'write', 'admin'],
    ],
    [['binding', 'add', '--relation=w'], ['--relation=write']],
    [['tenant', 'list', '-o', 'y'], ['yaml']],
    [
      ['audit', '--order', ''],
      ['desc', 'asc'],
    ],
    [['tenant', 'replace', 'acme', '--isolation-level', 'name'], ['namespace']],
    [['completion', 'f'], ['fish']],
    [
      ['export', 'manifests', 'tenant', 'p'],
      ['provider', 'proxy'],
    ],
  ])('%j: %j', async (words, expected) => {
    expect(await complete(...words)).toEqual(expected);
  });

  it('leaves paths and free texts to the shell', async () => {
    expect(await complete('apply', '-f', '')).toBeUndefined();
    expect(await complete('import', 'users', 'u')).toBeUndefined();
  });

  it('offers nothing, and says nothing, when the service does not answer', async () => {
    expect(await complete('tenant', 'show', '')).toEqual([]);
    expect(await complete('usage', '--pool', '')).toEqual([]);
  });

  it('is not in the help', async () => {
    expect((await palisade('--help')).out).not.toContain('__complete');
  });
});

describe('palisade completion', () => {
  /** What bash offers where `palisade` does as `body` says. */
  async function bash(line: string, body: string): Promise<string[]> {
    const { out: script } = await palisade('completion', 'bash');
    const test = `palisade() { ${body}; }\n${script}\nCOMP_LINE="$LINE_TYPED" COMP_POINT=\${#LINE_TYPED}\n_palisade\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
    const env = { PATH: process.env.PATH, LINE_TYPED: line };
    return execFileSync('bash', ['--norc', '-c', test], { encoding: 'utf8', env }).trimEnd().split('\n');
  }

  it('lets bash ask with the words before the cursor', async () => {
    expect(await bash('palisade tenant show "', String.raw`printf '<%s>\n' "$@"`)).toEqual([
      '<__complete>',
      '<-->',
      '<tenant>',
      '<show>',
      '<">',
    ]);
    expect((await bash('palisade tenant show ', String.raw`printf '<%s>\n' "$@"`)).at(-1)).toBe('<>');
  });

  it('lets bash replace only what follows the last colon', async () => {
    const body = String.raw`printf 'group:scim:eu:%s\n' eng engineers`;
    expect(await bash('palisade group show group:scim:eu:e', body)).toEqual(['eng', 'engineers']);
  });

  it('lets bash offer files where the command knows nothing', async () => {
    expect(await bash(`palisade apply -f ${import.meta.dirname}/add-completion.s`, 'return 1')).toEqual([
      `${import.meta.dirname}/add-completion.spec.ts`,
    ]);
  });

  it.each(SHELLS)('has a script for %s that asks the command', async (shell) => {
    expect((await palisade('completion', shell)).out).toContain('palisade __complete -- ');
  });
});
