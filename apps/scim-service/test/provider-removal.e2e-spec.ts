import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ScimApp } from '../../../test/support/scim-app.js';
import { group, user } from '../../../test/support/scim-bodies.js';
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
    const rejections = new Set<number>();
    const enough = Promise.withResolvers<void>();
    let stored = 0;
    const removed = new AbortController();
    const pushing = WORKERS.map(async (worker) => {
      for (let n = 0; !removed.signal.aborted; n += 1) {
        const { status } = await client.post('/Users', user({ userName: `u${worker}-${n}` }));
        stored += status === 201 ? 1 : 0;
        if (status !== 201) {
          rejections.add(status);
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
    expect([removal.status, list.totalResults, [...rejections.difference(new Set([401]))]]).toEqual([204, 0, []]);
  });

  it('suspends its bindings until an admin adds them again, whatever a later provider of that name has', async () => {
    const client = await app.connect();
    const { provider } = client;
    const namespace = `orders-${provider}`;
    const binding = { bound_subject: `group:scim:${provider}:eng`, namespace, relation: 'write' };
    const check = { user: `user:scim:${provider}:ada`, namespace, relation: 'read' };
    const push = async (token: string) => {
      const pushed = client.withToken(token);
      await pushed.post('/Users', user({ externalId: 'ada', userName: 'ada' }));
      const members = [`user:scim:${provider}:ada`];
      await pushed.post('/Groups', group({ externalId: 'eng', displayName: 'Engineers' }, members));
    };
    const answer = async () => (await app.admin('get', '/access/check').query(check)).body;
    const stateOf = async (state: string) => {
      const { body } = await app.admin('get', '/bindings').query({ namespace, state });
      return body.items.map((item: { state: string; display?: string }) => [item.state, item.display]);
    };
    const tuples = async () => (await app.admin('get', '/relationships').query({ provider })).text;
    await push(client.token);
    await app.admin('post', '/bindings').send(binding).expect(201);
    expect(await answer()).toMatchObject({ allowed: true });
    await app.admin('delete', `/providers/${provider}`).expect(204);
    await app.admin('post', '/providers').send({ id: provider }).expect(201);
    const { body: issued } = await app.admin('post', `/providers/${provider}/tokens`).send({});
    await push(issued.secret);

    expect(await stateOf('suspended')).toEqual([['suspended', undefined]]);
    expect(await answer()).toEqual({ allowed: false, explanation: [], reason: 'suspended_binding' });
    expect(await tuples()).not.toContain(namespace);
    await app.admin('post', '/bindings').send(binding).expect(201);
    expect(await stateOf('active')).toEqual([['active', 'Engineers']]);
    expect(await answer()).toMatchObject({ allowed: true });
    expect(await tuples()).toContain(namespace);
  });
});
