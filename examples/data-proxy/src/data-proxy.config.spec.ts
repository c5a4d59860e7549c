import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig } from './data-proxy.config.js';

const SETTINGS_FILE = join(import.meta.dirname, '../settings.yaml');
const ENVIRONMENT = { DATA_PROXY_SETTINGS: SETTINGS_FILE, DATA_PROXY_DEMO_NAMESPACES: 'acme' };

describe(loadConfig.name, () => {
  let directory: string;

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'data-proxy-config-'));
  });

  afterAll(() => rmSync(directory, { recursive: true }));

  it('reads the settings that the example comes with', () => {
    expect(loadConfig(ENVIRONMENT).settings).toMatchObject({ isolation_level: 'namespace' });
  });

  it('reads settings in JSON as well', () => {
    const path = join(directory, 'settings.json');
    writeFileSync(path, '{"isolation_level": "session"}');
    expect(loadConfig({ ...ENVIRONMENT, DATA_PROXY_SETTINGS: path }).settings).toEqual({ isolation_level: 'session' });
  });

  it.each([
    ['nobody who could come in', { DATA_PROXY_DEMO_NAMESPACES: '' }, 'DATA_PROXY_API_KEYS: required, unless'],
    ['an issuer without an audience', { DATA_PROXY_JWT_ISSUER: 'https://a.example' }, 'set all or none'],
    ['a certificate without its key', { DATA_PROXY_TLS_CERT: SETTINGS_FILE }, 'DATA_PROXY_TLS_KEY: set all or none'],
    [
      'a control plane without a token',
      { DATA_PROXY_CONTROL_URL: 'http://a' },
      'DATA_PROXY_CONTROL_TOKEN: set all or none',
    ],
    ['a short secret', { DATA_PROXY_BACKEND_SECRET: 'short' }, 'expected at least 32 characters'],
    [
      'a broker without a port',
      { DATA_PROXY_KAFKA_BROKERS: 'broker' },
      'DATA_PROXY_KAFKA_BROKERS: expected 1 to 32 of',
    ],
  ])('stops with %s', (_, environment, problem) => {
    expect(() => loadConfig({ ...ENVIRONMENT, ...environment })).toThrow(problem);
  });

  it('stops with a file whose aliases could grow without bounds', () => {
    const path = join(directory, 'bomb.yaml');
    writeFileSync(path, 'a: &a [x]\nb: [*a, *a]\n');
    expect(() => loadConfig({ ...ENVIRONMENT, DATA_PROXY_SETTINGS: path })).toThrow(path);
  });

  it('says where a file is not YAML, without quoting it', () => {
    const path = join(directory, 'broken.yaml');
    writeFileSync(path, 'key: hunter2\nkey: hunter2\n');
    const environment = { ...ENVIRONMENT, DATA_PROXY_SETTINGS: path };
    expect(() => loadConfig(environment)).toThrow(/^(?!.*hunter2).*broken\.yaml: line \d+, column \d+: not YAML/s);
  });

  it('prints no secret', () => {
    const environment = { ...ENVIRONMENT, DATA_PROXY_REDIS_URL: 'http://user:hunter2@redis' };
    expect(() => loadConfig(environment)).toThrow(/^(?!.*hunter2)/s);
  });
});
