import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { digestSecret } from '@palisade/guards';
import { renderVariables } from '@palisade/platform';
import { loadConfig, loadStoreUrl } from './scim-service.config.js';
import { SCIM_SERVICE_VARIABLES } from './scim-service.variables.js';

const DOCUMENT = join(import.meta.dirname, '../../../../docs/configuration.md');
const SCIM_TOKEN = 'sixteen-letters1';
const ADMIN_TOKEN = 'sixteen-letters2';

const PRODUCTION = {
  NODE_ENV: 'production',
  SVC_SCIM_BEARER_TOKEN: SCIM_TOKEN,
  SVC_ADMIN_TOKEN: ADMIN_TOKEN,
  SVC_STORE_URL: 'postgres://palisade:secret@db/palisade',
};

function problems(environment: Record<string, string>): string {
  try {
    loadConfig(environment);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

describe(loadConfig.name, () => {
  it('runs on embedded defaults', () => {
    expect(loadConfig({})).toMatchObject({
      listen: { host: '0.0.0.0', port: 9091 },
      isScimEnabled: true,
      scimProviderId: 'default',
      storeUrl: 'embedded:.palisade/postgres',
      storeIsolationLevel: 'namespace',
      storeMaxConnections: 20,
      adminTokenDigests: [],
      warnings: [],
    });
  });

  it('accepts a production with everything that it demands', () => {
    expect(problems(PRODUCTION)).toBe('');
  });

  it.each([
    ['SVC_SCIM_BEARER_TOKEN', ''],
    ['SVC_SCIM_BEARER_TOKEN', 'fifteen-letters'],
    ['SVC_ADMIN_TOKEN', ''],
    ['SVC_STORE_URL', ''],
  ])('stops production with %s=%j', (name, value) => {
    expect(problems({ ...PRODUCTION, [name]: value })).toContain(`${name}: required in production`);
  });

  it('keeps nothing in memory in production', () => {
    expect(problems({ ...PRODUCTION, SVC_STORE_URL: 'memory:' })).toContain('SVC_STORE_URL: expected postgres://…');
  });

  it('rejects one secret for SCIM and for admins, without telling it', () => {
    const found = problems({ SVC_SCIM_BEARER_TOKEN: SCIM_TOKEN, SVC_ADMIN_TOKEN: SCIM_TOKEN });
    expect(found).toContain('SVC_SCIM_BEARER_TOKEN: expected another secret than SVC_ADMIN_TOKEN');
    expect(found).not.toContain(SCIM_TOKEN);
  });

  it('rejects a SCIM token whose digest is an admin, without telling either', () => {
    const digest = digestSecret(SCIM_TOKEN);
    const SVC_ADMIN_TOKEN_DIGESTS = `ann:${digestSecret(ADMIN_TOKEN)}:admin,bob:${digest.toUpperCase()}:read`;
    const found = problems({ SVC_SCIM_BEARER_TOKEN: SCIM_TOKEN, SVC_ADMIN_TOKEN_DIGESTS });
    expect(found).toContain('SVC_SCIM_BEARER_TOKEN: expected another secret than those of SVC_ADMIN_TOKEN_DIGESTS');
    expect(found).not.toMatch(new RegExp(`${SCIM_TOKEN}|${digest}`, 'i'));
  });

  it('demands no SCIM token in production where SCIM is off', () => {
    expect(problems({ ...PRODUCTION, SVC_SCIM_BEARER_TOKEN: '', SVC_SCIM_ENABLED: 'false' })).toBe('');
  });

  it.each([
    ['SVC_SCIM_ENABLED', 'yes'],
    ['SVC_SCIM_LISTEN', '9091'],
    ['SVC_SCIM_PROVIDER_ID', 'Not A Label'],
    ['SVC_SCIM_DIALECT', 'azure'],
    ['SVC_SCIM_PUBLIC_URL', 'palisade.example.com'],
    ['SVC_SCIM_PUBLIC_URL', 'https://palisade.example.com/path?x=1'],
    ['SVC_SCIM_PUBLIC_URL', 'https:palisade'],
    ['SVC_ADMIN_TOKEN_DIGESTS', 'ann:abc'],
    ['SVC_ADMIN_JWT_JWKS_URI', 'http://keys.example.com'],
  ])('rejects %s=%s, naming it', (name, value) => {
    expect(problems({ [name]: value })).toContain(`${name}: expected`);
  });

  it('tells all mistakes at once, and no secret', () => {
    const found = problems({ SVC_SCIM_ENABLED: 'yes', SVC_SCIM_LISTEN: '9091', SVC_ADMIN_TOKEN: 'a secret' });
    expect(found.match(/^ {2}SVC_/gm)).toHaveLength(3);
    expect(found).not.toContain('a secret');
  });

  it('shows no password of a public URL', () => {
    const found = problems({ SVC_SCIM_PUBLIC_URL: 'https://user:secret@palisade.example.com' });
    expect(found).toContain('SVC_SCIM_PUBLIC_URL: expected');
    expect(found).not.toContain('secret');
  });

  it.each([
    'mysql://user:secret@host/db',
    'embedded:',
    'postgres://user:secret@host:99999/db',
    'postgres://user:secret%zz@host/db',
    'postgres://us%er:secret@host/db',
  ])('tells a malformed store with the other mistakes and without its value: %s', (SVC_STORE_URL) => {
    const found = problems({ SVC_SCIM_ENABLED: 'yes', SVC_STORE_URL });
    expect(found.match(/^ {2}(SVC_\w+): expected/gm)).toEqual([
      '  SVC_SCIM_ENABLED: expected',
      '  SVC_STORE_URL: expected',
    ]);
    expect(found).not.toContain('secret');
  });

  it.each([
    ['a provider more connections than there are', { SVC_STORE_CONNECTIONS_PER_PROVIDER: '21' }],
    [
      'a provider a share where all share all',
      { SVC_STORE_ISOLATION_LEVEL: 'none', SVC_STORE_CONNECTIONS_PER_PROVIDER: '5' },
    ],
  ])('does not give %s', (_, environment) => {
    expect(problems(environment)).toContain('SVC_STORE_CONNECTIONS_PER_PROVIDER: expected');
  });

  it('knows no isolation level but those of a store', () => {
    expect(problems({ SVC_STORE_ISOLATION_LEVEL: 'session' })).toContain('SVC_STORE_ISOLATION_LEVEL: expected one of');
  });

  it('wants the three variables of an admin issuer together', () => {
    expect(problems({ SVC_ADMIN_JWT_ISSUER: 'https://login.example.com' })).toContain('SVC_SCIM_ADMIN_JWT_AUDIENCE');
  });

  it('takes a public URL with or without a slash at its end', () => {
    expect(loadConfig({ SVC_SCIM_PUBLIC_URL: 'https://scim.example.com/' }).publicUrl).toBe('https://scim.example.com');
  });
});

describe(loadStoreUrl.name, () => {
  it('asks for nothing but the store', () => {
    expect(loadStoreUrl({ NODE_ENV: 'production', SVC_STORE_URL: 'postgres://db/palisade' })).toBe(
      'postgres://db/palisade',
    );
    expect(loadStoreUrl({ SVC_DATA_DIR: '/data' })).toBe('embedded:/data/postgres');
  });

  it('stops production without a store that lasts', () => {
    expect(() => loadStoreUrl({ NODE_ENV: 'production' })).toThrow('SVC_STORE_URL: required in production');
    expect(() => loadStoreUrl({ NODE_ENV: 'production', SVC_STORE_URL: 'memory:' })).toThrow('SVC_STORE_URL: expected');
  });
});

describe('docs/configuration.md', () => {
  it('describes the variables as they are', () => {
    expect(readFileSync(DOCUMENT, 'utf8')).toContain(renderVariables(SCIM_SERVICE_VARIABLES));
  });
});
