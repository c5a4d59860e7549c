import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Test } from '@nestjs/testing';
import { ConfigurationError } from '@palisade/platform';
import { ControlPlaneSettings } from './control-plane-settings.js';
import { ConfigModule } from './config.module.js';
import { loadConfig } from './control-plane.config.js';

const POOLS = 'proxy_pools: { gold: { isolation_level: none } }\n';

describe(`${loadConfig.name} with a file`, () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'palisade-config-'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  function environmentOf(content: string): { readonly SVC_CONTROL_CONFIG: string } {
    const path = join(directory, 'control.yaml');
    writeFileSync(path, content);
    return { SVC_CONTROL_CONFIG: path };
  }

  function problemsOf(environment: Readonly<Record<string, string>>): readonly string[] {
    try {
      loadConfig(environment);
      return [];
    } catch (error) {
      return error instanceof ConfigurationError ? error.problems : [String(error)];
    }
  }

  it('has the built-in pools when the environment names no file', () => {
    expect([...loadConfig({}).settings.pools.keys()]).toEqual(['standard', 'premium']);
  });

  it('warns of the built-in pools in production', () => {
    const environment = {
      NODE_ENV: 'production',
      SVC_ADMIN_TOKEN: 'sixteen-letters-at-least',
      SVC_STORE_URL: 'postgres://palisade:secret@localhost/palisade',
    };
    expect(loadConfig(environment).warnings).toEqual([
      'SVC_CONTROL_CONFIG: not set, so the built-in configuration for development is used',
    ]);
  });

  it('has the pools of the file', () => {
    expect([...loadConfig(environmentOf(POOLS)).settings.pools.keys()]).toEqual(['gold']);
  });

  it('gives the settings to every module', async () => {
    const config = loadConfig(environmentOf(POOLS));
    const module = await Test.createTestingModule({ imports: [ConfigModule.forRoot(config)] }).compile();
    expect(module.get(ControlPlaneSettings)).toBe(config.settings);
  });

  it('reports mistakes of the environment and of the file together', () => {
    const environment = { ...environmentOf('default_pool: gold\n'), SVC_LOG_LEVEL: 'loud' };
    expect(problemsOf(environment)).toEqual([
      expect.stringMatching(/^SVC_LOG_LEVEL: /),
      `${environment.SVC_CONTROL_CONFIG}: proxy_pools: expected one pool at least in multi_tenant, found none`,
    ]);
  });

  it('reports a file that cannot be read once', () => {
    expect(problemsOf({ SVC_CONTROL_CONFIG: directory })).toEqual([
      `SVC_CONTROL_CONFIG: expected the path of a readable file, found "${directory}"`,
    ]);
  });

  it('reports a file that is no text', () => {
    const { SVC_CONTROL_CONFIG: path } = environmentOf('');
    writeFileSync(path, Uint8Array.of(0xff));
    expect(problemsOf({ SVC_CONTROL_CONFIG: path })).toEqual([`SVC_CONTROL_CONFIG: ${path}: expected text in UTF-8`]);
  });

  it('tells the warnings of the file', () => {
    const environment = environmentOf(`${POOLS}compliance: { frameworks: [TISAX] }\n`);
    expect(loadConfig(environment).warnings).toEqual([
      expect.stringMatching(/control\.yaml:2:\d+ compliance\.frameworks\[0\]: unknown framework "TISAX"/),
    ]);
  });

  it('listens where the file says, unless the environment says otherwise', () => {
    const environment = environmentOf(`${POOLS}control_plane: { listen_addr: "127.0.0.1:9000" }\n`);
    const overridden = loadConfig({ ...environment, SVC_CONTROL_LISTEN: '[::1]:9001' });
    expect([loadConfig(environment).listen, overridden.listen, overridden.warnings]).toEqual([
      { host: '127.0.0.1', port: 9000 },
      { host: '::1', port: 9001 },
      ['SVC_CONTROL_LISTEN: [::1]:9001 is used, not 127.0.0.1:9000 as the file says'],
    ]);
  });

  it('does not warn when both say the same address', () => {
    const environment = environmentOf(`${POOLS}control_plane: { listen_addr: "127.0.0.1:9000" }\n`);
    expect(loadConfig({ ...environment, SVC_CONTROL_LISTEN: '127.0.0.1:9000' }).warnings).toEqual([]);
  });
});
