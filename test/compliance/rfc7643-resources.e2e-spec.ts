import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScimApp } from '../support/scim-app.js';
import {
  ENTERPRISE_URN,
  GROUP_URN,
  USER_URN,
  enterpriseUser,
  group,
  patchOp,
  pathOf,
  user,
} from '../support/scim-bodies.js';
import { rejection } from './rejection.js';

let app: ScimApp;
beforeAll(async () => {
  app = await ScimApp.start();
});
afterAll(() => app.close());

describe('RFC 7643 §3 the schemas attribute', () => {
  it('[RFC7643-2.1-1][RFC7643-3-2] names the schemas of every resource, created, read, listed, replaced or patched', async () => {
    const scim = await app.connect();
    const created = await scim.post('/Users', enterpriseUser({ userName: 'a' }, { department: 'Sales' }));
    const path = pathOf(created.body);
    const read = await scim.get(path);
    const listed = await scim.get('/Users');
    const replaced = await scim.put(path, user({ userName: 'b' }));
    const patched = await scim.patch(path, patchOp({ op: 'replace', path: 'title', value: 'Boss' }));
    const bodies = [created.body, read.body, listed.body.Resources[0], replaced.body, patched.body];
    expect(bodies.map(({ schemas }) => schemas.toSorted())).toEqual(
      bodies.map(() => [USER_URN, ENTERPRISE_URN].sort()),
    );
  });

  it('[RFC7643-3-2] names the base schema of a resource even when only its id is asked for', async () => {
    const scim = await app.connect();
    const { body } = await scim.post('/Users', enterpriseUser({ userName: 'a' }, { department: 'Sales' }));
    const { body: read } = await scim.get(`${pathOf(body)}?attributes=id`);
    expect(read).toEqual({ schemas: expect.arrayContaining([USER_URN]), id: body.id });
  });

  it.each([
    ['/Users', { userName: 'a' }],
    ['/Groups', { displayName: 'A' }],
    ['/Users', { userName: 'a', schemas: [] }],
    ['/Users', { userName: 'a', schemas: USER_URN }],
  ])('[RFC7643-3-1][RFC7643-3.3-1] rejects a POST to %s of %j', async (endpoint, body) => {
    const scim = await app.connect();
    expect(rejection(await scim.post(endpoint, body))).toMatch(/^400 invalid(Syntax|Value)$/);
  });

  it('[RFC7643-3-3] does not return a schema that the resource type does not have', async () => {
    const scim = await app.connect();
    const { body } = await scim.post('/Groups', {
      schemas: [GROUP_URN, 'urn:example:unknown:Group'],
      displayName: 'A',
    });
    expect(body.schemas).toEqual([GROUP_URN]);
  });

  it('[RFC7643-3-3] rejects a user that claims a schema which users do not have', async () => {
    const scim = await app.connect();
    const body = { schemas: [USER_URN, GROUP_URN], userName: 'a' };
    expect(rejection(await scim.post('/Users', body))).toMatch(/^400 invalid(Syntax|Value)$/);
  });

  it('[RFC7643-3-4] lists each schema once, however often the client named it', async () => {
    const scim = await app.connect();
    const schemas = [USER_URN, ENTERPRISE_URN, USER_URN, ENTERPRISE_URN];
    const { body } = await scim.post('/Users', { schemas, userName: 'a', [ENTERPRISE_URN]: { department: 'Sales' } });
    expect(body.schemas.toSorted()).toEqual([USER_URN, ENTERPRISE_URN].sort());
  });

  it('[RFC7643-3-5] creates the same resource whatever the order of schemas', async () => {
    const scim = await app.connect();
    const content = { userName: 'a', [ENTERPRISE_URN]: { department: 'Sales' } };
    const { body } = await scim.post('/Users', { schemas: [ENTERPRISE_URN, USER_URN], ...content });
    expect([body.userName, body[ENTERPRISE_URN]]).toEqual(['a', { department: 'Sales' }]);
  });

  it('[RFC7643-3-6] finds and returns common attributes, though no schema lists them', async () => {
    const scim = await app.connect();
    await scim.post('/Groups', { schemas: [GROUP_URN], displayName: 'A', externalId: 'g-1' });
    const { body } = await scim.query('/Groups', {
      filter: 'externalId eq "g-1" and meta.resourceType eq "Group"',
      attributes: 'externalId,meta.resourceType',
    });
    expect(body.Resources).toEqual([
      { schemas: [GROUP_URN], id: expect.any(String), externalId: 'g-1', meta: { resourceType: 'Group' } },
    ]);
  });

  it('[RFC7643-3.3-2] rejects a resource whose schemas lack the base schema', async () => {
    const scim = await app.connect();
    const body = { schemas: [ENTERPRISE_URN], userName: 'a' };
    expect(rejection(await scim.post('/Users', body))).toMatch(/^400 invalid(Syntax|Value)$/);
  });

  it('[RFC7643-3.3-5] keeps the attributes of an extension in an object under its URN', async () => {
    const scim = await app.connect();
    const { body } = await scim.post('/Users', enterpriseUser({ userName: 'a' }, { department: 'Sales' }));
    await scim.patch(pathOf(body), patchOp({ op: 'add', path: `${ENTERPRISE_URN}:costCenter`, value: '4130' }));
    const { body: after } = await scim.get(pathOf(body));
    expect([after[ENTERPRISE_URN], after.department]).toEqual([{ department: 'Sales', costCenter: '4130' }, undefined]);
  });
});

