import { describe, expect, it } from '@jest/globals';
import {
  ProxyTakenError,
  parsePoolName,
  type ProxyBounds,
  type LogRecord,
  type HealthObservation,
  type ProxyDraft,
  type ProxyId,
  type Store,
} from '@palisade/domain';
import { listSealed } from './support/log-harness.js';
import { changeAt } from './support/store-harness.js';
import { PREMIUM, STANDARD, freshLabel, freshProxyId, proxyDraft, registeredProxy } from './support/tenancy-samples.js';

/** Proxies: where they are, their heartbeats and their health. */
export function describeProxyStoreContract(store: () => Store): void {
  describe('proxies', () => {
    describe('put', () => describePut(store));
    describe('heartbeat', () => describeHeartbeat(store));
    describe('observe', () => describeObserve(store));
    describe('remove and list', () => describeRemoveAndList(store));
  });
}

function at(second: number): Date {
  return new Date(Date.UTC(2026, 0, 1, 0, 0, second));
}

function put(store: Store, id: ProxyId, overrides: Partial<ProxyDraft> = {}, second = 0) {
  return store.proxies.put(id, 'registration', proxyDraft(overrides), changeAt(second));
}

function observe(store: Store, id: ProxyId, observation: Partial<HealthObservation>, second = 1): Promise<void> {
  return store.proxies.observe([{ id, health: 'healthy', at: at(second), ...observation }], changeAt(second));
}

/** Until clocks of milliseconds have moved on. */
async function elapse(): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve, 5);
  });
}

async function recordsOf(store: Store, id: ProxyId): Promise<LogRecord[]> {
  const records = await listSealed(store, { order: 'desc' });
  return records.filter(({ resource }) => resource === `proxy:${id}`).toReversed();
}

function describePut(store: () => Store): void {
  it('keeps what was registered, with unknown health', async () => {
    const id = freshProxyId();

    const proxy = await put(store(), id);

    expect(proxy).toEqual(registeredProxy(id));
    expect(await store().proxies.find(id)).toEqual(proxy);
  });

  it('belongs to whoever registered it first, also after others have changed it', async () => {
    const id = freshProxyId();
    const by = (actor: string, onlyOwn = false, overrides: Partial<ProxyDraft> = {}) =>
      store().proxies.put(id, 'registration', proxyDraft(overrides), { ...changeAt(0), actor }, { onlyOwn });
    expect(await by('proxy:eu', true)).toMatchObject({ owner: 'proxy:eu' });

    await expect(by('proxy:us', true, { port: 1 })).rejects.toThrow(ProxyTakenError);
    expect(await by('ann', false, { port: 2 })).toMatchObject({ owner: 'proxy:eu', port: 2 });
    expect(await by('proxy:eu', true, { port: 3 })).toMatchObject({ owner: 'proxy:eu', port: 3 });
    expect(await store().proxies.find(id)).toMatchObject({ owner: 'proxy:eu', port: 3 });
  });

  it('has no heartbeat of a proxy that was discovered', async () => {
    const id = freshProxyId();

    await store().proxies.put(id, 'static', proxyDraft(), changeAt(0));

    expect(await store().proxies.find(id)).not.toHaveProperty('lastHeartbeatAt');
  });

  it('takes a repeated registration for a heartbeat and nothing else', async () => {
    const id = freshProxyId();
    await put(store(), id);
    await observe(store(), id, { health: 'healthy' });

    const again = await put(store(), id, {}, 7);

    expect(again).toEqual(registeredProxy(id, { health: 'healthy', healthChangedAt: at(1) }));
    expect((await recordsOf(store(), id)).map(({ action }) => action)).toEqual(['proxy.register', 'proxy.health']);
  });

  it('keeps the health when pool, weight or draining change', async () => {
    const id = freshProxyId();
    await put(store(), id);
    await observe(store(), id, { health: 'unhealthy', detail: 'rejected' });

    await put(store(), id, { pool: PREMIUM, weight: 7, isDraining: true }, 5);

    expect(await store().proxies.find(id)).toMatchObject({
      pool: PREMIUM,
      weight: 7,
      isDraining: true,
      health: 'unhealthy',
      healthDetail: 'rejected',
      healthChangedAt: at(1),
      registeredAt: at(0),
    });
  });

  it.each([{ host: '10.0.0.2' }, { port: 9001 }])('forgets the health when the address changes: %j', async (change) => {
    const id = freshProxyId();
    await put(store(), id);
    await observe(store(), id, { health: 'healthy', detail: 'fine' });

    const moved = await put(store(), id, change, 5);

    expect(moved).toEqual(registeredProxy(id, change));
  });

  it('rejects a proxy that is known from another source', async () => {
    const id = freshProxyId();
    await store().proxies.put(id, 'kubernetes', proxyDraft(), changeAt(0));

    await expect(put(store(), id)).rejects.toMatchObject({ code: 'MANAGED_ELSEWHERE', id, source: 'kubernetes' });
    expect((await store().proxies.find(id))?.source).toBe('kubernetes');
  });

  it.each(['', 'a\0b', '\ud800', 'h'.repeat(256)])('rejects the host %j', async (host) => {
    await expect(put(store(), freshProxyId(), { host })).rejects.toMatchObject({ code: 'INVALID_IDENTIFIER' });
  });

  it.each([
    ['a pool', { pool: parsePoolName(freshLabel()) }, (): ProxyBounds => ({ perPool: 3, inAll: Infinity })],
    ['all pools', {}, (known: number): ProxyBounds => ({ perPool: Infinity, inAll: known + 3 })],
  ])('registers no more proxies than %s may have, however many come at once', async (_, place, boundsOf) => {
    const bounds = boundsOf((await store().proxies.list()).length);
    const register = (id: ProxyId) =>
      store().proxies.put(id, 'registration', proxyDraft(place), changeAt(0), { bounds });
    const ids = Array.from({ length: 20 }, freshProxyId);

    const outcomes = await Promise.allSettled(ids.map(register));

    const registered = ids.filter((_id, index) => outcomes[index]?.status === 'fulfilled');
    expect(registered).toHaveLength(3);
    for (const outcome of outcomes) {
      expect(outcome.status === 'fulfilled' || outcome.reason.code).toEqual(
        outcome.status === 'fulfilled' || 'TOO_MANY_PROXIES',
      );
    }
    expect((await store().proxies.list()).filter(({ id }) => ids.includes(id))).toHaveLength(3);
    for (const id of registered) {
      await expect(register(id)).resolves.toMatchObject({ id });
    }
  });

  it('lets no more proxies move to a pool than it may have, however many come at once', async () => {
    const pool = parsePoolName(freshLabel());
    const ids = Array.from({ length: 10 }, freshProxyId);
    await Promise.all(ids.map((id) => put(store(), id)));
    const bounds = { perPool: 2, inAll: Infinity };

    const outcomes = await Promise.allSettled(
      ids.map((id) => store().proxies.put(id, 'registration', proxyDraft({ pool }), changeAt(1), { bounds })),
    );

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect((await store().proxies.list()).filter((proxy) => proxy.pool === pool)).toHaveLength(2);
  });

  it('registers a proxy once when it comes several times at once', async () => {
    const id = freshProxyId();

    await Promise.all([0, 1, 2, 3, 4].map((second) => put(store(), id, {}, second)));

    expect(await recordsOf(store(), id)).toHaveLength(1);
  });
}

