import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { runConfigProgram } from './config-program.js';

const VALID = 'proxy_pools: { standard: { isolation_level: namespace } }\n';

describe(runConfigProgram.name, () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'palisade-config-'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  function run(arguments_: readonly string[], defaultFile?: string) {
    const written = { out: '', error: '' };
    const exitCode = runConfigProgram(arguments_, defaultFile, {
      out: (text) => (written.out += text),
      error: (text) => (written.error += text),
    });
    return { exitCode, ...written };
  }

  function fileOf(content: string | Uint8Array): string {
    const path = join(directory, 'control.yaml');
    writeFileSync(path, content);
    return path;
  }

  it('ends with 0 for a valid file, and tells what it is', () => {
    const file = fileOf(VALID);
    expect(run(['validate', file])).toEqual({
      exitCode: 0,
      out: `${file} is valid: multi_tenant, 1 pools, 0 routes, 0 rules\n`,
      error: '',
    });
  });

  it('ends with 0 for a file with warnings, which it tells', () => {
    const file = fileOf(`${VALID}compliance: { frameworks: [TISAX] }\n`);
    expect(run(['validate', file])).toMatchObject({
      exitCode: 0,
      error: expect.stringMatching(
        /^warning: .*control\.yaml:2:28 compliance\.frameworks\[0\]: unknown framework "TISAX"/,
      ),
    });
  });

  it('ends with 1 for a file with problems, which it tells', () => {
    const file = fileOf(`${VALID}default_pool: gold\nreplicas: 1\n`);
    expect(run(['validate', file])).toEqual({
      exitCode: 1,
      out: '',
      error: `${file}:2:1 default_pool: expected a pool of proxy_pools, found "gold"\n${file}:3:1 replicas: unknown key; it belongs to proxy, proxy_pools.<name>\n`,
    });
  });

  it.each([
    ['no command', []],
    ['an unknown command', ['check']],
    ['an unknown option', ['validate', '--fast']],
    ['two files', ['validate', 'a', 'b']],
    ['a file that is not there', ['validate', '/does/not/exist.yaml']],
    ['a directory', ['print', '/']],
  ])('ends with 2 for %s', (_what, arguments_) => {
    const { exitCode, out, error } = run(arguments_);
    expect([exitCode, out, error === '']).toEqual([2, '', false]);
  });

  it('ends with 2 for a file that is not UTF-8', () => {
    const file = fileOf(Uint8Array.of(0x61, 0xff));
    expect(run(['validate', file])).toEqual({ exitCode: 2, out: '', error: `${file}: expected text in UTF-8\n` });
  });

  it('ends with 2 for a file of more than 8 MiB', () => {
    const file = fileOf('');
    truncateSync(file, 8 * 2 ** 20 + 1);
    expect(run(['validate', file])).toEqual({ exitCode: 2, out: '', error: `${file}: expected at most 8 MiB\n` });
  });

  it('ends with 0 for help', () => {
    expect(run(['--help'])).toMatchObject({ exitCode: 0, out: expect.stringContaining('validate') });
  });

  it('takes the default file when none is named', () => {
    const file = fileOf(VALID);
    expect(run(['validate'], file)).toMatchObject({ exitCode: 0, out: expect.stringContaining(file) });
  });

  it('takes the built-in configuration when there is no file', () => {
    expect(run(['validate'])).toEqual({
      exitCode: 0,
      out: 'the built-in configuration is valid: multi_tenant, 2 pools, 0 routes, 0 rules\n',
      error: '',
    });
  });

  it('prints a file with all defaults and all that follows', () => {
    const file = fileOf(
      `${VALID}prism_bridge: { listen_addr: "0.0.0.0:1" }\nload_balancer: { type: nginx, config_path: /n, reload_command: nginx -s reload }\n`,
    );
    expect(parse(run(['print', file]).out)).toMatchObject({
      proxy_pools: { standard: { replicas: 2, resources: { cpu: '2', memory: '4Gi' }, isolation_level: 'namespace' } },
      control_plane: { listen_addr: '0.0.0.0:1' },
      load_balancer: { binary: 'nginx', reload_command: ['nginx', '-s', 'reload'], bind: '0.0.0.0:8080' },
      health_checks: { interval: '5s' },
    });
  });

  it('prints nothing of a file with problems', () => {
    expect(run(['print', fileOf('a: 1\n')])).toMatchObject({ exitCode: 1, out: '' });
  });

  it('prints the schema', () => {
    expect(JSON.parse(run(['schema']).out)).toMatchObject({ $schema: 'http://json-schema.org/draft-07/schema#' });
  });
});
