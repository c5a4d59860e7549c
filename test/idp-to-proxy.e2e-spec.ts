import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from './support/until.js';
import { FlowWorld } from './support/flow-world.js';
import { group, patchOp, user } from './support/scim-bodies.js';
import type { ScimClient } from './support/scim-client.js';

let world: FlowWorld;
let idp: ScimClient;
let ada: string;
let engineers: string;
let token: string;
let session: string;
/** Of the proxy while the session was open. */
let connections: number;

beforeAll(async () => {
  world = await FlowWorld.start();
  idp = await world.scim.connect();
});

afterAll(() => world[Symbol.asyncDispose](), 30_000);

async function findRoute(namespace = 'acme-orders') {
  const { body } = await world.control.api('get', `/access/route?user=${ada}&namespace=${namespace}`).expect(200);
  return body;
}

// One story: each test goes on where the one before has ended. docs/flow.md tells it with curl.
describe('from the identity provider to the proxy', () => {
  it('grants nothing to users and groups that the identity provider pushes', async () => {
    const created = await idp.post('/Users', user({ externalId: 'ada', userName: 'ada@example.com' }));
    ada = created.body.id;
    const pushed = await idp.post('/Groups', group({ externalId: 'eng', displayName: 'acme-orders-admins' }, [ada]));
    engineers = pushed.body.id;
    expect([created.status, pushed.status]).toEqual([201, 201]);
    expect(await findRoute()).toEqual({ allowed: false, because: [], reason: 'no_relation' });
    expect(await world.issueToken(ada, 'acme-orders')).toBeUndefined();
  });

  it('grants what a namespace admin binds, but there is nothing to reach yet', async () => {
    const binding = { namespace: 'acme-orders', bound_subject: engineers, relation: 'write' };
    expect((await world.scim.admin('post', '/bindings').send(binding)).status).toBe(201);
    expect(await findRoute()).toMatchObject({
      allowed: false,
      because: [{ user: ada, groups: [engineers], binding: { relation: 'write' } }],
      reason: 'no_route',
    });
  });

  it('has a route when the tenant is registered, and no proxy', async () => {
    await world.control.register('acme', { namespace_pattern: 'acme-*', pool: 'standard' });
    expect(await findRoute()).toMatchObject({
      allowed: true,
      reason: 'no_healthy_proxy',
      route: { tenant_id: 'acme', pool: 'standard', isolation_level: 'namespace', healthy_proxies: [] },
    });
  });

  it('is served once a proxy has registered and is healthy', async () => {
    await world.startProxy();
    await until(async () => (await findRoute()).reason === undefined);
    const { allowed, route } = await findRoute();
    expect([allowed, route.healthy_proxies]).toEqual([true, [expect.objectContaining({ pool: 'standard' })]]);
  });

  it('lets nobody in at the proxy without a token', async () => {
    expect((await world.query('notes.list', { limit: 10 })).status).toBe(401);
  });

  it('lets the user in with a token for the namespace', async () => {
    token = (await world.issueToken(ada, 'acme-orders')) ?? '';
    const inserted = await world.query('notes.insert', { title: 'Plan', body: 'of ada' }, token);
    const listed = await world.query('notes.list', { limit: 10 }, token, 'acme-orders');
    expect([inserted.status, listed.status]).toEqual([200, 200]);
    expect(await listed.json()).toMatchObject({ rows: [{ title: 'Plan' }] });
  });

  it('rejects another namespace, to the token and to the user', async () => {
    expect((await world.query('notes.list', { limit: 10 }, token, 'acme-bills')).status).toBe(404);
    expect(await findRoute('acme-bills')).toMatchObject({ allowed: false, because: [], reason: 'no_relation' });
    expect(await world.issueToken(ada, 'acme-bills')).toBeUndefined();
  });

  it('needs a session as soon as an operator raises the level', async () => {
    const tenant = { namespace_pattern: 'acme-*', pool: 'standard', isolation_level: 'session' };
    await world.control.api('put', '/tenants/acme').send(tenant).expect(200);
    const list = () => world.query('notes.list', { limit: 10 }, token);
    await until(async () => (await list()).status === 400);
    expect(await (await list()).json()).toMatchObject({ code: 'SESSION_REQUIRED' });
    const opened = await world.send('POST', '/v1/sessions', token);
    expect(opened.status).toBe(201);
    ({ id: session } = (await opened.json()) as { readonly id: string });
    connections = await world.countConnections();
  });

  it('ends when the identity provider deactivates the user', async () => {
    const path = `/Users/${encodeURIComponent(ada)}`;
    const { status } = await idp.patch(path, patchOp({ op: 'replace', path: 'active', value: false }));
    expect([status, await findRoute()]).toMatchObject([200, { allowed: false, because: [], reason: 'inactive_user' }]);
    expect(await world.issueToken(ada, 'acme-orders')).toBeUndefined();
  });

  it('ends at the proxy too, for a token that is still valid', async () => {
    const begin = () => world.send('POST', '/v1/transaction', token, { 'x-palisade-session': session });
    await until(async () => (await begin()).status === 403);
    expect(await (await begin()).json()).toMatchObject({ code: 'ACCESS_DENIED' });
    await until(async () => (await world.countConnections()) < connections);
  });
});