function describeHeartbeat(store: () => Store): void {
  it('counts from the latest heartbeat, and records no action', async () => {
    const id = freshProxyId();
    await put(store(), id);
    await elapse();
    const before = await store().proxies.find(id);

    const proxy = await store().proxies.heartbeat(id, {});

    expect(proxy).toEqual(registeredProxy(id));
    expect(proxy?.lastHeartbeatAt?.getTime()).toBeGreaterThan(before?.lastHeartbeatAt?.getTime() ?? Infinity);
    expect(await recordsOf(store(), id)).toHaveLength(1);
  });

  it.each([-3_600_000, 3_600_000])('takes no time from a replica whose clock is %i ms off', async (skewMs) => {
    const id = freshProxyId();
    const change = { ...changeAt(0), at: new Date(Date.now() + skewMs) };
    await store().proxies.put(id, 'registration', proxyDraft(), change);
    await elapse();

    const silentMs = (await store().proxies.silences()).get(id);

    expect(silentMs).toBeGreaterThan(0);
    expect(silentMs).toBeLessThan(60_000);
  });

  it('counts no silence of proxies that were discovered', async () => {
    const id = freshProxyId();
    await store().proxies.put(id, 'static', proxyDraft(), changeAt(0));

    expect((await store().proxies.silences()).has(id)).toBe(false);
  });

  it('keeps what the last heartbeat said, and nothing of those before', async () => {
    const id = freshProxyId();
    await put(store(), id);
    const report = {
      instance: 'a1',
      version: '1.0.0',
      policy: { revision: 7, source: 'stream', age_seconds: 0.5, rejected: { revision: 8, reason: 'no driver' } },
    } as const;

    expect(await store().proxies.heartbeat(id, report)).toEqual(registeredProxy(id, report));
    expect(await store().proxies.find(id)).toEqual(registeredProxy(id, report));
    expect(await store().proxies.heartbeat(id, { version: '1.0.1' })).toEqual(
      registeredProxy(id, { version: '1.0.1' }),
    );
    expect(await store().proxies.find(id)).toEqual(registeredProxy(id, { version: '1.0.1' }));
  });

  it('keeps the report while health, pool or weight change, and forgets it with the address', async () => {
    const id = freshProxyId();
    await put(store(), id);
    await store().proxies.heartbeat(id, { instance: 'a1', policy: { source: 'none', age_seconds: 0 } });

    await observe(store(), id, { health: 'unhealthy' });
    expect(await put(store(), id, { pool: PREMIUM, weight: 7 }, 5)).toMatchObject({
      instance: 'a1',
      policy: { source: 'none' },
    });
    expect(await put(store(), id, { host: '10.0.0.2' }, 6)).toEqual(registeredProxy(id, { host: '10.0.0.2' }));
  });

  it('is undefined for a proxy that is unknown', async () => {
    expect(await store().proxies.heartbeat(freshProxyId(), {})).toBeUndefined();
  });

  it('keeps what a proxy says that was discovered, and counts no silence of it', async () => {
    const id = freshProxyId();
    await store().proxies.put(id, 'dns_srv', proxyDraft(), changeAt(0));

    expect(await store().proxies.heartbeat(id, { instance: 'a1' })).toMatchObject({
      source: 'dns_srv',
      instance: 'a1',
    });
    expect(await store().proxies.find(id)).toMatchObject({ instance: 'a1' });
    expect(await store().proxies.find(id)).not.toHaveProperty('lastHeartbeatAt');
    expect((await store().proxies.silences()).has(id)).toBe(false);
  });
}

