import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request, { type Response } from 'supertest';
import { ScimApp } from '../../../test/support/scim-app.js';
import { ERROR_URN, USER_URN, group, patchOp, pathOf, user } from '../../../test/support/scim-bodies.js';
import { SCIM_TYPE, type ScimClient } from '../../../test/support/scim-client.js';

let app: ScimApp;
let client: ScimClient;

beforeAll(async () => {
  app = await ScimApp.start();
  client = await app.connect();
});

afterAll(() => app.close());

function send(method: 'post' | 'put' | 'patch', path: string, body: string | Buffer, headers: object = {}) {
  const test = request(client.origin)[method](`/scim/v2${path}`);
  return test
    .set({ Authorization: `Bearer ${client.token}`, 'Content-Type': SCIM_TYPE, ...headers })
    .serialize((raw: unknown) => raw as string)
    .send(body);
}

/** A valid Error resource with this status, which shows nothing of the inside. */
function expectRejection(response: Response, status: number, scimType?: string): void {
  expect([response.status, response.body.scimType]).toEqual([status, scimType]);
  expect(response.headers['content-type']).toBe(SCIM_TYPE);
  expect(response.body).toMatchObject({ schemas: [ERROR_URN], status: String(status) });
  expect(response.body.detail).toEqual(expect.any(String));
  expect(response.text).not.toMatch(/\bat \S+ \(|\.ts:\d|\.js:\d|node_modules/);
}

async function countUsers(): Promise<number> {
  const { body } = await client.query('/Users', { count: 0 });
  return body.totalResults;
}

const NESTED = 100_000;

describe('a body that is no resource', () => {
  it.each([
    ['broken JSON', '{"userName":', 'invalidSyntax'],
    ['an empty body', '', 'invalidSyntax'],
    ['null', 'null', 'invalidSyntax'],
    ['a list', '[]', 'invalidSyntax'],
    ['a text', '"user"', 'invalidSyntax'],
    ['a number', '1', 'invalidSyntax'],
    ['100,000 nested lists', '['.repeat(NESTED) + ']'.repeat(NESTED), 'invalidSyntax'],
    ['100,000 open brackets', '['.repeat(NESTED), 'invalidSyntax'],
    ['100,000 nested objects', '{"a":'.repeat(NESTED) + '1' + '}'.repeat(NESTED), 'invalidSyntax'],
  ])('is rejected when it is %s', async (_name, body, scimType) => {
    expectRejection(await send('post', '/Users', body), 400, scimType);
    expect(await countUsers()).toBe(0);
  });

  it('is rejected when it is not UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from('{"userName":"a'), Buffer.from([0xff]), Buffer.from('"}')]);
    expectRejection(await send('post', '/Users', bytes), 400, 'invalidSyntax');
  });

  it('is rejected beyond 1 MiB', async () => {
    expectRejection(await send('post', '/Users', JSON.stringify(user({ userName: 'a', title: 'x'.repeat(2e6) }))), 413);
  });

  it('is rejected when it inflates beyond 1 MiB', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, ' '));
    expect(bomb.length).toBeLessThan(250_000);
    expectRejection(await send('post', '/Users', bomb, { 'Content-Encoding': 'gzip' }), 413);
  });

  it('is rejected when it claims to be compressed and is not', async () => {
    expectRejection(await send('post', '/Users', '{}', { 'Content-Encoding': 'gzip' }), 400, 'invalidSyntax');
  });

  it.each(['text/plain', 'application/xml', 'multipart/form-data', 'application/x-www-form-urlencoded'])(
    'is rejected as %s',
    async (type) => {
      expectRejection(await send('post', '/Users', 'userName=a', { 'Content-Type': type }), 415);
    },
  );

  it('is rejected in an unknown content encoding', async () => {
    expectRejection(await send('post', '/Users', '{}', { 'Content-Encoding': 'zstd-9' }), 415);
  });
});

