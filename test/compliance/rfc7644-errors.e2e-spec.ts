import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MemoryStore } from '@palisade/storage';
import { ScimApp } from '../support/scim-app.js';
import type { ScimClient } from '../support/scim-client.js';
import { ERROR_URN, group, patchOp, user } from '../support/scim-bodies.js';
import { rejection } from './rejection.js';

let app: ScimApp;
let scim: ScimClient;
beforeAll(async () => {
  app = await ScimApp.start();
  scim = await app.connect();
});
afterAll(() => app.close());

describe('RFC 7644 §3.12 errors', () => {
  it('[RFC7644-3.12-1][RFC7644-3.12-2] describes an error by schema, status as a string, type and detail', async () => {
    const { body } = await scim.query('/Users', { filter: 'userName like "a"' });
    expect(body).toEqual({
      schemas: [ERROR_URN],
      status: '400',
      scimType: 'invalidFilter',
      detail: expect.stringContaining('like'),
    });
  });

  it('[RFC7644-3.12-1][RFC7644-3.12-3] answers 404 with an Error resource for a resource or endpoint that does not exist', async () => {
    const answers = [await scim.get('/Users/none'), await scim.get('/Devices'), await scim.get('/Users/a/b')];
    expect(answers.map(rejection)).toEqual(['404', '404', '404']);
  });

  it('[RFC7644-3.12-3] answers 400 to what is unparsable, malformed or against the schema', async () => {
    const answers = [
      await scim.post('/Users', { schemas: 7 }),
      await scim.post('/Users', user({ userName: 'a', emails: [{ value: 1 }] })),
      await scim.post('/Groups', group({ displayName: 'A' }, ['not an identifier'])),
      await scim.patch('/Users/none', { schemas: [] }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
  });

  it('[RFC7644-3.12-3] answers 401 with an Error resource without valid credentials', async () => {
    expect(rejection(await scim.withToken('unknown').get('/Users'))).toBe('401');
  });

  it('[RFC7644-3.12-3] answers 409 to a duplicate, 412 to an outdated version, 413 to a large body', async () => {
    await scim.post('/Users', user({ userName: 'taken', externalId: 'taken' }));
    const answers = [
      await scim.post('/Users', user({ userName: 'taken' })),
      await scim.put('/Users/taken', user({ userName: 'taken' })).set('If-Match', 'W/"other"'),
      await scim.post('/Users', user({ userName: 'x', title: 'x'.repeat(1_048_576) })),
    ];
    expect(answers.map(rejection)).toEqual(['409 uniqueness', '412', '413']);
  });

  it('[RFC7644-3.12-3] answers 405 with the allowed methods, as an Error resource', async () => {
    const answer = await scim.put('/Users', user({ userName: 'a' }));
    expect([rejection(answer), answer.headers.allow]).toEqual(['405', 'GET, HEAD, POST']);
  });

  it.each([
    ['noTarget', { op: 'replace', path: 'emails[type eq "fax"].value', value: 'x' }],
    ['invalidPath', { op: 'replace', path: 'name..givenName', value: 'x' }],
    ['invalidFilter', { op: 'replace', path: 'emails[type eq].value', value: 'x' }],
    ['mutability', { op: 'replace', path: 'id', value: 'x' }],
    ['invalidValue', { op: 'replace', path: 'active', value: 'perhaps' }],
  ])('[RFC7644-3.12] names the detail type %s', async (scimType, operation) => {
    const { body } = await scim.post('/Users', user({ userName: `detail ${scimType}`, externalId: scimType }));
    const answer = await scim.patch(`/Users/${body.externalId}`, patchOp(operation));
    expect(rejection(answer)).toBe(`400 ${scimType}`);
  });

  it('[RFC7644-3.12-4] answers an internal error with the id under which its cause is logged, and nothing of it', async () => {
    const store = new MemoryStore();
    const broken = await ScimApp.start(store);
    try {
      const client = await broken.connect();
      store.directory.find = () => Promise.reject(new Error('secret cause'));
      const answer = await client.get('/Users/a');
      const requestId = answer.headers['x-request-id'];
      expect(rejection(answer)).toBe('500');
      expect([requestId, answer.body.detail]).toEqual([
        expect.stringMatching(/\S/),
        expect.stringContaining(String(requestId)),
      ]);
      expect(answer.text).not.toContain('secret');
    } finally {
      await broken.close();
    }
  });
});
