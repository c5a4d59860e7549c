import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventsOf } from './support/palisade.js';
import { SCIM_TOKEN, Services } from './support/services.js';

const USERS = 12_000;
const MINUTE_MS = 60_000;

interface Group {
  readonly members?: readonly { readonly value: string; readonly type?: string }[];
}

describe('palisade import of groups', () => {
  let services: Services;
  let directory: string;
  beforeAll(async () => {
    services = await Services.start();
    directory = await mkdtemp(join(tmpdir(), 'palisade-import-'));
    const users = Array.from({ length: USERS }, (_, index) => `u${index},user-${index}`);
    const path = await fileOf('users.csv', `externalId,userName\n${users.join('\n')}\n`);
    const { code } = await services.run('import', 'users', path);
    expect([code, await services.countUsers()]).toEqual([0, USERS]);
  }, MINUTE_MS);
  afterAll(async () => {
    await services[Symbol.asyncDispose]();
    await rm(directory, { recursive: true });
  });

  async function fileOf(name: string, text: string): Promise<string> {
    const path = join(directory, name);
    await writeFile(path, text);
    return path;
  }

  async function membersOf(externalId: string): Promise<string[]> {
    const answer = await fetch(`${services.scim.url}/scim/v2/Groups/${externalId}`, {
      headers: { Authorization: `Bearer ${SCIM_TOKEN}` },
    });
    const { members = [] } = (await answer.json()) as Group;
    return members.map(({ value }) => value);
  }

  it(
    'takes groups with very many members, by their external ids',
    async () => {
      const members = Array.from({ length: USERS }, (_, index) => ({ value: `u${index}` }));
      const groups = ['g1', 'g2'].map((id) => JSON.stringify({ externalId: id, displayName: id, members }));
      const path = await fileOf('groups.ndjson', groups.join('\n'));
      for (const run of ['first', 'second']) {
        const { code, out } = await services.run('import', 'groups', path);
        expect([run, code, eventsOf(out).at(-1)?.['present']]).toEqual([run, 0, 2]);
      }
      const stored = await membersOf('g2');
      expect(new Set(stored)).toEqual(new Set(members.map(({ value }) => `user:scim:default:${value}`)));
      expect(stored).toHaveLength(USERS);
    },
    MINUTE_MS,
  );

  it('takes a group with groups that come before it, however many requests are under way', async () => {
    const chain = Array.from({ length: 8 }, (_, index) =>
      JSON.stringify({
        externalId: `c${index}`,
        displayName: `C${index}`,
        ...(index > 0 && { members: [{ value: `c${index - 1}`, type: 'Group' }, { value: 'u0' }] }),
      }),
    );
    const path = await fileOf('chain.ndjson', chain.join('\n'));
    const { code } = await services.run('import', 'groups', path, '--batch-size', '1', '--concurrency', '8');
    expect([code, await membersOf('c7')]).toEqual([0, ['group:scim:default:c6', 'user:scim:default:u0']]);
  });

  it('says which group has a member that does not exist, and takes the others', async () => {
    const csv = 'externalId,displayName,members\nx1,X1,u1;u2\nx2,X2,u1;nobody\nx3,X3,user:scim:default:u3\n';
    const { code, out } = await services.run('import', 'groups', await fileOf('groups.csv', csv));
    const failed = eventsOf(out).filter(({ event }) => event === 'failed');
    expect([code, failed.map(({ line, external_id: id }) => [line, id])]).toEqual([1, [[3, 'x2']]]);
    expect(await membersOf('x1')).toEqual(['user:scim:default:u1', 'user:scim:default:u2']);
    expect(await membersOf('x3')).toEqual(['user:scim:default:u3']);
  });
});
