import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScimApp } from '../support/scim-app.js';
import { bulkRequest, group, patchOp, pathOf, user } from '../support/scim-bodies.js';

let app: ScimApp;
let config: Awaited<ReturnType<typeof readConfig>>;
beforeAll(async () => {
  app = await ScimApp.start();
  config = await readConfig();
});
afterAll(() => app.close());

async function readConfig() {
  const { body } = await (await app.connect()).get('/ServiceProviderConfig');
  return body;
}

describe('RFC 7643 §5 service provider configuration', () => {
  it('[RFC7643-5-1][RFC7643-5-2] advertises PATCH, which works', async () => {
    const scim = await app.connect();
    const { body } = await scim.post('/Users', user({ userName: 'a' }));
    const { status } = await scim.patch(pathOf(body), patchOp({ op: 'add', path: 'title', value: 'Boss' }));
    expect([config.patch, status]).toEqual([{ supported: true }, 200]);
  });

  it('[RFC7643-5-3][RFC7643-5-4] advertises bulk operations, which work', async () => {
    const scim = await app.connect();
    const operation = { method: 'POST', path: '/Groups', bulkId: '1', data: group({ displayName: 'A' }) };
    const { body } = await scim.post('/Bulk', bulkRequest([operation]));
    expect([config.bulk.supported, body.Operations[0].status]).toEqual([true, '201']);
  });

  it('[RFC7643-5-5] accepts as many bulk operations as it advertises, and no more', async () => {
    const scim = await app.connect();
    const operations = Array.from({ length: config.bulk.maxOperations + 1 }, (_, index) => ({
      method: 'DELETE',
      path: `/Users/none-${index}`,
    }));
    const most = await scim.post('/Bulk', bulkRequest(operations.slice(1)));
    const tooMany = await scim.post('/Bulk', bulkRequest(operations));
    expect([config.bulk.maxOperations, most.status, tooMany.status]).toEqual([1000, 200, 413]);
  });

  it('[RFC7643-5-6] accepts a bulk payload as large as it advertises, and no larger', async () => {
    const scim = await app.connect();
    const empty = JSON.stringify(bulkRequest([], { padding: '' }));
    const padding = 'x'.repeat(config.bulk.maxPayloadSize - empty.length);
    const largest = await scim.post('/Bulk', { ...JSON.parse(empty), padding });
    const tooLarge = await scim.post('/Bulk', { ...JSON.parse(empty), padding: `${padding}x` });
    expect([config.bulk.maxPayloadSize, largest.status, tooLarge.status]).toEqual([8_388_608, 200, 413]);
  });

  it('[RFC7643-5-7][RFC7643-5-8] advertises filters, which work', async () => {
    const scim = await app.connect();
    await scim.post('/Users', user({ userName: 'a' }));
    await scim.post('/Users', user({ userName: 'b' }));
    const { body } = await scim.query('/Users', { filter: 'userName eq "a"' });
    expect([config.filter.supported, body.totalResults]).toEqual([true, 1]);
  });

  it('[RFC7643-5-9] returns no more results than it advertises', async () => {
    const scim = await app.connect();
    const operations = Array.from({ length: config.bulk.maxOperations }, (_, index) => ({
      method: 'POST',
      path: '/Users',
      bulkId: String(index),
      data: user({ userName: `u${index}` }),
    }));
    await scim.post('/Bulk', bulkRequest(operations));
    await scim.post('/Users', user({ userName: 'one more' }));
    const { body } = await scim.query('/Users', { count: 5000, attributes: 'id' });
    expect([config.filter.maxResults, body.totalResults, body.Resources.length]).toEqual([1000, 1001, 1000]);
  });

  it('[RFC7643-5-10][RFC7643-5-11] says that passwords cannot be changed here', () => {
    expect(config.changePassword).toEqual({ supported: false });
  });

  it('[RFC7643-5-12][RFC7643-5-13] advertises sorting, which works', async () => {
    const scim = await app.connect();
    await scim.post('/Users', user({ userName: 'b' }));
    await scim.post('/Users', user({ userName: 'a' }));
    const { body } = await scim.query('/Users', { sortBy: 'userName' });
    const names = body.Resources.map(({ userName }: { userName: string }) => userName);
    expect([config.sort, names]).toEqual([{ supported: true }, ['a', 'b']]);
  });

  it('[RFC7643-5-14][RFC7643-5-15] advertises entity tags, which it sends', async () => {
    const scim = await app.connect();
    const { headers } = await scim.post('/Users', user({ userName: 'a' }));
    expect([config.etag, headers.etag]).toEqual([{ supported: true }, expect.stringMatching(/^W\//)]);
  });

  it('[RFC7643-5-17][RFC7643-5-18][RFC7643-5-19][RFC7643-5-20] describes each authentication scheme', () => {
    const types = /^(oauth|oauth2|oauthbearertoken|httpbasic|httpdigest)$/;
    expect(config.authenticationSchemes).toEqual(
      expect.arrayContaining([expect.objectContaining({ type: 'oauthbearertoken' })]),
    );
    for (const scheme of config.authenticationSchemes) {
      expect(scheme).toMatchObject({
        type: expect.stringMatching(types),
        name: expect.stringMatching(/./),
        description: expect.stringMatching(/./),
      });
    }
  });

  it('[RFC7643-5] cannot be changed', async () => {
    const scim = await app.connect();
    const { status } = await scim.put('/ServiceProviderConfig', { ...config, patch: { supported: false } });
    expect([status, (await readConfig()).patch]).toEqual([405, { supported: true }]);
  });
});