describe('a resource with wrong values', () => {
  const base = { schemas: [USER_URN], userName: 'bad@example.com' };
  it.each([
    ['no schemas', { userName: 'bad@example.com' }, 'invalidValue'],
    ['no userName', { schemas: [USER_URN] }, 'invalidValue'],
    ['an unknown attribute', { ...base, shoeSize: 43 }, 'invalidSyntax'],
    ['an unknown sub-attribute', { ...base, name: { middle: 'x' } }, 'invalidSyntax'],
    ['a number for a text', { ...base, displayName: 7 }, 'invalidValue'],
    ['a text for an object', { ...base, name: 'Ada' }, 'invalidValue'],
    ['a text for a boolean', { ...base, active: 'maybe' }, 'invalidValue'],
    ['a list for a single value', { ...base, displayName: ['a'] }, 'invalidValue'],
    [
      'two primary elements',
      {
        ...base,
        emails: [
          { value: 'a', primary: true },
          { value: 'b', primary: true },
        ],
      },
      'invalidValue',
    ],
    ['NUL in a text', { ...base, displayName: 'a\u0000b' }, 'invalidValue'],
    ['NUL in userName', { ...base, userName: 'a\u0000b' }, 'invalidValue'],
    ['a lone surrogate', { ...base, displayName: '\ud800' }, 'invalidValue'],
    ['a lone surrogate in externalId', { ...base, externalId: 'a\udc00' }, 'invalidValue'],
    ['a control character in externalId', { ...base, externalId: 'a\nb' }, 'invalidValue'],
    ['an externalId of 900 kB', { ...base, externalId: 'x'.repeat(900_000) }, 'invalidValue'],
    ['a userName of 900 kB', { ...base, userName: 'x'.repeat(900_000) }, 'invalidValue'],
    ['40,000 e-mail addresses', { ...base, emails: Array.from({ length: 40_000 }, () => ({})) }, 'invalidValue'],
    ['the core schema as an attribute', { ...base, 'urn:ietf:params:scim:schemas:core:2.0:User': {} }, 'invalidSyntax'],
    ['an unknown schema', { ...base, schemas: [USER_URN, 'urn:example:unknown'] }, 'invalidValue'],
  ])('is rejected for %s', async (_name, body, scimType) => {
    expectRejection(await client.post('/Users', body), 400, scimType);
    expect(await countUsers()).toBe(0);
  });

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    'is rejected for an attribute named %s and pollutes nothing',
    async (name) => {
      const body = `{"schemas":["${USER_URN}"],"userName":"bad@example.com","${name}":{"polluted":true}}`;
      expectRejection(await send('post', '/Users', body), 400, 'invalidSyntax');
      const nested = `{"schemas":["${USER_URN}"],"userName":"bad@example.com","name":{"${name}":{"polluted":true}}}`;
      expectRejection(await send('post', '/Users', nested), 400, 'invalidSyntax');
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    },
  );
});

describe('a query with wrong parameters', () => {
  it.each([
    ['a filter cut short', { filter: 'userName eq' }, 400, 'invalidFilter'],
    ['text behind a filter', { filter: 'userName eq "a" userName' }, 400, 'invalidFilter'],
    ['an unknown attribute', { filter: 'shoeSize eq 43' }, 400, 'invalidFilter'],
    ['an unknown operator', { filter: 'userName like "a"' }, 400, 'invalidFilter'],
    ['100,000 parentheses', { filter: '('.repeat(7000) }, 400, 'invalidFilter'],
    ['a filter beyond 8 KiB', { filter: `userName eq "${'x'.repeat(9000)}"` }, 400, 'invalidFilter'],
    ['NUL in a filter value', { filter: 'userName eq "a\\u0000b"' }, 400, 'invalidFilter'],
    ['a filter on password', { filter: 'password eq "secret"' }, 403, 'sensitive'],
    ['password pr', { filter: 'password pr' }, 403, 'sensitive'],
    ['sorting by password', { sortBy: 'password' }, 403, 'sensitive'],
    ['a path to a prototype', { filter: '__proto__.polluted eq true' }, 400, 'invalidFilter'],
    ['sorting by nothing known', { sortBy: 'shoeSize' }, 400, 'invalidValue'],
    ['a sort order of its own', { sortOrder: 'sideways' }, 400, 'invalidValue'],
    ['a count that is no number', { count: 'many' }, 400, 'invalidCount'],
    ['a count beyond all integers', { count: '99999999999999999999' }, 400, 'invalidCount'],
    ['a startIndex that is no number', { startIndex: 'first' }, 400, 'invalidValue'],
    ['a made-up cursor', { cursor: 'made-up' }, 400, 'invalidCursor'],
    ['both projections', { attributes: 'userName', excludedAttributes: 'emails' }, 400, 'invalidValue'],
  ])('is rejected for %s', async (_name, parameters, status, scimType) => {
    expectRejection(await client.query('/Users', parameters), status, scimType);
  });

  it('is rejected for 100,000 parentheses in a .search', async () => {
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'];
    expectRejection(await client.post('/Users/.search', { schemas, filter: '('.repeat(NESTED) }), 400, 'invalidFilter');
  });

  it('is rejected for a filter that is given twice', async () => {
    expectRejection(await client.get('/Users?filter=active%20pr&filter=userName%20pr'), 400, 'invalidFilter');
  });

  it('is rejected for broken percent-encoding in a path', async () => {
    expectRejection(await client.get('/Users/%E0%A4%A'), 400, 'invalidSyntax');
  });
});

