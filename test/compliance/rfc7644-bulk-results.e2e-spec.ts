import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@palisade/domain';
import { ScimApp } from '../support/scim-app.js';
import { bulkRequest, patchOp, pathOf, user } from '../support/scim-bodies.js';
import { createUser } from './bulk-operations.js';
import { rejection } from './rejection.js';

let app: ScimApp;
beforeAll(async () => {
  app = await ScimApp.start();
});
afterAll(() => app.close());

describe('RFC 7644 §3.7.3 bulk results', () => {
  it('[RFC7644-3.7.3-1] returns one result per operation, in their order', async () => {
    const scim = await app.connect();
    const operations = [
      createUser('1', 'a'),
      createUser('2', 'a'),
      { method: 'DELETE', path: '/Users/none' },
      createUser('3', 'b'),
    ];
    const { body } = await scim.post('/Bulk', bulkRequest(operations));
    expect(body.Operations.map(({ method, bulkId, status }: JsonObject) => [method, bulkId, status])).toEqual([
      ['POST', '1', '201'],
      ['POST', '2', '409'],
      ['DELETE', undefined, '404'],
      ['POST', '3', '201'],
    ]);
  });

  it('[RFC7644-3.7-6][RFC7644-3.7.3-2] states the location of every resource, but for a POST that failed', async () => {
    const scim = await app.connect();
    const { body: a } = await scim.post('/Users', user({ userName: 'a' }));
    const operations = [
      { method: 'PUT', path: pathOf(a), data: user({ userName: 'a2' }) },
      { method: 'PATCH', path: pathOf(a), data: patchOp({ op: 'replace', path: 'id', value: 'x' }) },
      { method: 'DELETE', path: pathOf(a) },
      { method: 'DELETE', path: pathOf(a) },
      createUser('1', ''),
      createUser('2', 'b'),
    ];
    const { body } = await scim.post('/Bulk', bulkRequest(operations));
    const { body: b } = await scim.query('/Users', { filter: 'userName eq "b"' });
    const own = a.meta.location;
    expect(body.Operations.map(({ status, location }: JsonObject) => [status, location])).toEqual([
      ['200', own],
      ['400', own],
      ['204', own],
      ['404', own],
      ['400', undefined],
      ['201', b.Resources[0].meta.location],
    ]);
  });

  it('[RFC7644-3.7.3-3] states the status that the single request answers', async () => {
    const scim = await app.connect();
    await scim.post('/Users', user({ userName: 'a' }));
    const patch = patchOp({ op: 'remove' });
    const singles = [
      await scim.post('/Users', user({ userName: 'a' })),
      await scim.post('/Users', user({ userName: '' })),
      await scim.patch('/Users/none', patch),
      await scim.delete('/Users/none'),
      await scim.post('/Users', user({ userName: 'b' })),
    ];
    const operations = [
      createUser('1', 'a'),
      createUser('2', ''),
      { method: 'PATCH', path: '/Users/none', data: patch },
      { method: 'DELETE', path: '/Users/none' },
      createUser('3', 'c'),
    ];
    const { body } = await scim.post('/Bulk', bulkRequest(operations));
    expect(body.Operations.map(({ status }: JsonObject) => status)).toEqual(
      singles.map(({ status }) => String(status)),
    );
  });

  it('[RFC7644-3.7.3-4] explains the error of a failed operation', async () => {
    const scim = await app.connect();
    const { body } = await scim.post(
      '/Bulk',
      bulkRequest([{ method: 'DELETE', path: '/Users/none' }, createUser('1', '')]),
    );
    const details = body.Operations.map((result: { response: JsonObject }) => result.response.detail);
    expect(details).toEqual([expect.stringContaining('none'), expect.stringContaining('userName')]);
  });

  it('[RFC7644-3.7] changes a resource only at the version named', async () => {
    const scim = await app.connect();
    const { body: a } = await scim.post('/Users', user({ userName: 'a' }));
    const rename = (userName: string) => ({
      method: 'PUT',
      path: pathOf(a),
      version: a.meta.version,
      data: user({ userName }),
    });
    const { body } = await scim.post('/Bulk', bulkRequest([rename('b'), rename('c')]));
    expect(body.Operations.map(({ status }: JsonObject) => status)).toEqual(['200', '412']);
  });
});

describe('RFC 7644 §3.7.4 maximum operations', () => {
  it('[RFC7644-3.7.4-1] defines both limits in the configuration', async () => {
    const scim = await app.connect();
    const { body } = await scim.get('/ServiceProviderConfig');
    expect(body.bulk).toEqual({ supported: true, maxOperations: 1000, maxPayloadSize: 8_388_608 });
  });

  it('[RFC7644-3.7.4-2][RFC7644-3.7.4-3] answers 413 to more operations than that, names the limit and performs none', async () => {
    const scim = await app.connect();
    const operations = Array.from({ length: 1001 }, (_, index) => createUser(`${index}`, `u${index}`));
    const answer = await scim.post('/Bulk', bulkRequest(operations));
    const { body } = await scim.get('/Users');
    expect([rejection(answer), answer.body.detail, body.totalResults]).toEqual([
      '413',
      expect.stringContaining('1000'),
      0,
    ]);
  });

  it('[RFC7644-3.7.4-2][RFC7644-3.7.4-3] answers 413 to a larger payload than that and names the limit', async () => {
    const scim = await app.connect();
    const answer = await scim.post('/Bulk', bulkRequest([], { padding: 'x'.repeat(8_388_608) }));
    expect([rejection(answer), answer.body.detail]).toEqual(['413', expect.stringContaining('8388608')]);
  });
});
