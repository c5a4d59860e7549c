import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AdminApp, SCIM_TOKEN } from './support/admin-app.js';
import { pushGroup, pushUser } from './support/directory.js';

const GROUP = 'group:scim:default:engineers';

describe('/api/v1/log', () => {
  let app: AdminApp;

  beforeAll(async () => {
    app = await AdminApp.start();
    await pushUser(app, SCIM_TOKEN, 'ann');
    await pushGroup(app, SCIM_TOKEN, 'engineers', ['user:scim:default:ann']);
    for (const namespace of ['billing', 'search', 'orders']) {
      await app.admin('post', '/bindings').send({ bound_subject: GROUP, namespace, relation: 'write' }).expect(201);
    }
    await app.records();
  });

  afterAll(() => app.close());

  it('reads on from where the last page ended', async () => {
    const first = await app.admin('get', '/log?limit=3').expect(200);
    expect(first.body.items).toHaveLength(3);
    const second = await app.admin('get', `/log?limit=3&after=${first.body.next_after}`).expect(200);
    expect(second.body.items[0].position).toBe(first.body.items[2].position + 1);
    const end = await app.admin('get', '/log?after=1000000').expect(200);
    expect(end.body).toEqual({ items: [], next_after: 1_000_000 });
  });

  it('reads backward from the end', async () => {
    const { body } = await app.admin('get', '/log?order=desc&limit=2').expect(200);
    expect(body.items.map(({ namespace }: { namespace: string }) => namespace)).toEqual(['orders', 'search']);
    expect(body.next_before).toBe(body.items[1].position);
  });

  it('filters by provider and action', async () => {
    const { body } = await app.admin('get', '/log?provider=default&action=binding.add').expect(200);
    expect(body.items).toHaveLength(3);
    expect(body.items[0]).toMatchObject({
      scope: 'default',
      provider: 'default',
      user_id: 'admin',
      action: 'binding.add',
      namespace: 'billing',
      result: 'success',
      request_id: expect.any(String),
    });
  });

  it('is one chain, with a seal that can be kept', async () => {
    const { body: seal } = await app.admin('get', '/log/seal').expect(200);
    const { body } = await app.admin('get', `/log/verify?kept=${seal.signature}`).expect(200);
    expect(body).toMatchObject({ valid: true, first: 1 });
    expect(body.records).toBe(body.last);
  });

  it.each(['/log?after=-1', '/log?after=x', '/log?limit=0', '/log?action=a%00b', '/log/follow?order=desc'])(
    'rejects %s',
    async (path) => {
      await app.admin('get', path).expect(400);
    },
  );
});
