import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonValue } from '@palisade/domain';
import { ScimApp } from '../support/scim-app.js';
import type { ScimClient } from '../support/scim-client.js';
import {
  ENTERPRISE_URN,
  ERROR_URN,
  bulkRequest,
  enterpriseUser,
  patchOp,
  pathOf,
  user,
} from '../support/scim-bodies.js';
import { createGroup, createUser } from './bulk-operations.js';
import { rejection } from './rejection.js';

let app: ScimApp;
beforeAll(async () => {
  app = await ScimApp.start();
});
afterAll(() => app.close());

/** The results of the operations. */
async function runBulk(scim: ScimClient, ...operations: readonly JsonValue[]) {
  const { body } = await scim.post('/Bulk', bulkRequest(operations));
  return body.Operations;
}

describe('RFC 7644 §3.7 bulk requests', () => {
  it.each([[undefined], [null], [{}], ['all']])(
    '[RFC7644-3.7-1][RFC7644-3.7-10] rejects %j instead of Operations',
    async (operations) => {
      const scim = await app.connect();
      const schemas = ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'];
      const body: JsonObject = operations === undefined ? { schemas } : { schemas, Operations: operations };
      expect(rejection(await scim.post('/Bulk', body))).toBe('400 invalidSyntax');
    },
  );

  it('[RFC7644-3.7-10] rejects a body that is no BulkRequest and performs nothing', async () => {
    const scim = await app.connect();
    const answer = await scim.post('/Bulk', { schemas: [], Operations: [createUser('1', 'a')] });
    const { body } = await scim.get('/Users');
    expect([rejection(answer), body.totalResults]).toEqual(['400 invalidSyntax', 0]);
  });

  it.each<[string, JsonObject]>([
    ['method', { path: '/Users', bulkId: '1', data: user({ userName: 'a' }) }],
    ['bulkId', { method: 'POST', path: '/Users', data: user({ userName: 'a' }) }],
    ['path', { method: 'POST', bulkId: '1', data: user({ userName: 'a' }) }],
    ['data', { method: 'POST', path: '/Users', bulkId: '1' }],
  ])(
    '[RFC7644-3.7-2][RFC7644-3.7-3][RFC7644-3.7-4][RFC7644-3.7-5] fails an operation without %s',
    async (_lack, operation) => {
      const scim = await app.connect();
      const [result] = await runBulk(scim, operation);
      const { body } = await scim.get('/Users');
      expect([result.status, result.response.scimType, body.totalResults]).toEqual([
        '400',
        expect.stringMatching(/^invalid/),
        0,
      ]);
    },
  );

  it('[RFC7644-3.7-9] performs creates, replacements, patches and deletions and answers 200', async () => {
    const scim = await app.connect();
    const [first, second, third] = await Promise.all(
      ['a', 'b', 'c'].map(async (userName) => (await scim.post('/Users', user({ userName }))).body),
    );
    const answer = await scim.post(
      '/Bulk',
      bulkRequest([
        createUser('1', 'd'),
        { method: 'PUT', path: pathOf(first), data: user({ userName: 'a2' }) },
        { method: 'PATCH', path: pathOf(second), data: patchOp({ op: 'replace', path: 'userName', value: 'b2' }) },
        { method: 'DELETE', path: pathOf(third) },
      ]),
    );
    const statuses = answer.body.Operations.map(({ status }: JsonObject) => status);
    const { body } = await scim.query('/Users', { sortBy: 'userName' });
    const names = body.Resources.map(({ userName }: JsonObject) => userName);
    expect([answer.status, statuses, names]).toEqual([200, ['201', '200', '200', '204'], ['a2', 'b2', 'd']]);
  });

  it('[RFC7644-3.7-7][RFC7644-3.7-8] returns the Error resource of an operation that failed', async () => {
    const scim = await app.connect();
    await scim.post('/Users', user({ userName: 'a' }));
    const [result] = await runBulk(scim, createUser('1', 'a'));
    expect(result).toEqual({
      method: 'POST',
      bulkId: '1',
      status: '409',
      response: {
        schemas: [ERROR_URN],
        status: '409',
        scimType: 'uniqueness',
        detail: expect.stringContaining('userName'),
      },
    });
  });

  it('[RFC7644-3.7-11] goes on after failures', async () => {
    const scim = await app.connect();
    const results = await runBulk(scim, createUser('1', ''), createUser('2', ''), createUser('3', 'c'));
    expect(results.map(({ status }: JsonObject) => status)).toEqual(['400', '400', '201']);
  });

  it('[RFC7644-3.7-11] stops when failOnErrors is reached and performs nothing further', async () => {
    const scim = await app.connect();
    const operations = [createUser('1', 'a'), createUser('2', ''), createUser('3', ''), createUser('4', 'd')];
    const { body, status } = await scim.post('/Bulk', bulkRequest(operations, { failOnErrors: 2 }));
    const { body: list } = await scim.get('/Users');
    const statuses = body.Operations.map((result: JsonObject) => result.status);
    expect([status, statuses, list.totalResults]).toEqual([200, ['201', '400', '400'], 1]);
  });

  it('[RFC7644-3.7-12] returns the bulkId with the resource that was created', async () => {
    const scim = await app.connect();
    const [first, second] = await runBulk(scim, createUser('qwerty', 'a'), createUser('ytrewq', 'b'));
    const { body } = await scim.follow(second.location);
    expect([first.bulkId, second.bulkId, body.userName]).toEqual(['qwerty', 'ytrewq', 'b']);
  });

  it('[RFC7644-3.7-13] adds a user to a group even when the group comes first', async () => {
    const scim = await app.connect();
    const results = await runBulk(scim, createGroup('g', 'Team', 'bulkId:u'), createUser('u', 'alice'));
    const { body } = await scim.follow(results[0].location);
    const { body: alice } = await scim.follow(results[1].location);
    expect([results.map(({ status }: JsonObject) => status), body.members[0].value]).toEqual([
      ['201', '201'],
      alice.id,
    ]);
  });

  it('[RFC7644-3.7-13] applies changes of one resource in the order given', async () => {
    const scim = await app.connect();
    const { body } = await scim.post('/Users', user({ userName: 'a' }));
    const rename = (value: string) => ({
      method: 'PATCH',
      path: pathOf(body),
      data: patchOp({ op: 'replace', path: 'userName', value }),
    });
    await runBulk(scim, rename('b'), createUser('1', 'a'), rename('c'), createUser('2', 'b'));
    const { body: list } = await scim.query('/Users', { sortBy: 'userName' });
    expect(list.Resources.map(({ userName }: JsonObject) => userName)).toEqual(['a', 'b', 'c']);
  });
});

