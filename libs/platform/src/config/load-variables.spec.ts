import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConfigurationError, loadVariables, type Environment, type LoadOptions } from './load-variables.js';
import { bearerToken, hostPort, integer, text } from './variable-kinds.js';
import { variable, type Variables } from './variable.js';

const VARIABLES = {
  listen: hostPort('SVC_LISTEN', { description: 'Address.', default: '0.0.0.0:9091' }),
  maxSessions: integer('SVC_MAX_SESSIONS', { description: 'Sessions.', min: 1, max: 100, default: '10' }),
  maxPerNamespace: integer('SVC_MAX_PER_NAMESPACE', { description: 'Of those.', min: 1, max: 100, default: '5' }),
  name: text('SVC_NAME', { description: 'Name.' }),
  token: bearerToken('SVC_TOKEN', { description: 'Token.' }),
} satisfies Variables;

const PER_NAMESPACE_RULE = {
  needs: ['maxSessions', 'maxPerNamespace'],
  check: ({ maxSessions, maxPerNamespace }: { maxSessions: number; maxPerNamespace: number }) =>
    maxPerNamespace <= maxSessions ? undefined : 'SVC_MAX_PER_NAMESPACE: must not exceed SVC_MAX_SESSIONS',
} as const;

function problemsOf(environment: Environment, options?: LoadOptions<typeof VARIABLES>): readonly string[] {
  try {
    loadVariables(VARIABLES, environment, options);
    return [];
  } catch (error) {
    return error instanceof ConfigurationError ? error.problems : [String(error)];
  }
}

describe(loadVariables.name, () => {
  it('hides the credentials in a URL that it found', () => {
    expect(problemsOf({ SVC_LISTEN: 'http://user:hush@host' })).toEqual([
      'SVC_LISTEN: expected `host:port`, port 0 to 65535, found "http://user:[redacted]@host"',
    ]);
  });

  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'palisade-config-'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  function file(name: string, content: string): string {
    const path = join(directory, name);
    writeFileSync(path, content);
    return path;
  }

  it('takes defaults for what is not set, and undefined without one', () => {
    expect(loadVariables(VARIABLES, {})).toEqual({
      listen: { host: '0.0.0.0', port: 9091 },
      maxSessions: 10,
      maxPerNamespace: 5,
      name: undefined,
      token: undefined,
      warnings: [],
    });
  });

  it('counts an empty value as not set', () => {
    expect(loadVariables(VARIABLES, { SVC_MAX_SESSIONS: '', SVC_TOKEN: '' })).toMatchObject({
      maxSessions: 10,
      token: undefined,
    });
  });

  it('ignores white space around a value', () => {
    expect(loadVariables(VARIABLES, { SVC_MAX_SESSIONS: ' 20 ' }).maxSessions).toBe(20);
  });

  it('freezes the result', () => {
    expect(Object.isFrozen(loadVariables(VARIABLES, {}))).toBe(true);
  });

  it('reports all problems at once, each beginning with the name of its variable', () => {
    expect(problemsOf({ SVC_LISTEN: 'nowhere', SVC_MAX_SESSIONS: '0', SVC_TOKE: 'x' })).toEqual([
      'SVC_LISTEN: expected `host:port`, port 0 to 65535, found "nowhere"',
      'SVC_MAX_SESSIONS: expected an integer from 1 to 100, found "0"',
      'SVC_TOKE: no such variable, did you mean SVC_TOKEN?',
    ]);
  });

  it('puts every problem on a line of its own in the message', () => {
    expect(() => loadVariables(VARIABLES, { SVC_LISTEN: 'x', SVC_MAX_SESSIONS: 'y' })).toThrow(
      /^the configuration is not valid:\n {2}SVC_LISTEN: .+\n {2}SVC_MAX_SESSIONS: .+$/,
    );
  });

  it('never prints the value of a secret', () => {
    expect(problemsOf({ SVC_TOKEN: 'hush hush' }).join()).not.toContain('hush');
  });

  it('counts a parser that throws as a value that is not accepted, without its message', () => {
    const strict = variable('SVC_STRICT', { description: 'Strict.', secret: true }, 'something else', (value) => {
      throw new Error(`rejected ${value}`);
    });
    expect(() => loadVariables({ strict }, { SVC_STRICT: 'hush' })).toThrow(/SVC_STRICT: expected something else$/);
  });

  describe('rules', () => {
    it('are reported beside the other problems', () => {
      const environment = { SVC_LISTEN: 'x', SVC_MAX_SESSIONS: '2', SVC_MAX_PER_NAMESPACE: '3' };
      expect(problemsOf(environment, { rules: [PER_NAMESPACE_RULE] })).toEqual([
        'SVC_LISTEN: expected `host:port`, port 0 to 65535, found "x"',
        'SVC_MAX_PER_NAMESPACE: must not exceed SVC_MAX_SESSIONS',
      ]);
    });

    it('are not asked about values that are not acceptable', () => {
      const environment = { SVC_MAX_SESSIONS: 'many', SVC_MAX_PER_NAMESPACE: '3' };
      expect(problemsOf(environment, { rules: [PER_NAMESPACE_RULE] })).toEqual([
        'SVC_MAX_SESSIONS: expected an integer from 1 to 100, found "many"',
      ]);
    });
  });

  describe('names that are in no table', () => {
    it('are warned about', () => {
      expect(loadVariables(VARIABLES, { SVC_SOMETHING: '1' }).warnings).toEqual([
        'SVC_SOMETHING: no such variable, ignored',
      ]);
    });

    it('are not questioned when they belong to another service', () => {
      const { warnings } = loadVariables(VARIABLES, { SVC_OTHER_LISTEN: '1' }, { foreignPrefixes: ['SVC_OTHER_'] });
      expect(warnings).toEqual([]);
    });

    it('do not matter without the prefix SVC_', () => {
      expect(loadVariables(VARIABLES, { PATH: '/bin' }).warnings).toEqual([]);
    });
  });

  describe('secrets from files', () => {
    it('are read without the line break at the end', () => {
      expect(loadVariables(VARIABLES, { SVC_TOKEN_FILE: file('token', 'abc-123\n') }).token).toBe('abc-123');
    });

    it('are rejected when the variable itself is set too', () => {
      expect(problemsOf({ SVC_TOKEN: 'a', SVC_TOKEN_FILE: file('token', 'b') })).toEqual([
        'SVC_TOKEN: set either SVC_TOKEN or SVC_TOKEN_FILE, not both',
      ]);
    });

    it('are reported with their path when they cannot be read', () => {
      expect(problemsOf({ SVC_TOKEN_FILE: '/does/not/exist' })).toEqual([
        'SVC_TOKEN_FILE: /does/not/exist cannot be read (ENOENT)',
      ]);
    });

    it('are reported when empty', () => {
      const path = file('empty', '\n');
      expect(problemsOf({ SVC_TOKEN_FILE: path })).toEqual([`SVC_TOKEN_FILE: ${path} is empty`]);
    });

    it('are not read beyond 64 KiB', () => {
      const path = file('large', 'x'.repeat(65_537));
      expect(problemsOf({ SVC_TOKEN_FILE: path })).toEqual([`SVC_TOKEN_FILE: ${path} is larger than 65536 bytes`]);
    });
  });
});
