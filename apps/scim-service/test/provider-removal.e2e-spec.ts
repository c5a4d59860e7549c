import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ScimApp } from '../../../test/support/scim-app.js';
import { user } from '../../../test/support/scim-bodies.js';
import { describeOnEveryStore } from '../../../test/support/stores.js';

const WORKERS = Array.from({ length: 16 }, (_, index) => index);
const STORED_BEFORE_REMOVAL = 20;

describeOnEveryStore('the removal of a provider', (openStore) => {
  let app: ScimApp;

  beforeAll(async () => {
    app = await ScimApp.start(await openStore());
  });

  afterAll(() => app.close());

  it('leaves nothing for a later provider of the same name, even while users arrive', async () => {
    const client = await app.connect();
    const refusals = new Set<number>();
    const enough = Promise.withResolvers<void>();
    let stored = 0;
    const removed = new AbortController();
    const pushing = WORKERS.map(async (worker) => {
      for (let n = 0; !removed.signal.aborted; n += 1) {
        const { status } = await client.post('/Users', user({ userName: `u${worker}-${n}` }));
        stored += status === 201 ? 1 : 0;
        if (status !== 201) {
          refusals.add(status);
        }
        if (stored >= STORED_BEFORE_REMOVAL) {
          enough.resolve();
        }
      }
    });
    await enough.promise;
    const removal = await app.admin('delete', `/providers/${client.provider}`);
    removed.abort();
    await Promise.all(pushing);
    await app.admin('post', '/providers').send({ id: client.provider });
    const { body: issued } = await app.admin('post', `/providers/${client.provider}/tokens`).send({});
    const { body: list } = await client.withToken(issued.secret).query('/Users', { count: 0 });
    expect([removal.status, list.totalResults, [...refusals.difference(new Set([401]))]]).toEqual([204, 0, []]);
  });
});
