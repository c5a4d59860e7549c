import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createScratchDatabase, type ScratchDatabase } from '../libs/storage/test/scratch-database.js';
import { PlantedSecrets } from './support/secrets/planted-secrets.js';
import { ServiceProcess, type ServiceName } from './support/service-process.js';

const MINUTE_MS = 60_000;
const SERVICES: readonly ServiceName[] = ['scim-service', 'control-plane'];

const secrets = new PlantedSecrets();
const SECRET = secrets.plant('a secret');

/** Where an operator has a secret, and a mistake beside it. */
const MISTAKES: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['a URL of the store without a host', { SVC_STORE_URL: `postgres://palisade:${SECRET}@` }],
  ['a URL of the store of another kind', { SVC_STORE_URL: `mysql://palisade:${SECRET}@db/palisade` }],
  ['a URL of the store with a space', { SVC_STORE_URL: `postgres://palisade:${SECRET} @db/palisade` }],
  ['a password instead of a URL of the store', { SVC_STORE_URL: SECRET }],
  ['a token with a space', { SVC_ADMIN_TOKEN: `${SECRET} and more` }],
  ['a token twice', { SVC_ADMIN_TOKEN: SECRET, SVC_ADMIN_TOKEN_FILE: '/dev/null' }],
  ['a token where its digest belongs', { SVC_ADMIN_TOKEN_DIGESTS: `alice:${SECRET}` }],
  ['a token under a misspelt name', { SVC_ADMIN_TOKN: SECRET }],
];

const FILES: readonly (readonly [string, string])[] = [
  ['an unknown key', `dns: { key_secret: ${SECRET} }`],
  ['a secret where the name of its file belongs', `dns: { key_secret_file: [${SECRET}] }`],
  ['a line that cannot be read', `proxy_pools: {}\ndns: { key_secret: ${SECRET}\nlisten: :`],
  ['a key twice', `proxy_pools: {}\ndns: { password: ${SECRET}, password: ${SECRET} }`],
];

describe('what a service says that does not start', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'palisade-start-'));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it(
    'has no secret, whatever is wrong with the environment',
    async () => {
      // Both read it the same way, so each mistake is made in one of them.
      for (const [at, [mistake, environment]] of MISTAKES.entries()) {
        const name = at % 2 === 0 ? 'scim-service' : 'control-plane';
        await using service = await ServiceProcess.spawn(name, { SVC_STORE_URL: 'memory:', ...environment });
        expect([mistake, await service.exit]).toEqual([mistake, { code: 1, signal: null }]);
        expect(service.output).toContain('the configuration is not valid');
        expect(secrets.foundIn(service.output)).toEqual([]);
      }
    },
    MINUTE_MS,
  );

  it(
    'has no secret, whatever is wrong with the configuration file',
    async () => {
      for (const [mistake, yaml] of FILES) {
        const file = join(directory, 'control-plane.yaml');
        writeFileSync(file, yaml);
        const environment = { SVC_STORE_URL: 'memory:', SVC_CONTROL_CONFIG: file };
        await using service = await ServiceProcess.spawn('control-plane', environment);
        expect([mistake, await service.exit]).toEqual([mistake, { code: 1, signal: null }]);
        expect(secrets.foundIn(service.output)).toEqual([]);
      }
    },
    MINUTE_MS,
  );
});

describe('what a service says of its database', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());

  /** The URL of a server that runs. */
  function withWrongPassword(): string {
    const url = new URL(database.url);
    url.password = SECRET;
    return url.href;
  }

  it.each(
    SERVICES.flatMap((name) => [
      {
        name,
        when: 'it is unreachable',
        url: () => `postgres://palisade:${SECRET}@127.0.0.1:1/palisade`,
        says: 'ECONNREFUSED',
      },
      { name, when: 'it knows another password', url: withWrongPassword, says: 'password authentication failed' },
    ]),
  )(
    'has no password, while $when ($name)',
    async ({ name, url, says }) => {
      const environment = {
        SVC_STORE_URL: url(),
        SVC_ADMIN_TOKEN: secrets.plant('admin token'),
        SVC_LOG_LEVEL: 'trace',
      };
      await using service = await ServiceProcess.spawn(name, environment);
      await service.untilReadiness(503);
      const headers = { Authorization: `Bearer ${secrets.plant('admin token')}` };
      const answers = ['/health/ready', '/metrics', '/api/v1/log'].map(async (path) => {
        const response = await fetch(`${service.origin}${path}`, { headers });
        return JSON.stringify([...response.headers]) + (await response.text());
      });
      expect(secrets.foundIn((await Promise.all(answers)).join('\n'))).toEqual([]);
      expect(await service.end('SIGTERM')).toBe(0);
      expect(service.output).toContain(says);
      expect(secrets.foundIn(service.output)).toEqual([]);
    },
    MINUTE_MS,
  );
});
