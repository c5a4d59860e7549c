import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Services } from '../cli/test/support/services.js';
import { Palisade } from '../cli/test/support/palisade.js';
import { PlantedSecrets } from './support/secrets/planted-secrets.js';

const MINUTE_MS = 60_000;
/** Nobody listens there; a port that `fetch` does not reject by itself. */
const AWAY = 'http://127.0.0.1:2';

describe('what palisade prints', () => {
  const secrets = new PlantedSecrets();
  const wrong = secrets.plant('token that is not valid');
  let services: Services;
  let directory: string;

  beforeAll(async () => {
    services = await Services.start();
    directory = mkdtempSync(join(tmpdir(), 'palisade-cli-secrets-'));
    writeFileSync(join(directory, 'token'), wrong);
    writeFileSync(join(directory, 'two-lines'), `${wrong}\n${wrong}\n`);
    writeFileSync(join(directory, 'users.csv'), `userName,password\nada,${wrong}\n`);
  }, MINUTE_MS);
  afterAll(async () => {
    await services[Symbol.asyncDispose]();
    rmSync(directory, { recursive: true, force: true });
  });

  it.each([
    ['a token of nobody', ['provider', 'list'], {}],
    ['a token of nobody, for programs', ['provider', 'list', '--json'], {}],
    ['a token on the command line', ['doctor', '--token', wrong], {}],
    ['a token from a file', ['doctor', '--token-file', 'DIRECTORY/token'], {}],
    ['a file with two lines', ['provider', 'list', '--token-file', 'DIRECTORY/two-lines'], {}],
    ['a token with a line feed', ['provider', 'list'], { PALISADE_TOKEN: `${wrong}\n${wrong}` }],
    ['a token that no header can hold', ['provider', 'list'], { PALISADE_TOKEN: `${wrong}\u{1F511}` }],
    ['services that are unreachable', ['doctor'], { PALISADE_SCIM_URL: AWAY, PALISADE_CONTROL_URL: AWAY }],
    ['an address with a password', ['provider', 'list'], { PALISADE_SCIM_URL: `http://admin:${wrong}@127.0.0.1:1` }],
    ['an invalid address', ['provider', 'list'], { PALISADE_SCIM_URL: `http://admin:${wrong}@[no address` }],
    ['a password instead of an address', ['provider', 'list'], { PALISADE_SCIM_URL: wrong }],
    ['a file of users with passwords', ['import', 'users', 'DIRECTORY/users.csv'], {}],
  ] as const)(
    'has no secret: %s',
    async (_, command, env) => {
      const sent = { ...services.env, PALISADE_TOKEN: wrong, PALISADE_PROVIDER_TOKEN: wrong, ...env };
      const { code, out, error } = await Palisade.start(
        command.map((argument) => argument.replace('DIRECTORY', directory)),
        sent,
      ).ended();
      expect(code).not.toBe(0);
      expect(`${out}${error}`.trim()).not.toBe('');
      expect(secrets.foundIn(`${out}${error}`)).toEqual([]);
    },
    MINUTE_MS,
  );
});
