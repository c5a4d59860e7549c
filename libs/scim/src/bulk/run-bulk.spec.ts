import { beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@palisade/domain';
import { MemoryStore } from '@palisade/storage';
import { ScimServer } from '../scim-server.js';
import { BULK_REQUEST_URN, ENTERPRISE_USER_URN } from '../urns.js';
import { runBulk } from './run-bulk.js';

let scim: ScimServer;

beforeEach(() => {
  scim = new ScimServer({ store: new MemoryStore(), provider: 'okta' });
});

async function bulk(operations: readonly JsonObject[], extra: JsonObject = {}): Promise<JsonObject[]> {
  const answer = await scim.bulk({ schemas: [BULK_REQUEST_URN], ...extra, Operations: operations });
  return answer.Operations as unknown as JsonObject[];
}

function createUser(bulkId: string, extra: JsonObject = {}): JsonObject {
  return { method: 'POST', path: '/Users', bulkId, data: { userName: bulkId, externalId: bulkId, ...extra } };
}

function createGroup(bulkId: string, members: readonly string[]): JsonObject {
  const data = { displayName: bulkId, externalId: bulkId, members: members.map((value) => ({ value })) };
  return { method: 'POST', path: '/Groups', bulkId, data };
}

function managedBy(bulkId: string): JsonObject {
  return { [ENTERPRISE_USER_URN]: { manager: { value: `bulkId:${bulkId}` } } };
}

function statuses(results: readonly JsonObject[]): unknown[] {
  return results.map(({ status }) => status);
}

function details(results: readonly JsonObject[]): unknown[] {
  return results.map(({ response }) => (response as JsonObject | undefined)?.detail);
}

/** How often the members of a group are read while it and so many users are created. */
async function countReads(users: number): Promise<number> {
  const bulkIds = Array.from({ length: users }, (_, index) => `u${index}`);
  const group = createGroup('g', []);
  let reads = 0;
  const members = {
    enumerable: true,
    get: () => {
      reads++;
      return bulkIds.map((bulkId) => ({ value: `bulkId:${bulkId}` }));
    },
  };
  Object.defineProperty(group.data, 'members', members);
  const results = await bulk([group, ...bulkIds.map((bulkId) => createUser(bulkId))]);
  expect([...new Set(statuses(results))]).toEqual(['201']);
  return reads;
}

describe(runBulk.name, () => {
  it('[RFC7644-3.7.2] replaces bulkIds with identifiers, also of operations that stand later', async () => {
    const results = await bulk([
      createGroup('tours', ['bulkId:ada', 'bulkId:bob']),
      createUser('ada'),
      createUser('bob'),
    ]);
    expect(statuses(results)).toEqual(['201', '201', '201']);
    expect(results.map(({ bulkId }) => bulkId)).toEqual(['tours', 'ada', 'bob']);
    const { members } = await scim.getGroup('tours');
    expect(members).toMatchObject([{ value: 'user:scim:okta:ada' }, { value: 'user:scim:okta:bob' }]);
  });

  it('[RFC7644-3.7.1] resolves users who manage each other', async () => {
    const results = await bulk([createUser('ada', managedBy('bob')), createUser('bob', managedBy('ada'))]);
    expect(statuses(results)).toEqual(['201', '201']);
    expect(await scim.getUser('ada')).toMatchObject({
      [ENTERPRISE_USER_URN]: { manager: { value: 'user:scim:okta:bob' } },
    });
    expect(await scim.getUser('bob')).toMatchObject({
      [ENTERPRISE_USER_URN]: { manager: { value: 'user:scim:okta:ada' } },
    });
  });

  it('[RFC7644-3.7.1] answers 409 for groups that contain each other', async () => {
    const results = await bulk([createGroup('a', ['bulkId:b']), createGroup('b', ['bulkId:a'])]);
    expect(statuses(results)).toEqual(['409', '409']);
    expect(details(results)).toEqual([
      'bulkId:b: leads back to this group in a circle, groups cannot contain each other',
      'bulkId:a: leads back to this group in a circle, groups cannot contain each other',
    ]);
    expect((await scim.listGroups()).totalResults).toBe(0);
  });

  it('[RFC7644-3.7.1] answers 409 for a group that contains itself', async () => {
    const results = await bulk([createGroup('a', ['bulkId:a'])]);
    expect(statuses(results)).toEqual(['409']);
    expect(details(results)).toEqual(['bulkId:a: a group cannot contain itself']);
  });

  it('tells what refers to a circle apart from what is in it', async () => {
    const results = await bulk([
      createGroup('outer', ['bulkId:a']),
      createGroup('a', ['bulkId:b']),
      createGroup('b', ['bulkId:a']),
    ]);
    expect(details(results)).toEqual([
      'bulkId:a: the operation that it refers to failed',
      'bulkId:b: leads back to this group in a circle, groups cannot contain each other',
      'bulkId:a: leads back to this group in a circle, groups cannot contain each other',
    ]);
  });

  it('fails what refers to an operation that failed', async () => {
    await scim.createUser({ userName: 'ADA' });
    const results = await bulk([createUser('ada'), createGroup('tours', ['bulkId:ada'])]);
    expect(statuses(results)).toEqual(['409', '409']);
  });

  it('[RFC7644-3.7.3] gives a location for all but failed creates, and the error', async () => {
    await scim.createUser({ userName: 'bob', externalId: 'bob' });
    const [created, failed, replaced, missing] = await bulk([
      createUser('ada'),
      { method: 'POST', path: '/Users', bulkId: 'x', data: { displayName: 'nameless' } },
      { method: 'PUT', path: '/Users/bob', data: { title: 'x' } },
      { method: 'DELETE', path: '/Users/nobody' },
    ]);
    expect(created).toMatchObject({
      status: '201',
      location: '/scim/v2/Users/user:scim:okta:ada',
      version: 'W/"1"',
    });
    expect(failed).toMatchObject({ status: '400', response: { scimType: 'invalidValue', status: '400' } });
    expect(failed).not.toHaveProperty('location');
    expect(replaced).toMatchObject({ status: '200', location: '/scim/v2/Users/user:scim:okta:bob' });
    expect(missing).toMatchObject({ status: '404', location: '/scim/v2/Users/nobody' });
  });

  it('honours the version of an operation as If-Match', async () => {
    await scim.createUser({ userName: 'bob', externalId: 'bob' });
    const remove = { method: 'DELETE', path: '/Users/bob' };
    expect(statuses(await bulk([{ ...remove, version: 'W/"9"' }]))).toEqual(['412']);
    expect(statuses(await bulk([{ ...remove, version: 'W/"1"' }]))).toEqual(['204']);
  });

  it('[RFC7644-3.7] stops after failOnErrors failures', async () => {
    const missing = { method: 'DELETE', path: '/Users/nobody' };
    const results = await bulk([missing, createUser('ada'), missing, createUser('bob')], { failOnErrors: 2 });
    expect(statuses(results)).toEqual(['404', '201', '404']);
    expect((await scim.listUsers()).totalResults).toBe(1);
  });

  it('patches what the same request creates', async () => {
    const data = { Operations: [{ op: 'add', path: 'title', value: 'Countess' }] };
    const results = await bulk([createUser('ada'), { method: 'PATCH', path: '/Users/bulkId:ada', data }]);
    expect(statuses(results)).toEqual(['201', '200']);
    expect(await scim.getUser('ada')).toMatchObject({ title: 'Countess' });
  });

  it('removes a member whom the path of a PATCH names by bulkId', async () => {
    const data = { Operations: [{ op: 'remove', path: 'members[value eq "bulkId:ada"]' }] };
    const results = await bulk([
      createUser('ada'),
      createGroup('tours', ['bulkId:ada']),
      { method: 'PATCH', path: '/Groups/tours', data },
    ]);
    expect(statuses(results)).toEqual(['201', '201', '200']);
    expect(await scim.getGroup('tours')).not.toHaveProperty('members');
  });

  it('leaves out the method of what is no operation', async () => {
    const [result] = await bulk([null as unknown as JsonObject]);
    expect(result).toEqual({ status: '400', response: expect.objectContaining({ scimType: 'invalidSyntax' }) });
  });

  it('follows a chain of a thousand references', async () => {
    const users = Array.from({ length: 999 }, (_, n) => createUser(`u${n}`, managedBy(`u${n + 1}`)));
    const results = await bulk([...users, createUser('u999')]);
    expect([...new Set(statuses(results))]).toEqual(['201']);
    expect(await scim.getUser('u0')).toMatchObject({
      [ENTERPRISE_USER_URN]: { manager: { value: 'user:scim:okta:u1' } },
    });
  });

  it('reads an operation as often with thirty references as with one', async () => {
    expect(await countReads(30)).toBe(await countReads(1));
  });

  it('lets others have a turn before each operation', async () => {
    let turns = 0;
    let next = setImmediate(function count() {
      turns++;
      next = setImmediate(count);
    });
    await bulk([createUser('ada'), createUser('bob'), createUser('cyd')]);
    clearImmediate(next);
    expect(turns).toBeGreaterThanOrEqual(3);
  });

  it('runs no further operation once its signal is aborted', async () => {
    const controller = new AbortController();
    const reason = new Error('the client has gone');
    const title = {
      enumerable: true,
      get: () => {
        controller.abort(reason);
        return 'Countess';
      },
    };
    const bob = createUser('bob');
    Object.defineProperty(bob.data, 'title', title);
    const body = { schemas: [BULK_REQUEST_URN], Operations: [createUser('ada'), bob] };
    await expect(scim.bulk(body, { signal: controller.signal })).rejects.toBe(reason);
    expect((await scim.listUsers()).Resources).toMatchObject([{ userName: 'ada' }]);
  });
});