function describeObserve(store: () => Store): void {
  it('keeps health, reason and since when', async () => {
    const id = freshProxyId();
    await put(store(), id);

    await observe(store(), id, { health: 'healthy', detail: '200' }, 1);
    await observe(store(), id, { health: 'healthy', detail: '204' }, 2);
    expect(await store().proxies.find(id)).toMatchObject({ healthDetail: '204', healthChangedAt: at(1) });

    await observe(store(), id, { health: 'unhealthy' }, 3);
    expect(await store().proxies.find(id)).toEqual(
      registeredProxy(id, { health: 'unhealthy', healthChangedAt: at(3) }),
    );
  });

  it('records each change of health, and nothing else', async () => {
    const id = freshProxyId();
    await put(store(), id);

    await observe(store(), id, { health: 'healthy', detail: '200' }, 1);
    await observe(store(), id, { health: 'healthy', detail: '204' }, 2);
    await observe(store(), id, { health: 'unhealthy', detail: 'timeout' }, 3);

    expect((await recordsOf(store(), id)).slice(1)).toMatchObject([
      { action: 'proxy.health', timestamp: at(1), detail: { from: 'unknown', to: 'healthy', reason: '200' } },
      { action: 'proxy.health', timestamp: at(3), detail: { from: 'healthy', to: 'unhealthy', reason: 'timeout' } },
    ]);
  });

  it('takes several observations of several proxies, in their order', async () => {
    const [one, two] = [freshProxyId(), freshProxyId()];
    await put(store(), one);
    await put(store(), two);

    await store().proxies.observe(
      [
        { id: two, health: 'healthy', at: at(1) },
        { id: one, health: 'healthy', at: at(1) },
        { id: one, health: 'unhealthy', at: at(2) },
      ],
      changeAt(2),
    );

    expect((await store().proxies.find(one))?.health).toBe('unhealthy');
    expect((await store().proxies.find(two))?.health).toBe('healthy');
  });

  it('keeps nothing of a proxy that is gone, or of an address that it has left', async () => {
    const [gone, moved] = [freshProxyId(), freshProxyId()];
    await put(store(), moved);
    await put(store(), moved, { port: 9001 }, 5);

    await observe(store(), gone, { health: 'healthy' }, 4);
    await observe(store(), moved, { health: 'healthy' }, 4);

    expect(await store().proxies.find(gone)).toBeUndefined();
    expect((await store().proxies.find(moved))?.health).toBe('unknown');
  });

  it('replaces what no store can keep in a reason', async () => {
    const id = freshProxyId();
    await put(store(), id);

    await observe(store(), id, { detail: 'a\0b\ud800' });

    expect((await store().proxies.find(id))?.healthDetail).toBe('a\ufffdb\ufffd');
  });

  it('accepts that nothing was observed', async () => {
    await expect(store().proxies.observe([], changeAt(0))).resolves.toBeUndefined();
  });
}

function describeRemoveAndList(store: () => Store): void {
  it('removes a proxy once, and tells so', async () => {
    const id = freshProxyId();
    await put(store(), id);

    expect(await store().proxies.remove(id, changeAt(3))).toBe(true);
    expect(await store().proxies.remove(id, changeAt(4))).toBe(false);

    expect(await store().proxies.find(id)).toBeUndefined();
    expect((await recordsOf(store(), id)).map(({ action }) => action)).toEqual(['proxy.register', 'proxy.remove']);
  });

  it('lists by pool, then by id, by code point', async () => {
    const [a, b] = [freshProxyId(), freshProxyId()].toSorted() as [ProxyId, ProxyId];
    const c = `${a}-z` as ProxyId;
    await put(store(), c, { pool: PREMIUM });
    await put(store(), b, { pool: PREMIUM });
    await put(store(), a, { pool: STANDARD });

    const own = (await store().proxies.list()).filter(({ id }) => [a, b, c].includes(id));

    expect(own.map(({ id }) => id)).toEqual([...[b, c].toSorted(), a]);
  });
}
