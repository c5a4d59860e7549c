import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId, type CompletePolicy, type JsonObject, type TenantPolicy } from '@palisade/domain';
import { ACME, ALICE, BOB, BOLT, IsolationWorld } from '../test/support/isolation-world.js';
import { Isolation } from './isolation.js';

const OWN = { isolation_level: 'namespace', connection_pools: { fake: { max_total_connections: 4 } } };
const CARL = { namespace: parseNamespaceId('cog'), clientId: 'carl' };
const forever = () => new Promise<never>(() => {});
const nothing = async () => {};

function policyOf(tenants: Readonly<Record<string, Partial<TenantPolicy>>>, settings: JsonObject = {}, revision = 1) {
  return {
    revision,
    configuration: 'c',
    pool: 'standard',
    settings,
    tenants: Object.entries(tenants).map(([id, own]) => ({ tenant_id: `t-${id}`, namespaces: [id], ...own })),
  } satisfies CompletePolicy;
}

async function createWorld(
  tenants: Readonly<Record<string, Partial<TenantPolicy>>> = { acme: {}, bolt: {} },
  settings: JsonObject = {},
): Promise<IsolationWorld> {
  const world = await IsolationWorld.create(OWN, { proxyPool: 'standard' });
  world.policy.apply(policyOf(tenants, settings));
  return world;
}

const NONE = { isolation_level: 'none' } as const;
const SESSION = { isolation_level: 'session' } as const;

