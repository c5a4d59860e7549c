import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScimApp } from '../support/scim-app.js';
import { USER_URN, group, patchOp, pathOf, user } from '../support/scim-bodies.js';
import { rejection } from './rejection.js';

let app: ScimApp;
beforeAll(async () => {
  app = await ScimApp.start();
});
afterAll(() => app.close());

describe('RFC 7644 §3.1 messages', () => {
  it('[RFC7644-3.1-1] names messages by URIs of the api namespace', async () => {
    const scim = await app.connect();
    const answers = [
      await scim.get('/Users'),
      await scim.get('/Users/none'),
      await scim.post('/Bulk', { schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'], Operations: [] }),
    ];
    expect(answers.map(({ body }) => body.schemas)).toEqual([
      ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      ['urn:ietf:params:scim:api:messages:2.0:Error'],
      ['urn:ietf:params:scim:api:messages:2.0:BulkResponse'],
    ]);
  });

  it('[RFC7644-3.1-2] does not list or return schemas of messages', async () => {
    const scim = await app.connect();
    const { body } = await scim.get('/Schemas');
    const listed = body.Resources.filter(({ id }: { id: string }) => id.startsWith('urn:ietf:params:scim:api:'));
    const single = await scim.get('/Schemas/urn:ietf:params:scim:api:messages:2.0:ListResponse');
    expect([body.Resources.length > 0, listed, rejection(single)]).toEqual([true, [], '404']);
  });

  it('[RFC7644-3.1-3] shows in its answer what it will return later', async () => {
    const scim = await app.connect();
    const sent = user({ userName: 'a', active: 'True', nickName: null, groups: [{ value: 'x' }] });
    const { status, body } = await scim.post('/Users', sent);
    const { body: read } = await scim.get('/Users');
    expect([status, body.active, read.Resources]).toEqual([201, true, [body]]);
  });
});

describe('RFC 7644 §3.2 methods', () => {
  it('[RFC7644-3.2-2][RFC7644-3.5.1-1] creates nothing by PUT', async () => {
    const scim = await app.connect();
    const answers = [
      await scim.put('/Users/new', user({ userName: 'a', externalId: 'new' })),
      await scim.put('/Groups/new', group({ displayName: 'A', externalId: 'new' })),
    ];
    const { body: users } = await scim.get('/Users');
    const { body: groups } = await scim.get('/Groups');
    expect([answers.map(rejection), users.totalResults, groups.totalResults]).toEqual([['404', '404'], 0, 0]);
  });

  it('[RFC7644-3.2-3][RFC7644-3.2-4] states the status of an error in the answer and in its body', async () => {
    const scim = await app.connect();
    const answers = [
      await scim.get('/Users/none'),
      await scim.post('/Users', {}),
      await scim.withToken('wrong').get('/Users'),
    ];
    expect(answers.map(({ status, body }) => [status, body.status])).toEqual([
      [404, '404'],
      [400, '400'],
      [401, '401'],
    ]);
  });
});

describe('RFC 7644 §3.3 creating resources', () => {
  it('[RFC7644-3.3-1][RFC7644-3.3-2] ignores read-only and stores writable attributes', async () => {
    const scim = await app.connect();
    const { body } = await scim.post(
      '/Users',
      user({ id: 'mine', meta: { resourceType: 'Group' }, groups: [{ value: 'g' }], userName: 'a', title: 'Boss' }),
    );
    const { body: read } = await scim.get(pathOf(body));
    expect(read).toMatchObject({
      id: expect.not.stringMatching('mine'),
      title: 'Boss',
      meta: { resourceType: 'User' },
    });
    expect(read.groups ?? []).toEqual([]);
  });

  it('[RFC7644-3.3-3][RFC7644-3.3-4] answers 201 with the new resource', async () => {
    const scim = await app.connect();
    const { status, body } = await scim.post('/Users', user({ userName: 'a', name: { familyName: 'Jensen' } }));
    expect([status, body.schemas, body.userName, body.name]).toEqual([201, [USER_URN], 'a', { familyName: 'Jensen' }]);
  });

  it.each([
    ['/Users', user({ userName: 'a' })],
    ['/Groups', group({ displayName: 'A' })],
  ])('[RFC7644-3.3-5] states the URI of what is posted to %s as Location and meta.location', async (endpoint, sent) => {
    const scim = await app.connect();
    const { headers, body } = await scim.post(endpoint, sent);
    const { body: read } = await scim.follow(headers.location ?? '');
    expect([headers.location, read]).toEqual([body.meta.location, body]);
  });

  it('[RFC7644-3.3-6] answers 409 uniqueness to a conflicting create', async () => {
    const scim = await app.connect();
    await scim.post('/Users', user({ userName: 'a', externalId: '1' }));
    const { status, body } = await scim.post('/Users', user({ userName: 'a', externalId: '2' }));
    expect([status, body.scimType, body.detail]).toEqual([409, 'uniqueness', expect.stringContaining('userName')]);
  });

  it('[RFC7644-3.3-6] answers 409 uniqueness to a repeated create when the provider is configured so', async () => {
    const scim = await app.connect({ repeatCreate: 'conflict' });
    await scim.post('/Users', user({ userName: 'a', externalId: '1' }));
    expect(rejection(await scim.post('/Users', user({ userName: 'a', externalId: '1' })))).toBe('409 uniqueness');
  });

  it('[RFC7644-3.3] answers a repeated create with the first result', async () => {
    const scim = await app.connect();
    const first = await scim.post('/Users', user({ userName: 'a', externalId: '1' }));
    const second = await scim.post('/Users', user({ userName: 'a', externalId: '1', title: 'Boss' }));
    expect([second.status, second.body, second.headers.etag]).toEqual([201, first.body, first.headers.etag]);
  });

  it('[RFC7644-3.3.1-1] derives meta.resourceType from the endpoint', async () => {
    const scim = await app.connect();
    const meta = { resourceType: 'Device' };
    const { body: alice } = await scim.post('/Users', user({ userName: 'a', meta }));
    const { body: team } = await scim.post('/Groups', group({ displayName: 'A', meta }));
    expect([alice.meta.resourceType, team.meta.resourceType]).toEqual(['User', 'Group']);
  });
});

describe('RFC 7644 §3.4.1 retrieving a known resource', () => {
  it('[RFC7644-3.4.1] answers 200 with the resource, by its id and by its external id', async () => {
    const scim = await app.connect();
    const { body } = await scim.post('/Users', user({ userName: 'a', externalId: 'e-1' }));
    const byId = await scim.get(pathOf(body));
    const byExternalId = await scim.get('/Users/e-1');
    expect([byId.status, byId.body, byExternalId.body]).toEqual([200, body, body]);
  });

  it('[RFC7644-3.4.1] answers 404 for a resource of another type or provider', async () => {
    const [scim, other] = [await app.connect(), await app.connect()];
    const { body } = await scim.post('/Users', user({ userName: 'a', externalId: 'e-1' }));
    const answers = [await scim.get('/Groups/e-1'), await other.get('/Users/e-1'), await other.get(pathOf(body))];
    expect(answers.map(rejection)).toEqual(['404', '404', '404']);
  });
});

describe('RFC 7644 §3.6 deleting resources', () => {
  it('[RFC7644-3.6-5] answers 204 without a body', async () => {
    const scim = await app.connect();
    const { body } = await scim.post('/Users', user({ userName: 'a' }));
    const { status, text } = await scim.delete(pathOf(body));
    expect([status, text]).toEqual([204, '']);
  });

  it.each([
    ['/Users', user({ userName: 'a' }), patchOp({ op: 'add', path: 'title', value: 'Boss' })],
    ['/Groups', group({ displayName: 'A' }), patchOp({ op: 'replace', path: 'displayName', value: 'B' })],
  ])('[RFC7644-3.6-1] answers 404 to whatever is done to what was deleted from %s', async (endpoint, sent, patch) => {
    const scim = await app.connect();
    const { body } = await scim.post(endpoint, sent);
    await scim.delete(pathOf(body));
    const answers = [
      await scim.get(pathOf(body)),
      await scim.put(pathOf(body), sent),
      await scim.patch(pathOf(body), patch),
      await scim.delete(pathOf(body)),
    ];
    expect(answers.map(rejection)).toEqual(['404', '404', '404', '404']);
  });

  it('[RFC7644-3.6-2] lists a deleted resource nowhere, as a member neither', async () => {
    const scim = await app.connect();
    const { body: alice } = await scim.post('/Users', user({ userName: 'a' }));
    const { body: team } = await scim.post('/Groups', group({ displayName: 'A' }, [alice.id]));
    await scim.delete(pathOf(alice));
    const { body: list } = await scim.get('/Users');
    const { body: found } = await scim.query('/Users', { filter: 'userName eq "a"' });
    const { body: left } = await scim.get(pathOf(team));
    expect([list.totalResults, found.totalResults, left.members ?? []]).toEqual([0, 0, []]);
  });

  it('[RFC7644-3.6-3][RFC7644-3.6-4] lets userName and externalId of a deleted user be used again', async () => {
    const scim = await app.connect();
    const { body } = await scim.post('/Users', user({ userName: 'a', externalId: '1', title: 'Boss' }));
    await scim.delete(pathOf(body));
    const again = await scim.post('/Users', user({ userName: 'a', externalId: '1' }));
    expect([again.status, again.body.title]).toEqual([201, undefined]);
  });
});