describe('a patch with wrong operations', () => {
  it.each([
    ['no operations', patchOp(), 'invalidValue'],
    ['an unknown op', patchOp({ op: 'move', path: 'title', value: 'x' }), 'invalidSyntax'],
    ['an unknown path', patchOp({ op: 'replace', path: 'shoeSize', value: 43 }), 'invalidPath'],
    ['a path to a prototype', patchOp({ op: 'replace', path: '__proto__.polluted', value: true }), 'invalidPath'],
    [
      'a path to a constructor',
      patchOp({ op: 'add', path: 'constructor.prototype.polluted', value: true }),
      'invalidPath',
    ],
    ['a malformed path', patchOp({ op: 'replace', path: 'emails[type eq', value: 'x' }), 'invalidFilter'],
    ['a read-only path', patchOp({ op: 'replace', path: 'id', value: 'x' }), 'mutability'],
    ['a remove without path', patchOp({ op: 'remove' }), 'noTarget'],
    ['removing userName', patchOp({ op: 'remove', path: 'userName' }), undefined],
    [
      'a value filter that matches nothing',
      patchOp({ op: 'replace', path: 'emails[type eq "fax"].value', value: 'x' }),
      'noTarget',
    ],
    ['a wrong type', patchOp({ op: 'replace', path: 'active', value: 'perhaps' }), 'invalidValue'],
  ])('is rejected for %s and changes nothing', async (name, patch, scimType) => {
    const { body: created } = await client.post('/Users', user({ userName: `patch ${name}`, title: 'before' }));
    const good = { op: 'replace', path: 'title', value: 'after' };
    const mixed = { ...patch, Operations: [...(patch.Operations as []), ...(name === 'no operations' ? [] : [good])] };
    const response = await client.patch(pathOf(created), mixed);
    expectRejection(response, 400, scimType ?? response.body.scimType);
    const { body: after } = await client.get(pathOf(created));
    expect(after).toEqual(created);
    await client.delete(pathOf(created));
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it.each([
    ['an unknown user', 'user:scim:PROVIDER:nobody'],
    ["another provider's user", 'user:scim:other:u1'],
    ['what is no identifier', 'nobody'],
    ['a lone surrogate', 'user:scim:PROVIDER:\ud800'],
    ['NUL', 'user:scim:PROVIDER:a\u0000b'],
  ])('is rejected for the member %s and keeps the others', async (_name, member) => {
    const { body: kept } = await client.post('/Users', user({ userName: 'kept@example.com', externalId: 'kept' }));
    const { body: created } = await client.post('/Groups', group({ displayName: 'G' }, [kept.id]));
    const value = [{ value: member.replace('PROVIDER', client.provider) }];
    const patch = patchOp({ op: 'remove', path: 'members' }, { op: 'add', path: 'members', value });
    expectRejection(await client.patch(pathOf(created), patch), 400, 'invalidValue');
    const { body: after } = await client.get(pathOf(created));
    expect(after).toEqual(created);
    await client.delete(pathOf(created));
    await client.delete(pathOf(kept));
  });
});

describe('a request that no route answers', () => {
  it.each(['/Nothing', '/Users/1/2', '/Schemas/urn:nothing', '/ResourceTypes/Nothing'])(
    'gets 404 and an Error resource for %s',
    async (path) => {
      expectRejection(await client.get(path), 404);
    },
  );

  it.each([
    ['put', '/Users', 'GET, HEAD, POST'],
    ['post', '/Users/1', 'GET, HEAD, PUT, PATCH, DELETE'],
    ['get', '/Users/.search', 'POST'],
    ['put', '/Users/.search', 'POST'],
    ['patch', '/Groups/.search', 'POST'],
    ['delete', '/Groups/.search', 'POST'],
    ['get', '/.search', 'POST'],
    ['post', '/Schemas', 'GET, HEAD'],
    ['put', '/Bulk', 'POST'],
    ['patch', '/ServiceProviderConfig', 'GET, HEAD'],
  ] as const)('gets 405 and Allow for %s %s', async (method, path, allow) => {
    const response = await client[method](path, {});
    expectRejection(response, 405);
    expect(response.headers.allow).toBe(allow);
  });

  it.each(['/METRICS', '/Health/live', '/Docs', '/SCIM/v2/Users', '/scim/v2/users', '/API/v1/providers'])(
    'gets 404 for %s, which differs from a route in case',
    async (path) => {
      const { status } = await request(app.origin).get(path).set('Authorization', `Bearer ${client.token}`);
      expect(status).toBe(404);
    },
  );

  it.each(['get', 'put', 'patch', 'post', 'delete'] as const)(
    'gets 501 for %s /Me with the credential of a provider',
    async (method) => {
      expectRejection(await client[method]('/Me', {}), 501);
    },
  );
});

describe('an oversized header', () => {
  it('serves a filter of 8 KiB that is percent-encoded', async () => {
    const filter = `userName eq "${'é'.repeat(4000)}"`;
    const response = await client.query('/Users', { filter });
    expect([response.status, response.body.totalResults]).toEqual([200, 0]);
  });

  it.each(['/scim/v2/Users', '/api/v1/providers'])('gets 431 and an Error resource for %s', async (path) => {
    const response = await request(app.origin)
      .get(path)
      .query({ filter: 'x'.repeat(60_000) });
    expectRejection({ ...response, body: JSON.parse(response.text) } as Response, 431);
    expect(response.headers.connection).toBe('close');
  });
});

describe('bytes that are no HTTP', () => {
  it('get 400 and an Error resource', async () => {
    const socket = connect(Number(new URL(app.origin).port), '127.0.0.1');
    socket.write('NOTHING\r\n\r\n');
    const answer = Buffer.concat(await socket.toArray()).toString();
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nContent-Type: application\/scim\+json\r\n/);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ schemas: [ERROR_URN], status: '400' });
  });
});
