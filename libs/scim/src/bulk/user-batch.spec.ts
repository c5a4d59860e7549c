import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { StoreUnavailableError, type DirectoryStore, type JsonObject } from '@palisade/domain';
import { MemoryStore } from '@palisade/storage';
import { ScimServer } from '../scim-server.js';
import { BULK_REQUEST_URN } from '../urns.js';
import { UserBatch } from './user-batch.js';

let scim: ScimServer;
let createUsers: jest.SpiedFunction<DirectoryStore['createUsers']>;

beforeEach(() => {
  const store = new MemoryStore();
  scim = new ScimServer({ store, provider: 'okta', settings: { repeatCreate: 'conflict' } });
  createUsers = jest.spyOn(store.directory, 'createUsers');
});

afterEach(() => {
  jest.restoreAllMocks();
});

/** Status and bulkId of every result. */
async function bulk(operations: readonly JsonObject[], extra: JsonObject = {}): Promise<string[]> {
  const body = { schemas: [BULK_REQUEST_URN], ...extra, Operations: operations };
  const results = (await scim.bulk(body)).Operations as readonly JsonObject[];
  return results.map(({ status, bulkId }) => `${String(status)} ${String(bulkId)}`);
}

function createUser(name: string, data: JsonObject = {}): JsonObject {
  return { method: 'POST', path: '/Users', bulkId: name, data: { userName: name, externalId: name, ...data } };
}

function createManyUsers(count: number, data?: JsonObject): JsonObject[] {
  return Array.from({ length: count }, (_, index) => createUser(`u${index}`, data));
}

/** Names of the users that were stored together, a list for each time. */
function stored(): unknown[][] {
  return createUsers.mock.calls.map(([, users]) => users.map(({ draft }) => draft.attributes.userName));
}

function storedCounts(): number[] {
  return stored().map(({ length }) => length);
}

describe(UserBatch.name, () => {
  it('holds users who follow each other, 50 at most', async () => {
    await bulk(createManyUsers(120));
    expect(storedCounts()).toEqual([50, 50, 20]);
  });

  it('holds fewer of the large ones', async () => {
    const photos = Array.from({ length: 100 }, (_, index) => ({
      value: `https://example.com/${index}/${'x'.repeat(2000)}`,
    }));
    await bulk(createManyUsers(8, { photos }));
    expect(storedCounts()).toEqual([3, 3, 2]);
  });

  it('goes on behind a user who is rejected before storing', async () => {
    const results = await bulk([createUser('ada'), createUser('bob', { userName: '' }), createUser('cyd')]);
    expect(results).toEqual(['201 ada', '400 bob', '201 cyd']);
    expect(stored()).toEqual([['ada', 'cyd']]);
  });

  it('ends before an operation that is no create of a user', async () => {
    const missing = { method: 'DELETE', path: '/Users/nobody', bulkId: 'x' };
    await bulk([createUser('ada'), createUser('bob'), missing, createUser('cyd'), createUser('dan')]);
    expect(stored()).toEqual([
      ['ada', 'bob'],
      ['cyd', 'dan'],
    ]);
  });

  it('ends before a user who refers to another', async () => {
    const manager = {
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { manager: { value: 'bulkId:ada' } },
    };
    const results = await bulk([createUser('ada'), createUser('bob'), createUser('cyd', manager), createUser('dan')]);
    expect(results).toEqual(['201 ada', '201 bob', '201 cyd', '201 dan']);
    expect(stored()).toEqual([['ada', 'bob']]);
  });

  it.each([
    ['userName in any case', { userName: 'ADA' }],
    ['externalId', { externalId: 'ada' }],
  ])('ends before a user with the same %s', async (_, same) => {
    const results = await bulk([createUser('ada'), createUser('bob'), createUser('cyd', same), createUser('dan')]);
    expect(results).toEqual(['201 ada', '201 bob', '409 cyd', '201 dan']);
    expect(storedCounts()).toEqual([2, 2]);
  });

  it('lets a user take what the one before it was rejected', async () => {
    const results = await bulk([
      createUser('ada'),
      createUser('bob', { userName: 'ada' }),
      createUser('cyd', { externalId: 'bob' }),
    ]);
    expect(results).toEqual(['201 ada', '409 bob', '201 cyd']);
  });

  it('holds no more users than may fail before the request ends', async () => {
    await scim.createUser({ userName: 'u2', externalId: 'u2' });
    await scim.createUser({ userName: 'u3', externalId: 'u3' });
    const results = await bulk(createManyUsers(6), { failOnErrors: 2 });
    expect(results).toEqual(['201 u0', '201 u1', '409 u2', '409 u3']);
    expect(storedCounts()).toEqual([2, 2]);
    expect((await scim.listUsers()).totalResults).toBe(4);
  });

  it('holds no groups', async () => {
    const groups = [
      scim.groups.prepareCreate({ displayName: 'Tours' }),
      scim.groups.prepareCreate({ displayName: 'Sales' }),
    ];
    expect(await scim.groups.createTogether(groups)).toEqual([undefined, undefined]);
    expect(createUsers).not.toHaveBeenCalled();
  });

  it('leaves whom the store did not store to a create of its own', async () => {
    createUsers.mockResolvedValueOnce([undefined, undefined]);
    expect(await bulk([createUser('ada'), createUser('bob')])).toEqual(['201 ada', '201 bob']);
    expect((await scim.listUsers()).totalResults).toBe(2);
  });

  it('fails with the request when the store fails', async () => {
    const unavailable = new StoreUnavailableError(1);
    createUsers.mockRejectedValueOnce(unavailable);
    await expect(bulk([createUser('ada'), createUser('bob')])).rejects.toBe(unavailable);
    expect((await scim.listUsers()).totalResults).toBe(0);
  });

  it('is stored when its request ends with a later operation', async () => {
    const controller = new AbortController();
    const reason = new Error('the client has gone');
    const cyd = createUser('cyd');
    Object.defineProperty(cyd.data, 'title', { enumerable: true, get: () => controller.abort(reason) });
    const body = { schemas: [BULK_REQUEST_URN], Operations: [createUser('ada'), createUser('bob'), cyd] };
    await expect(scim.bulk(body, { signal: controller.signal })).rejects.toBe(reason);
    expect((await scim.listUsers()).Resources).toMatchObject([{ userName: 'ada' }, { userName: 'bob' }]);
  });
});
