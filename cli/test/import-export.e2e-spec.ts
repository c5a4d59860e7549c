import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CuttingGateway } from './support/cutting-gateway.js';
import { Palisade, eventsOf } from './support/palisade.js';
import { Services } from './support/services.js';

const USERS = 2000;

describe('palisade import and export', () => {
  let services: Services;
  let directory: string;
  beforeEach(async () => {
    services = await Services.start();
    directory = await mkdtemp(join(tmpdir(), 'palisade-import-'));
  });
  afterEach(async () => {
    await services[Symbol.asyncDispose]();
    await rm(directory, { recursive: true });
  });

  async function fileOf(name: string, text: string): Promise<string> {
    const path = join(directory, name);
    await writeFile(path, text);
    return path;
  }

  const users = (count: number): string =>
    Array.from({ length: count }, (_, index) =>
      JSON.stringify({ externalId: `u${index}`, userName: `user-${index}@example.com` }),
    ).join('\n');

  it('goes on after SIGKILL between the write and the answer, and creates nobody twice', async () => {
    await using gateway = await CuttingGateway.start(services.scim.url);
    const path = await fileOf('users.ndjson', users(USERS));
    const env = { ...services.env, PALISADE_SCIM_URL: gateway.url };
    const command = ['import', 'users', path, '--batch-size', '100', '--concurrency', '1'];

    gateway.cutAt = 8;
    const killed = Palisade.start(command, env);
    gateway.onCut = () => void killed.child.kill('SIGKILL');
    expect((await killed.ended()).code).toBeNull();
    expect(await services.countUsers()).toBe(800);

    gateway.bulkRequests = 0;
    gateway.cutAt = Infinity;
    const { code, out } = await Palisade.start(command, env).ended();
    const events = eventsOf(out);
    expect(events[0]).toEqual({ event: 'resumed', records: 700 });
    expect(events.at(-1)).toEqual({ event: 'done', dry_run: false, records: USERS, present: USERS, failed: 0 });
    expect([code, gateway.bulkRequests, await services.countUsers()]).toEqual([0, 13, USERS]);
    expect(existsSync(`${path}.palisade-state.json`)).toBe(false);
  });

  it('sends a batch again when the connection is cut', async () => {
    await using gateway = await CuttingGateway.start(services.scim.url);
    gateway.cutAt = 1;
    const path = await fileOf('users.ndjson', users(3));
    const { code } = await Palisade.start(['import', 'users', path], {
      ...services.env,
      PALISADE_SCIM_URL: gateway.url,
    }).ended();
    expect([code, gateway.bulkRequests, await services.countUsers()]).toEqual([0, 2, 3]);
  });

  it('does not resume with another file', async () => {
    const path = await fileOf('users.ndjson', users(3));
    const counts = { offset: 5, records: 1, lines: 1, present: 1, failed: 0 };
    const state = { version: 2, target: 'another', digest: '', ...counts };
    await fileOf('users.ndjson.palisade-state.json', JSON.stringify(state));
    const { code, error } = await services.run('import', 'users', path);
    expect([code, error]).toEqual([2, expect.stringContaining('start over with --restart')]);
    expect((await services.run('import', 'users', path, '--restart')).code).toBe(0);
  });

  it('tells of each record that fails, and imports the others', async () => {
    const lines = [
      '{"externalId":"a","userName":"ann"}',
      'no json',
      '{"userName":"ben"}',
      '{"externalId":"c","userName":"ANN"}',
      '{"externalId":"d","userName":"dan"}',
    ];
    const { code, out } = await services.run('import', 'users', await fileOf('users.ndjson', lines.join('\n')));
    const failed = eventsOf(out).filter(({ event }) => event === 'failed');
    expect([code, failed.map(({ record }) => record), await services.countUsers()]).toEqual([1, [2, 3, 4], 2]);
    expect(failed[2]?.['problem']).toContain('uniqueness');
  });

  it('counts what is there already where a repeated create is a conflict', async () => {
    await services.run('provider', 'create', 'strict', '--repeat-create', 'conflict');
    const issued = await services.run('token', 'create', 'strict', '--json');
    const { secret } = JSON.parse(issued.out) as { secret: string };
    const path = await fileOf('users.ndjson', users(3));
    const repeat = async (): Promise<unknown> =>
      (await Palisade.start(['import', 'users', path, '--token', secret], services.env).ended()).code;
    expect([await repeat(), await repeat()]).toEqual([0, 0]);
  });

  it('sends nothing in a dry run', async () => {
    const { code, out } = await services.run(
      'import',
      'users',
      await fileOf('u.ndjson', `${users(3)}\n{}`),
      '--dry-run',
    );
    expect(eventsOf(out).at(-1)).toEqual({ event: 'done', dry_run: true, records: 4, present: 3, failed: 1 });
    expect([code, await services.countUsers()]).toEqual([1, 0]);
  });

  it('exports as CSV what was imported as CSV', async () => {
    const csv =
      'externalId,userName,displayName,givenName,familyName,title,userType,preferredLanguage,locale,timezone,active,' +
      'emails,employeeNumber,costCenter,organization,division,department\r\n' +
      '7,ann,"Lee, ""Ann""",Ann,Lee,\'=1+1,,,,,true,"a@example.com;b@example.com",,,,,Sales\r\n';
    await services.run('import', 'users', await fileOf('users.csv', csv));
    expect((await services.run('export', 'users', '--format', 'csv')).out).toBe(csv);
  });

  it('exports all pages into a file that only its owner can read, and imports it elsewhere', async () => {
    await services.run('import', 'users', await fileOf('users.ndjson', users(1200)));
    const groups = Array.from({ length: 25 }, (_, index) =>
      JSON.stringify({
        externalId: `g${index}`,
        displayName: 'G',
        members: [{ value: `u${index}` }],
      }),
    );
    await services.run('import', 'groups', await fileOf('groups.ndjson', groups.join('\n')));
    const [usersPath, groupsPath] = [join(directory, 'out-users.ndjson'), join(directory, 'out-groups.ndjson')];
    expect((await services.run('export', 'users', '--output', usersPath)).code).toBe(0);
    expect((await services.run('export', 'groups', '--output', groupsPath)).code).toBe(0);
    expect((await stat(usersPath)).mode & 0o777).toBe(0o600);
    expect((await readFile(usersPath, 'utf8')).trim().split('\n')).toHaveLength(1200);

    await using elsewhere = await Services.start();
    expect((await elsewhere.run('import', 'users', usersPath)).code).toBe(0);
    expect((await elsewhere.run('import', 'groups', groupsPath)).code).toBe(0);
    const shown = await elsewhere.run('group', 'show', 'g24', '--json');
    expect(JSON.parse(shown.out)).toMatchObject({ members: [{ value: 'user:scim:default:u24' }] });
  });

  it('brings the members of groups to another provider, when told where they are from', async () => {
    await services.run('seed', '--users', '1', '--groups', '1');
    await services.run('provider', 'create', 'okta');
    const { secret } = JSON.parse((await services.run('token', 'create', 'okta', '--json')).out) as { secret: string };
    const [usersPath, groupsPath] = [join(directory, 'from-users.ndjson'), join(directory, 'from-groups.csv')];
    await services.run('export', 'users', '--output', usersPath);
    await services.run('export', 'groups', '--format', 'csv', '--output', groupsPath);

    const tokenPath = await fileOf('okta-token', secret);
    const asOkta = (...words: readonly string[]) => services.run(...words, '--token-file', tokenPath);
    expect((await asOkta('import', 'users', usersPath)).code).toBe(0);
    expect((await asOkta('import', 'groups', groupsPath)).code).toBe(1);
    expect((await asOkta('import', 'groups', groupsPath, '--from-provider', 'default')).code).toBe(0);
    const shown = await asOkta('group', 'show', 'seed-1-group-000001', '--json');
    expect(JSON.parse(shown.out)).toMatchObject({ members: [{ value: 'user:scim:okta:seed-1-user-000001' }] });
  });

  it('does not write over a file', async () => {
    const path = await fileOf('there', 'kept');
    const { code, error } = await services.run('export', 'users', '--output', path);
    expect([code, error, await readFile(path, 'utf8')]).toEqual([
      1,
      `cannot write ${path} (it exists already and is not overwritten)\n`,
      'kept',
    ]);
  });
});