describe('RFC 7643 §3.1 common attributes', () => {
  it.each([
    ['/Users', user({ userName: 'a', externalId: 'x-1' })],
    ['/Groups', group({ displayName: 'A', externalId: 'x-1' })],
  ])(
    '[RFC7643-3.1-1][RFC7643-3.1-2] gives what is posted to %s id and meta, and keeps externalId',
    async (endpoint, body) => {
      const scim = await app.connect();
      const { body: created } = await scim.post(endpoint, body);
      expect(created).toMatchObject({
        id: expect.stringMatching(/./),
        externalId: 'x-1',
        meta: {
          resourceType: endpoint.slice(1, -1),
          created: expect.any(String),
          lastModified: expect.any(String),
          location: expect.any(String),
          version: expect.any(String),
        },
      });
    },
  );

  it('[RFC7643-3.1-4] returns the id even when it is excluded', async () => {
    const scim = await app.connect();
    const { body } = await scim.post('/Users', user({ userName: 'a' }));
    const { body: read } = await scim.get(`${pathOf(body)}?excludedAttributes=id`);
    expect(read.id).toBe(body.id);
  });

  it("[RFC7643-3.1-5] gives users, groups and other providers' objects with one externalId different ids", async () => {
    const [scim, other] = [await app.connect(), await app.connect()];
    const created = [
      await scim.post('/Users', user({ userName: 'a', externalId: '1' })),
      await scim.post('/Groups', group({ displayName: 'A', externalId: '1' })),
      await other.post('/Users', user({ userName: 'a', externalId: '1' })),
    ];
    expect(new Set(created.map(({ body }) => body.id)).size).toBe(3);
  });

  it('[RFC7643-3.1-6] keeps the id when userName and externalId change', async () => {
    const scim = await app.connect();
    const { body } = await scim.post('/Users', user({ userName: 'a', externalId: '1' }));
    const { body: replaced } = await scim.put(pathOf(body), user({ userName: 'b', externalId: '2' }));
    const { body: read } = await scim.get('/Users/2');
    expect([replaced.id, read.id]).toEqual([body.id, body.id]);
  });

  it('[RFC7643-3.1-6] refuses to give an id in use to another resource', async () => {
    const scim = await app.connect();
    const { body } = await scim.post('/Users', user({ userName: 'a', externalId: '1' }));
    await scim.patch(pathOf(body), patchOp({ op: 'replace', path: 'externalId', value: '2' }));
    const again = await scim.post('/Users', user({ userName: 'b', externalId: '1' }));
    expect(rejection(again)).toBe('409 uniqueness');
  });

  it('[RFC7643-3.1-7] ignores an id in the body of a create', async () => {
    const scim = await app.connect();
    const { body } = await scim.post('/Users', user({ userName: 'a', id: 'user:scim:acme:mine' }));
    expect([body.id, (await scim.get('/Users/mine')).status]).toEqual([expect.not.stringContaining('mine'), 404]);
  });

  it('[RFC7643-3.1-8] gives no id that contains the reserved word bulkId', async () => {
    const scim = await app.connect();
    const { body } = await scim.post('/Users', user({ userName: 'a', externalId: 'bulkId:1' }));
    expect(body.id ?? '').not.toContain('bulkId');
  });

  it('[RFC7643-3.1-9] returns no externalId when the client sent none', async () => {
    const scim = await app.connect();
    const { body } = await scim.post('/Users', user({ userName: 'a' }));
    const { body: read } = await scim.get(`${pathOf(body)}?attributes=externalId`);
    expect([body.externalId, read.externalId]).toEqual([undefined, undefined]);
  });

  it("[RFC7643-3.1-10] looks an externalId up among the provider's own resources", async () => {
    const [scim, other] = [await app.connect(), await app.connect()];
    await scim.post('/Users', user({ userName: 'mine', externalId: '1' }));
    await other.post('/Users', user({ userName: 'theirs', externalId: '1' }));
    const { body } = await other.query('/Users', { filter: 'externalId eq "1"' });
    expect(body.Resources.map(({ userName }: { userName: string }) => userName)).toEqual(['theirs']);
  });

  it('[RFC7643-3.1-11] ignores meta in the body of a create and of a PUT', async () => {
    const scim = await app.connect();
    const meta = { resourceType: 'Group', created: '2001-01-01T00:00:00Z', location: 'https://example.com/x' };
    const { body } = await scim.post('/Users', user({ userName: 'a', meta }));
    const { body: replaced } = await scim.put(pathOf(body), user({ userName: 'b', meta }));
    const { body: plain } = await scim.post('/Users', user({ userName: 'c' }));
    expect(body.meta.resourceType).toBe('User');
    expect(body.meta.created.slice(0, 10)).toBe(plain.meta.created.slice(0, 10));
    expect(replaced.meta).toMatchObject({
      ...body.meta,
      lastModified: expect.any(String),
      version: expect.any(String),
    });
  });

  it('[RFC7643-3.1-12] states when the resource was created', async () => {
    const scim = await app.connect();
    const before = Date.now();
    const { body } = await scim.post('/Users', user({ userName: 'a' }));
    const created = Date.parse(body.meta.created);
    expect([created >= before, created <= Date.now()]).toEqual([true, true]);
  });

  it('[RFC7643-3.1-13] states one time for creation and modification of a new resource', async () => {
    const scim = await app.connect();
    const { body: alice } = await scim.post('/Users', user({ userName: 'a' }));
    const { body: team } = await scim.post('/Groups', group({ displayName: 'A' }, [alice.id]));
    expect([alice.meta.lastModified, team.meta.lastModified]).toEqual([alice.meta.created, team.meta.created]);
  });

  it('[RFC7643-3.1-14] sends meta.location as Content-Location', async () => {
    const scim = await app.connect();
    const created = await scim.post('/Users', user({ userName: 'a' }));
    const read = await scim.get(pathOf(created.body));
    expect(read.headers['content-location']).toBe(created.body.meta.location);
  });

  it('[RFC7643-3.1-15] marks versions as weak', async () => {
    const scim = await app.connect();
    const { body, headers } = await scim.post('/Users', user({ userName: 'a' }));
    expect([body.meta.version, headers.etag]).toEqual([expect.stringMatching(/^W\/"[^"]+"$/), body.meta.version]);
  });
});
