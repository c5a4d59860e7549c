import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { ScimApp } from '../support/scim-app.js';
import { SCIM_TYPE, type ScimClient } from '../support/scim-client.js';
import { patchOp, pathOf, user } from '../support/scim-bodies.js';
import { rejection } from './rejection.js';

let app: ScimApp;
let scim: ScimClient;
beforeAll(async () => {
  app = await ScimApp.start();
  scim = await app.connect();
});
afterAll(() => app.close());

function postBytes(contentType: string, bytes: Buffer) {
  return request(app.origin)
    .post('/scim/v2/Users')
    .set('Authorization', `Bearer ${scim.token}`)
    .set('Content-Type', contentType)
    .serialize((body) => body)
    .send(bytes as unknown as object);
}

describe('RFC 7644 §1 URLs', () => {
  it('[RFC7644-1.2-1] percent-encodes identifiers in the URIs it gives', async () => {
    const { body } = await scim.post('/Users', user({ userName: 'encoded', externalId: 'a b/ü?#%' }));
    const { pathname } = new URL(body.meta.location);
    expect(body.meta.location).toMatch(/^http:\/\/[\w.:]+\/scim\/v2\/Users\/[A-Za-z0-9\-._~!$&'()*+,;=:@%]+$/);
    expect(decodeURIComponent(pathname.slice('/scim/v2/Users/'.length))).toBe(body.id);
  });

  it('[RFC7644-1.3-1] gives URIs without a query string, whatever the query of the request', async () => {
    const { body, headers } = await scim.post('/Users?excludedAttributes=name', user({ userName: 'no query' }));
    expect([body.meta.location, headers.location].map((uri) => new URL(String(uri)).search)).toEqual(['', '']);
  });
});

describe('RFC 7644 §3.8 data formats', () => {
  it.each([[SCIM_TYPE], ['application/json']])(
    '[RFC7644-3.8-1][RFC7644-3.8-2] reads %s as UTF-8 and returns it unharmed',
    async (type) => {
      const userName = `Zoë 李 😀 ${type}`;
      const { status, body } = await postBytes(type, Buffer.from(JSON.stringify(user({ userName })), 'utf8'));
      const { body: found } = await scim.query('/Users', { filter: `userName eq ${JSON.stringify(userName)}` });
      expect([status, body.userName, found.totalResults]).toEqual([201, userName, 1]);
    },
  );

  it('[RFC7644-3.8-1] rejects bytes that are not UTF-8', async () => {
    const bytes = Buffer.from(JSON.stringify(user({ userName: 'caf\u00e9' })), 'latin1');
    expect(rejection(await postBytes(SCIM_TYPE, bytes))).toBe('400 invalidSyntax');
  });

  it.each([['{'], ['{"schemas":'], ["{'userName':'a'}"], ['[1,]']])(
    '[RFC7644-3.8-1] rejects the body %s, which is not JSON',
    async (text) => {
      expect(rejection(await postBytes(SCIM_TYPE, Buffer.from(text)))).toBe('400 invalidSyntax');
    },
  );

  it('[RFC7644-3.8] rejects a body of another media type', async () => {
    expect(rejection(await postBytes('application/xml', Buffer.from('<a/>')))).toBe('415');
  });

  it.each([[SCIM_TYPE], ['application/json'], ['*/*'], ['application/scim+json, application/json;q=0.5']])(
    '[RFC7644-3.8-3][RFC7644-3.8-4] answers a request that accepts %s',
    async (accept) => {
      const { status, headers } = await scim.get('/Users').set('Accept', accept);
      expect([status, headers['content-type']]).toEqual([200, SCIM_TYPE]);
    },
  );

  it('[RFC7644-8.1-1] sends resources, lists and errors as application/scim+json, without parameters', async () => {
    const created = await scim.post('/Users', user({ userName: 'media type' }));
    const answers = [
      created,
      await scim.get('/Users'),
      await scim.get('/Users/none'),
      await scim.get('/nowhere'),
      await scim.withToken('wrong').get('/Users'),
      await scim.get('/Schemas'),
    ];
    expect(new Set(answers.map(({ headers }) => headers['content-type']))).toEqual(new Set([SCIM_TYPE]));
  });
});

describe('RFC 7644 §3.13 and §3.14 versions', () => {
  it('[RFC7644-3.13-1] has the version right before the resource endpoint, in every URI it gives', async () => {
    const { body } = await scim.post('/Users', user({ userName: 'versioned' }));
    const { body: types } = await scim.get('/ResourceTypes');
    const uris = [
      body.meta.location,
      ...types.Resources.map((type: { meta: { location: string } }) => type.meta.location),
    ];
    expect(uris.map((uri) => new URL(uri).pathname.split('/').slice(1, 4))).toEqual([
      ['scim', 'v2', 'Users'],
      ['scim', 'v2', 'ResourceTypes'],
      ['scim', 'v2', 'ResourceTypes'],
    ]);
  });

  it.each([['v1'], ['v3'], ['v99']])('[RFC7644-3.13-2] rejects a request for version %s', async (version) => {
    const answer = await request(app.origin).get(`/scim/${version}/Users`).set('Authorization', `Bearer ${scim.token}`);
    expect([answer.status >= 400, answer.status < 500, 'Resources' in answer.body]).toEqual([true, true, false]);
  });

  it('[RFC7644-3.14-1][RFC7644-3.14-2] sends one entity tag as header and as meta.version, and a new one after a change', async () => {
    const created = await scim.post('/Users', user({ userName: 'tagged' }));
    const read = await scim.get(pathOf(created.body));
    const patched = await scim.patch(pathOf(created.body), patchOp({ op: 'add', path: 'title', value: 'VP' }));
    expect([created, read, patched].map(({ headers, body }) => headers.etag === body.meta.version)).toEqual([
      true,
      true,
      true,
    ]);
    expect([read.headers.etag, patched.headers.etag]).toEqual([
      created.headers.etag,
      expect.not.stringMatching(created.headers.etag ?? ''),
    ]);
  });

  it('[RFC7644-3.14] answers 304 without a body to If-None-Match of the current version', async () => {
    const { body } = await scim.post('/Users', user({ userName: 'unmodified' }));
    const same = await scim.get(pathOf(body)).set('If-None-Match', body.meta.version);
    const other = await scim.get(pathOf(body)).set('If-None-Match', 'W/"other"');
    expect([same.status, same.text, other.status]).toEqual([304, '', 200]);
  });

  it.each([['put'], ['patch'], ['delete']] as const)(
    '[RFC7644-3.14] answers 412 to a %s with If-Match of an old version',
    async (method) => {
      const { body } = await scim.post('/Users', user({ userName: `old ${method}` }));
      await scim.patch(pathOf(body), patchOp({ op: 'add', path: 'title', value: 'VP' }));
      const change = {
        put: () => scim.put(pathOf(body), user({ userName: 'x' })),
        patch: () => scim.patch(pathOf(body), patchOp({ op: 'add', path: 'title', value: 'x' })),
        delete: () => scim.delete(pathOf(body)),
      };
      const answer = await change[method]().set('If-Match', body.meta.version);
      const { body: after } = await scim.get(pathOf(body));
      expect([rejection(answer), after.title]).toEqual(['412', 'VP']);
    },
  );

  // RFC 9110 §13.1.2.
  it.each([['put'], ['patch'], ['delete']] as const)(
    'answers 412 to a %s with If-None-Match of the current version',
    async (method) => {
      const { body } = await scim.post('/Users', user({ userName: `none ${method}` }));
      const change = {
        put: () => scim.put(pathOf(body), user({ userName: 'x' })),
        patch: () => scim.patch(pathOf(body), patchOp({ op: 'add', path: 'title', value: 'x' })),
        delete: () => scim.delete(pathOf(body)),
      };
      const current = await change[method]().set('If-None-Match', body.meta.version);
      const any = await change[method]().set('If-None-Match', '*');
      const { body: after } = await scim.get(pathOf(body));
      expect([rejection(current), rejection(any), after.userName, after.title]).toEqual([
        '412',
        '412',
        `none ${method}`,
        undefined,
      ]);
    },
  );

  // RFC 9110 §13.1.1.
  it('answers 412 to a GET with If-Match of another version', async () => {
    const { body } = await scim.post('/Users', user({ userName: 'matched' }));
    const other = await scim.get(pathOf(body)).set('If-Match', 'W/"99"');
    const current = await scim.get(pathOf(body)).set('If-Match', body.meta.version);
    expect([rejection(other), current.status]).toEqual(['412', 200]);
  });

  it('[RFC7644-3.14] changes the resource with If-Match of the current version', async () => {
    const { body } = await scim.post('/Users', user({ userName: 'current' }));
    const { status } = await scim.put(pathOf(body), user({ userName: 'current 2' })).set('If-Match', body.meta.version);
    expect(status).toBe(200);
  });
});