describe('RFC 7644 §3.7.1 and §3.7.2 bulkId references', () => {
  it("[RFC7644-3.7.1-1] resolves users who are each other's manager", async () => {
    const scim = await app.connect();
    const managedBy = (bulkId: string, userName: string, manager: string) => ({
      method: 'POST',
      path: '/Users',
      bulkId,
      data: enterpriseUser({ userName }, { manager: { value: `bulkId:${manager}` } }),
    });
    const [first, second] = await runBulk(scim, managedBy('1', 'a', '2'), managedBy('2', 'b', '1'));
    const [{ body: a }, { body: b }] = [await scim.follow(first.location), await scim.follow(second.location)];
    expect([a[ENTERPRISE_URN].manager.value, b[ENTERPRISE_URN].manager.value]).toEqual([b.id, a.id]);
  });

  it('[RFC7644-3.7.1-1] answers 409 where groups would contain each other', async () => {
    const scim = await app.connect();
    const results = await runBulk(scim, createGroup('1', 'A', 'bulkId:2'), createGroup('2', 'B', 'bulkId:1'));
    expect(results.map(({ status }: JsonObject) => status)).toContain('409');
  });

  it('[RFC7644-3.7.2-1] replaces references in data, in filters of paths and in the path of the operation', async () => {
    const scim = await app.connect();
    const results = await runBulk(
      scim,
      createUser('u', 'alice'),
      createUser('v', 'bob'),
      createGroup('g', 'Team', 'bulkId:u', 'bulkId:v'),
      {
        method: 'PATCH',
        path: '/Groups/bulkId:g',
        data: patchOp({ op: 'remove', path: 'members[value eq "bulkId:u"]' }),
      },
    );
    const { body: bob } = await scim.follow(results[1].location);
    const { body: team } = await scim.follow(results[2].location);
    expect(team.members.map(({ value }: JsonObject) => value)).toEqual([bob.id]);
  });

  it('[RFC7644-3.7.2-1] fails an operation that refers to one that failed', async () => {
    const scim = await app.connect();
    const results = await runBulk(scim, createUser('u', ''), createGroup('g', 'Team', 'bulkId:u'));
    const { body } = await scim.get('/Groups');
    expect([results.map(({ status }: JsonObject) => status), body.totalResults]).toEqual([['400', '409'], 0]);
  });

  it('[RFC7644-3.7.2-2] replaces references in extensions', async () => {
    const scim = await app.connect();
    const data = enterpriseUser({ userName: 'bob' }, { employeeNumber: '11250', manager: { value: 'bulkId:qwerty' } });
    const results = await runBulk(scim, createUser('qwerty', 'alice'), {
      method: 'POST',
      path: '/Users',
      bulkId: 'ytrewq',
      data,
    });
    const { body: alice } = await scim.follow(results[0].location);
    const { body: bob } = await scim.follow(results[1].location);
    expect(bob[ENTERPRISE_URN].manager.value).toBe(alice.id);
  });
});
