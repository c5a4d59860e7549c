import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FlowWorld } from './support/flow-world.js';
import { group, user } from './support/scim-bodies.js';
import { until } from './support/until.js';

const NAMESPACES = ['acme-orders', 'bolt'] as const;
const BURST = 12;

let world: FlowWorld;
const tokens = new Map<string, string>();

/** A user who may write in both namespaces, which are of different tenants. */
beforeAll(async () => {
  world = await FlowWorld.start();
  const idp = await world.scim.connect();
  const { body: ada } = await idp.post('/Users', user({ externalId: 'ada', userName: 'ada@example.com' }));
  const { body: own } = await idp.post('/Groups', group({ externalId: 'all', displayName: 'all' }, [ada.id]));
  await world.control.register('acme', { namespace_pattern: 'acme-*', pool: 'standard' });
  await world.control.register('bolt', { namespace_pattern: 'bolt', pool: 'standard' });
  for (const namespace of NAMESPACES) {
    const binding = { namespace, bound_subject: own.id, relation: 'write' };
    expect((await world.scim.admin('post', '/bindings').send(binding)).status).toBe(201);
    tokens.set(namespace, (await world.issueToken(ada.id, namespace)) ?? '');
  }
  await world.startProxy();
});

afterAll(() => world[Symbol.asyncDispose](), 30_000);

function request(namespace: string): Promise<Response> {
  return world.query('notes.list', { limit: 1 }, tokens.get(namespace));
}

/** How many of so many requests at once are served, and how the others are answered. */
async function burst(namespace: string): Promise<{ readonly served: number; readonly others: readonly number[] }> {
  const answers = await Promise.all(Array.from({ length: BURST }, () => request(namespace)));
  const others = answers.map(({ status }) => status).filter((status) => status !== 200);
  return { served: answers.length - others.length, others };
}

function limit(max_rps?: number): Promise<unknown> {
  const resource_limits = max_rps === undefined ? undefined : { max_rps };
  const tenant = { namespace_pattern: 'acme-*', pool: 'standard', resource_limits };
  return world.control.api('put', '/tenants/acme').send(tenant).expect(200);
}

describe("a tenant's own limit of requests", () => {
  it('does not exist before it is set', async () => {
    expect((await burst('acme-orders')).served).toBe(BURST);
  });

  it('holds at the proxy as soon as it is set, for that tenant only', async () => {
    await limit(1);
    await until(async () => (await burst('acme-orders')).served < BURST / 2);
    await until(async () => (await request('acme-orders')).status === 429);
    const rejected = await request('acme-orders');
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, '1']);
    expect(await rejected.json()).toMatchObject({
      code: 'RATE_LIMITED',
      detail: expect.stringContaining('limited to 1 requests per second'),
    });
    expect((await burst('bolt')).served).toBe(BURST);
  });

  it('is told with its source', async () => {
    const { body } = await world.control.api('get', '/tenants/acme').expect(200);
    expect(body.resource_limits).toEqual({ max_rps: 1 });
    expect(body.settings).toContainEqual({
      name: 'resource_limits.per_namespace.max_rps',
      value: 1,
      from: 'tenant "acme"',
    });
  });

  it('changes while the proxy runs, and goes when it is taken back', async () => {
    await limit(1_000_000);
    await until(async () => (await burst('acme-orders')).served === BURST);
    await limit(2);
    await until(async () => (await burst('acme-orders')).served <= BURST / 2);
    await limit();
    await until(async () => (await burst('acme-orders')).served === BURST);
    expect((await world.control.api('get', '/tenants/acme')).body.resource_limits).toBeUndefined();
  });

  it('is rejected where it makes no sense, and what holds goes on holding', async () => {
    for (const resource_limits of [{ max_rps: 0 }, { memory: '999Gi' }, { cpu: '1' }, { requests: 1 }]) {
      const tenant = { namespace_pattern: 'acme-*', pool: 'standard', resource_limits };
      await world.control.api('put', '/tenants/acme').send(tenant).expect(400);
    }
    expect((await burst('acme-orders')).served).toBe(BURST);
  });
});