describe(`${Isolation.name}: policy`, () => {
  it('serves tenants of all levels at once, under one cap', async () => {
    const world = await createWorld({ acme: NONE, bolt: {}, cog: SESSION, dune: NONE });
    const dora = { namespace: parseNamespaceId('dune'), clientId: 'dora' };
    const carl = await world.openSession(CARL);
    const numbers = [];
    for (const caller of [ALICE, dora, BOB, carl, carl]) {
      numbers.push(await world.finish(async ({ connection }) => connection.number, caller));
    }
    expect(numbers).toEqual([2, 2, 3, 1, 1]);
    expect(world.pools.snapshots()).toMatchObject([{ maxTotal: 4, active: 1, idle: 2 }]);
  });

  it('serves nothing before there is a policy', async () => {
    const world = await IsolationWorld.create(OWN, { proxyPool: 'standard' });
    await expect(world.finish(nothing)).rejects.toMatchObject({ code: 'NO_POLICY' });
    await expect(world.openSession()).rejects.toMatchObject({ code: 'NO_POLICY' });
  });

  it('serves no namespace that belongs to nobody', async () => {
    const world = await createWorld({ bolt: {} });
    await expect(world.finish(nothing)).rejects.toMatchObject({ code: 'NAMESPACE_NOT_SERVED' });
    expect(world.driver.attempts).toBe(0);
  });

  it('records whose the namespace is by its policy', async () => {
    const world = await createWorld({ acme: {} }, { audit: { log_actions: true } });
    await world.finish(nothing, { ...ALICE, tenantId: 'as-claimed' });
    expect(world.records).toMatchObject([{ tenantId: 't-acme', namespace: 'acme' }]);
  });

  it('begins and ends to record as the policy says', async () => {
    const world = await createWorld();
    await world.finish(nothing);
    world.policy.apply(policyOf({ acme: {} }, { audit: { log_actions: true } }));
    await world.finish(nothing);
    world.policy.apply(policyOf({ acme: {} }));
    await world.finish(nothing);
    expect(world.records).toHaveLength(1);
  });

  it('rejects work without a session from when the level becomes session, what waits included', async () => {
    const world = await createWorld({ acme: {}, bolt: {} }, { connection_pools: { fake: { max_connections: 1 } } });
    const release = Promise.withResolvers<void>();
    const running = world.run(() => release.promise);
    await world.clock.advance(10);
    const waiting = world.run(nothing);
    const other = world.run(nothing, BOB);
    await world.clock.advance(1);
    world.policy.change({
      from: 1,
      revision: 2,
      tenants: [{ tenant_id: 't-acme', namespaces: ['acme'], ...SESSION }],
      removed: [],
    });
    await expect(waiting).rejects.toMatchObject({ code: 'SESSION_REQUIRED' });
    await expect(world.finish(nothing)).rejects.toMatchObject({ code: 'SESSION_REQUIRED' });
    release.resolve();
    await world.after(Promise.all([running, other]), 20);
    expect([world.pools.find(ACME), world.driver.connections.size]).toEqual([[], 1]);
  });

  it('closes what a namespace keeps when its level rises, and leaves others alone', async () => {
    const world = await createWorld();
    await world.finish(nothing);
    await world.finish(nothing, BOB);
    world.policy.apply(policyOf({ acme: SESSION, bolt: {} }));
    await world.clock.advance(10);
    expect([world.pools.find(ACME), world.pools.find(BOLT)]).toMatchObject([[], [{ idle: 1 }]]);
  });

  it('gives work that has waited at a weaker level no connection of that level', async () => {
    const world = await createWorld({ acme: NONE, bolt: NONE }, { connection_pools: { fake: { max_connections: 1 } } });
    const release = Promise.withResolvers<void>();
    const running = world.run(() => release.promise, BOB);
    await world.clock.advance(10);
    const waiting = world.run(async ({ connection }) => connection.namespace);
    await world.clock.advance(1);
    world.policy.apply(policyOf({ acme: {}, bolt: NONE }));
    release.resolve();
    await world.after(running);
    await expect(world.after(waiting, 100)).resolves.toBe('acme');
  });

  it('lets a session go on at a weaker level until it ends, and opens no more', async () => {
    const world = await createWorld({ acme: SESSION });
    const caller = await world.openSession();
    world.policy.apply(policyOf({ acme: NONE }));
    await expect(world.finish(async ({ connection }) => connection.namespace, caller)).resolves.toBe('acme');
    await expect(world.openSession()).rejects.toMatchObject({ code: 'ISOLATION_LEVEL' });
    await expect(world.finish(async ({ connection }) => connection.namespace)).resolves.toBe('*');
    world.sessions.manager.endWhere(() => new Error('over'), 'ended');
    await world.clock.advance(10);
    await expect(world.finish(nothing, caller)).rejects.toMatchObject({ code: 'ISOLATION_LEVEL' });
  });

  it('ends the sessions and the queue of a tenant that is removed, and no others', async () => {
    const world = await createWorld(
      { acme: SESSION, bolt: SESSION, cog: {} },
      { connection_pools: { fake: { max_connections: 3 } } },
    );
    const [alice, bob] = [await world.openSession(), await world.openSession(BOB)];
    const working = world.run(
      ({ context: { signal } }) =>
        new Promise<never>((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
      alice,
    );
    void world.run(forever, CARL);
    await world.clock.advance(10);
    const waiting = world.run(nothing, CARL);
    await world.clock.advance(10);
    world.policy.change({ from: 1, revision: 2, tenants: [], removed: ['t-acme', 't-cog'] });
    await expect(waiting).rejects.toMatchObject({ code: 'NAMESPACE_NOT_SERVED' });
    await expect(world.after(working)).rejects.toMatchObject({ code: 'SESSION_ENDED', reason: 'namespace_not_served' });
    await expect(world.finish(nothing, alice)).rejects.toMatchObject({ code: 'NAMESPACE_NOT_SERVED' });
    await expect(world.finish(nothing, bob)).resolves.toBeUndefined();
    expect([world.pools.find(ACME), world.sessions.manager.snapshot().sessions]).toEqual([[], 1]);
  });

  it('uses no connection and no session of the tenant before when a namespace has got another one', async () => {
    const world = await createWorld({ acme: {}, bolt: SESSION, cog: {} });
    const tenantOf = (caller = ALICE) => world.finish(async ({ connection }) => connection.tenantId, caller);
    const bob = await world.openSession(BOB);
    const kept = Promise.withResolvers<void>();
    const running = world.run(() => kept.promise);
    expect([await tenantOf(), await tenantOf(CARL), await tenantOf(bob)]).toEqual(['t-acme', 't-cog', 't-bolt']);
    const moved = { 'acme-new': { namespaces: ['acme'] }, 'bolt-new': { namespaces: ['bolt'], ...SESSION }, cog: {} };
    world.policy.apply(policyOf(moved, {}, 2));
    await expect(tenantOf(bob)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
    const during = await tenantOf();
    kept.resolve();
    await world.after(running);
    expect([during, await tenantOf(), await tenantOf(CARL)]).toEqual(['t-acme-new', 't-acme-new', 't-cog']);
    // Two for acme of before, one for bolt's session, one for cog, one for acme of now.
    expect(world.driver.attempts).toBe(5);
  });

  it('holds namespaces to other limits from one request to the next', async () => {
    const world = await createWorld({ acme: { resource_limits: { max_rps: 1 } }, bolt: {} });
    await world.finish(nothing);
    await expect(world.finish(nothing)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    world.policy.apply(
      policyOf({ acme: { resource_limits: { max_rps: 3 } }, bolt: { resource_limits: { memory: 10 } } }),
    );
    await world.finish(nothing);
    const hungry = world.finish(async ({ context }) => context.hold(11), BOB);
    await expect(hungry).rejects.toMatchObject({ code: 'MEMORY_LIMIT' });
  });

  it('holds a session to what its tenant may have', async () => {
    const world = await createWorld({
      acme: { ...SESSION, connection_pools: { fake: { per_session_limit: 2 } } },
      bolt: SESSION,
    });
    await world.openSession(ALICE, 2);
    await expect(world.openSession(BOB, 2)).rejects.toMatchObject({ code: 'SESSION_LIMIT', max: 1 });
  });

  it('lowers and raises the cap, within the part that it was given', async () => {
    const world = await createWorld();
    world.isolation.setCap('fake', 3);
    const caps = [10, 2, 4].map((max_connections) => {
      world.policy.apply(policyOf({}, { connection_pools: { fake: { max_connections } } }));
      return world.pools.snapshots()[0]?.maxTotal;
    });
    expect(caps).toEqual([3, 2, 3]);
  });

  it('keeps all as it was when a policy is rejected', async () => {
    const world = await createWorld();
    await world.finish(nothing);
    expect(() => world.policy.apply(policyOf({ acme: SESSION, bolt: { isolation_level: 'cell' as never } }))).toThrow(
      'cell',
    );
    await world.finish(nothing);
    expect(world.driver.attempts).toBe(1);
  });

  it('aborts the work of whom its caller chooses, whether it waits or runs', async () => {
    const world = await createWorld({
      acme: { connection_pools: { fake: { connections_per_namespace: 1 } } },
      bolt: {},
    });
    const ann = { ...ALICE, userId: 'ann' };
    const running = world.run(
      ({ context: { signal } }) =>
        new Promise<never>((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
      ann,
    );
    await world.clock.advance(10);
    const waiting = world.run(nothing, ann);
    const other = world.run(nothing, BOB);
    await world.clock.advance(1);
    const reason = new Error('access was revoked');
    world.isolation.abortWhere(({ userId }) => (userId === 'ann' ? reason : undefined));
    await expect(waiting).rejects.toBe(reason);
    await expect(world.after(running)).rejects.toBe(reason);
    await expect(world.after(other)).resolves.toBeUndefined();
  });
});
