import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GovernedSite, Load, SPLIT, type SiteProxy } from './support/governed-site.js';
import { group, user } from './support/scim-bodies.js';
import { until } from './support/until.js';

const REQUIRED = { status: 400, code: 'SESSION_REQUIRED' };
const SERVED = { status: 200 };
const ELSEWHERE = { status: 421, code: 'NAMESPACE_NOT_SERVED' };

let site: GovernedSite;
let load: Load | undefined;

beforeAll(async () => {
  site = await GovernedSite.start();
  const idp = await site.scim.connect();
  const { body: grace } = await idp.post('/Users', user({ externalId: 'grace', userName: 'grace@example.com' }));
  const { body: team } = await idp.post('/Groups', group({ externalId: 'team', displayName: 'team' }, [grace.id]));
  const binding = { namespace: 'acme', bound_subject: team.id, relation: 'write' };
  expect((await site.scim.admin('post', '/bindings').send(binding)).status).toBe(201);
  site.writeKeys(grace.id);
  for (const [tenant, pool] of Object.entries({
    acme: 'standard',
    bolt: 'standard',
    quiet: 'standard',
    vip: 'premium',
  })) {
    await site.api('post', '/tenants', { tenant_id: tenant, namespace_pattern: tenant, pool });
  }
  for (const [id, pool] of Object.entries({ s1: 'standard', s2: 'standard', p1: 'premium', p2: 'premium' })) {
    await site.startProxy(id, pool);
  }
  await site.runHaproxy();
  for (const namespace of ['acme', 'quiet', 'vip', ...SPLIT]) {
    await until(async () => (await site.send(namespace)).status === 200);
  }
  load = new Load(site, ['acme', 'quiet']);
});

afterAll(async () => {
  await load?.stop();
  await site?.[Symbol.asyncDispose]();
});

const proxy = (id: string): SiteProxy => site.proxies.get(id) as SiteProxy;
const poolOf = (pool: string) => [...site.proxies.values()].filter((each) => each.pool === pool);
const servedBy = (pool: string, namespace: string) =>
  poolOf(pool).reduce((sum, each) => sum + each.served(namespace), 0);

/** Resolves when the load of a namespace has reached the pool. */
async function untilReached(pool: string, namespace: string): Promise<void> {
  const before = servedBy(pool, namespace);
  await until(() => servedBy(pool, namespace) > before);
}

/** Resolves when a proxy gets none of the load any more. */
async function untilQuiet(drained: SiteProxy, others: readonly SiteProxy[]): Promise<void> {
  const countOf = (each: SiteProxy) => each.served('acme') + each.served('quiet');
  const total = () => others.reduce((sum, each) => sum + countOf(each), 0);
  for (let before = -1; before !== countOf(drained);) {
    before = countOf(drained);
    const goal = total() + 20;
    await until(() => total() >= goal);
  }
}

