import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Services } from './support/services.js';

const MAIN = join(import.meta.dirname, '../../dist/cli/src/main.js');

describe('completion in bash', () => {
  let services: Services;
  let bin: string;

  beforeAll(async () => {
    services = await Services.start();
    bin = await mkdtemp(join(tmpdir(), 'palisade-completion-'));
    await chmod(MAIN, 0o755);
    await symlink(MAIN, join(bin, 'palisade'));
    await run('seed', '--users', '2', '--groups', '1');
    await run('provider', 'create', 'entra-eu');
    await run('tenant', 'register', 'acme', '--patterns', 'acme-*', '--pool', 'premium');
    await run('binding', 'add', 'group:scim:default:seed-1-group-000001', 'acme-orders', '--relation', 'write');
    await run('binding', 'add', 'group:scim:entra-eu:$(touch hacked)', 'acme-files', '--relation', 'read', '--pending');
    await run('binding', 'add', 'group:scim:entra-eu:sales', 'acme-files', '--relation', 'admin', '--pending');
  });
  afterAll(async () => {
    await services[Symbol.asyncDispose]();
    await rm(bin, { recursive: true });
  });

  async function run(...arguments_: readonly string[]): Promise<void> {
    expect(await services.run(...arguments_)).toMatchObject({ code: 0, error: '' });
  }

  /** What bash offers for the last word when the tabulator key is pressed. */
  async function complete(line: string, env: Readonly<Record<string, string>> = services.env): Promise<string[]> {
    const script = `source <(palisade completion bash)
COMP_LINE="$1" COMP_POINT=\${#1}
_palisade
printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-c', script, 'bash', line], {
      env: { PATH: [bin, process.env.PATH].join(delimiter), ...env },
    });
    expect(stderr).toBe('');
    return stdout.trimEnd().split('\n');
  }

  it.each([
    ['palisade provider show ', ['default', 'entra-eu']],
    ['palisade get provider e', ['entra-eu']],
    ['palisade tenant show ', ['acme']],
    ['palisade usage --tenant=', ['acme']],
    ['palisade tenant register new --pool ', ['premium', 'standard']],
    ['palisade pool show p', ['premium']],
    ['palisade route explain --tenant a', ['acme']],
    ['palisade access who acme-', ['acme-files', 'acme-orders']],
    ['palisade user show user:scim:default:seed-1-user-', ['seed-1-user-000001', 'seed-1-user-000002']],
    ['palisade binding add group:scim:d', ['default:seed-1-group-000001']],
    ['palisade binding list --subject group:scim:default:', ['seed-1-group-000001']],
    ['palisade binding remove group:scim:entra-eu:', ['sales']],
    ['palisade binding remove group:scim:default:seed-1-group-000001 ', ['acme-orders']],
    ['palisade binding remove group:scim:default:seed-1-group-000001 acme-orders ', ['write']],
  ])('%s: %j', async (line, expected) => {
    expect((await complete(line)).toSorted()).toEqual(expected);
  });

  it('offers nothing, and says nothing, without a service, a token or a valid one', async () => {
    const nowhere = { ...services.env, PALISADE_CONTROL_URL: 'http://127.0.0.1:1' };
    const { PALISADE_TOKEN: _, ...tokenless } = services.env;
    const wrong = { ...services.env, PALISADE_TOKEN: 'wrong' };
    for (const env of [nowhere, tokenless, wrong]) {
      expect(await complete('palisade tenant show ', env)).toEqual(['']);
    }
  });
});
