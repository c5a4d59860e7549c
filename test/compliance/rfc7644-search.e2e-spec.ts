import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScimApp } from '../support/scim-app.js';
import type { ScimClient } from '../support/scim-client.js';
import { LIST_URN, USER_URN, group, searchRequest, user } from '../support/scim-bodies.js';
import { rejection } from './rejection.js';

let app: ScimApp;
let scim: ScimClient;
/** Only read: two users and a group of one provider. */
beforeAll(async () => {
  app = await ScimApp.start();
  scim = await app.connect();
  await scim.post('/Users', user({ userName: 'zoe', displayName: 'Smith, Zoe', title: 'VP' }));
  await scim.post('/Users', user({ userName: 'amy', displayName: 'Smith, Amy' }));
  await scim.post('/Groups', group({ displayName: 'Smith Family' }));
});
afterAll(() => app.close());

describe('RFC 7644 §3.4.3 querying by POST', () => {
  it.each([
    ['/.search', 3],
    ['/Users/.search', 2],
    ['/Groups/.search', 1],
  ])('[RFC7644-3.4.3-1] queries what %s covers and creates nothing', async (path, count) => {
    const { status, body } = await scim.post(path, searchRequest({ filter: 'displayName sw "smith"' }));
    const { body: after } = await scim.get('/');
    expect([status, body.schemas, body.totalResults, after.totalResults]).toEqual([200, [LIST_URN], count, 3]);
  });

  it.each([[{}], [{ schemas: [] }], [{ schemas: [LIST_URN] }], [{ schemas: [USER_URN], userName: 'x' }]])(
    '[RFC7644-3.4.3-2] rejects the body %j, which is not a SearchRequest',
    async (body) => {
      expect(rejection(await scim.post('/Users/.search', body))).toBe('400 invalidSyntax');
    },
  );

  it('[RFC7644-3.4.3-3] returns the attributes named, plainly or qualified by URN', async () => {
    const attributes = ['userName', `${USER_URN}:title`];
    const { body } = await scim.post('/Users/.search', searchRequest({ attributes, filter: 'userName eq "zoe"' }));
    expect(body.Resources).toEqual([{ schemas: [USER_URN], id: expect.any(String), userName: 'zoe', title: 'VP' }]);
  });

  it('[RFC7644-3.4.3-4][RFC7644-3.4.3-5] leaves out the attributes named, but not those that are always returned', async () => {
    const excludedAttributes = ['id', 'meta', `${USER_URN}:displayName`, 'active'];
    const { body } = await scim.post(
      '/Users/.search',
      searchRequest({ excludedAttributes, filter: 'userName eq "zoe"' }),
    );
    expect(body.Resources).toEqual([{ schemas: [USER_URN], id: expect.any(String), userName: 'zoe', title: 'VP' }]);
  });

  it.each([['userName'], ['userName eq'], [''], ['(']])('[RFC7644-3.4.3-6] rejects the filter %j', async (filter) => {
    expect(rejection(await scim.post('/Users/.search', searchRequest({ filter })))).toBe('400 invalidFilter');
  });

  it.each([
    ['userName', ['amy', 'zoe']],
    [`${USER_URN}:userName`, ['amy', 'zoe']],
    ['meta.created', ['zoe', 'amy']],
  ])('[RFC7644-3.4.3-7][RFC7644-3.4.3-8] sorts by %s', async (sortBy, expected) => {
    const { body } = await scim.post('/Users/.search', searchRequest({ sortBy }));
    expect(body.Resources.map(({ userName }: { userName: string }) => userName)).toEqual(expected);
  });

  it('[RFC7644-3.4.3-8] rejects a sortBy that is not an attribute', async () => {
    expect(rejection(await scim.post('/Users/.search', searchRequest({ sortBy: 'user name' })))).toMatch(
      /^400 invalid/,
    );
  });

  it('[RFC7644-3.4.3] sorts and pages users and groups together', async () => {
    const request = { sortBy: 'displayName', sortOrder: 'descending', startIndex: 2, count: 2 };
    const { body } = await scim.post('/.search', searchRequest(request));
    const names = body.Resources.map(({ displayName }: { displayName: string }) => displayName);
    expect([body.totalResults, body.startIndex, names]).toEqual([3, 2, ['Smith, Amy', 'Smith Family']]);
  });
});