// One installation, and one story: each test goes on where the one before has ended, while requests go on.
describe('the life of governed tenants and proxies', () => {
  it('moves a tenant to another pool, and the pool that it has left serves it no longer', async () => {
    await site.put('acme', 'premium');
    await untilReached('premium', 'acme');
    await site.untilAll('standard', 'acme', ELSEWHERE);
    expect(load?.failures).toEqual([]);
  });

  it('raises the level of a tenant on all proxies, and lowers it', async () => {
    await site.put('bolt', 'standard', { isolation_level: 'session' });
    await site.untilAll('standard', 'bolt', REQUIRED);
    await site.put('bolt', 'standard', { isolation_level: 'none' });
    await site.untilAll('standard', 'bolt', SERVED);
    expect(load?.failures).toEqual([]);
  });

  it('lowers a limit: what is there finishes, and no more than the new one begins', async () => {
    const at = proxy('s1');
    const open = () => site.send('bolt', { path: '/v1/sessions' }, at);
    await site.put('bolt', 'standard', { isolation_level: 'session' });
    await site.untilAll('standard', 'bolt', REQUIRED);
    const sessions = [await open(), await open()];
    const beyond = await open();
    const revision = await revisionAt(at);
    const limits = { postgres: { connections_per_namespace: 1, max_total_connections: 40 } };
    await site.put('bolt', 'standard', { isolation_level: 'session', connection_pools: limits });
    await until(async () => (await revisionAt(at)) > revision);
    const uses = await Promise.all(sessions.map(({ id }) => site.send('bolt', { session: id }, at)));
    await Promise.all(sessions.map(({ id }) => site.end('bolt', id, at)));
    const after = [await open(), await open()];
    expect([sessions, [beyond], uses, after].map((replies) => replies.map(({ status }) => status))).toEqual([
      [201, 201],
      [503],
      [200, 200],
      [201, 503],
    ]);
    await site.end('bolt', after[0]?.id, at);
  });

  it('divides namespaces of no tenant between pools by weight', async () => {
    const replies = await Promise.all(SPLIT.map((namespace) => site.send(namespace)));
    expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
    const reached = ['standard', 'premium'].map((pool) => SPLIT.some((namespace) => servedBy(pool, namespace) > 0));
    expect(reached).toEqual([true, true]);
  });

  it('drains a proxy without a failed request, and uses it again', async () => {
    await site.api('patch', '/proxies/s1', { draining: true });
    await untilQuiet(proxy('s1'), [proxy('s2')]);
    await site.api('patch', '/proxies/s1', { draining: false });
    const before = proxy('s1').served('quiet');
    await until(() => proxy('s1').served('quiet') > before);
    expect(load?.failures).toEqual([]);
  });

  it('replaces all proxies one by one without a failed request', async () => {
    const replaceAll = async (pool: string, namespace: string) => {
      for (const { id } of poolOf(pool)) {
        const next = await site.startProxy(`${id}-next`, pool);
        await until(() => next.served(namespace) > 0);
        await site.api('patch', `/proxies/${id}`, { draining: true });
        await untilQuiet(proxy(id), [next]);
        await site.stopProxy(id);
      }
    };
    await Promise.all([replaceAll('standard', 'quiet'), replaceAll('premium', 'acme')]);
    expect(load?.failures).toEqual([]);
  });

  it('[a namespace that no tenant of its pool has] ends the sessions of a tenant that is deleted', async () => {
    const at = proxy('s1-next');
    const { id } = await site.send('bolt', { path: '/v1/sessions' }, at);
    expect(await site.send('bolt', { path: '/v1/transaction', session: id }, at)).toEqual({ status: 204 });
    expect(at.sessions).toBe(1);
    await site.api('delete', '/tenants/bolt');
    await until(() => at.sessions === 0);
    expect(await site.send('bolt', { session: id }, at)).toEqual(ELSEWHERE);
  });

  it('enforces at every proxy what the other control plane decides when one is killed', async () => {
    await site.controls[1]?.end('SIGKILL');
    await site.put('vip', 'premium', { isolation_level: 'session' }, 0);
    await site.untilAll('premium', 'vip', REQUIRED);
    await site.put('acme', 'standard', {}, 0);
    await untilReached('standard', 'acme');
    expect(load?.failures).toEqual([]);
  });

  it('[no confirmation of access for 90 % of the lease] serves services, and no users, and says so', async () => {
    const at = proxy('s1-next');
    const asUser = () => site.send('acme', { key: site.userKey }, at);
    await until(async () => (await asUser()).status === 200);
    await site.controls[0]?.end('SIGKILL');
    await until(async () => (await asUser()).code === 'ACCESS_UNKNOWN');
    expect(await site.noticesOf(at)).toMatchObject({
      access: expect.stringMatching(/^not confirmed for \d+ s: no users are served$/),
      control_plane: 'not connected',
    });
    expect([(await site.send('acme', {}, at)).status, load?.failures]).toEqual([200, []]);
  });

  it('[no control plane when it starts] enforces the copy of the policy', async () => {
    await site.stopProxy('p1-next');
    const at = await site.startProxy('p1-next', 'premium');
    expect([await site.send('vip', {}, at), await site.send('quiet', {}, at)]).toEqual([REQUIRED, ELSEWHERE]);
    expect((await site.noticesOf(at))['policy']).toMatch(
      /^revision \d+ \(disk\), control plane last heard of \d+ s ago$/,
    );
  });

  it('[an old copy] enforces what was decided since, from the first request on', async () => {
    await site.stopProxy('p2-next');
    await site.startControl(1);
    await site.put('vip', 'premium', {});
    await site.untilAll('premium', 'vip', SERVED);
    await site.stopProxy('p1-next');
    await site.put('vip', 'premium', { isolation_level: 'session' });
    const at = await site.startProxy('p1-next', 'premium');
    expect(await site.send('vip', {}, at)).toEqual(REQUIRED);
    expect((await site.noticesOf(at))['policy']).toContain('(stream)');
  });

  it('serves users again when a control plane confirms their access', async () => {
    const at = proxy('s1-next');
    await until(async () => (await site.send('acme', { key: site.userKey }, at)).status === 200);
    expect(load?.failures).toEqual([]);
  });
});

/** The revision that a proxy has acknowledged. */
async function revisionAt({ id }: SiteProxy): Promise<number> {
  const { policy } = await site.api<{ policy?: { revision?: number } }>('get', `/proxies/${id}`);
  return policy?.revision ?? 0;
}
