import { describe, expect, it } from '@jest/globals';
import { NAMESPACES, PoolWorld } from '../../test/support/pool-world.js';
import { NamespacePools } from './namespace-pools.js';
import { NamespaceRejectedError } from './pool.errors.js';

const [RED, GREEN] = NAMESPACES as [(typeof NAMESPACES)[0], (typeof NAMESPACES)[0]];
const WRONG = { password: 'wrong' };

describe(`${NamespacePools.name}.acquireOwn`, () => {
  it('opens a connection for each lease, and closes it on release', async () => {
    const world = new PoolWorld({ maxTotal: 3 });
    const shared = world.acquire(RED);
    await world.clock.advance(10);
    world.release(shared);
    const own = world.acquireOwn(RED, { user: 'ann' });
    await world.clock.advance(10);
    expect(own.lease?.connection).toMatchObject({ number: 2, credentials: { user: 'ann' } });
    expect(world.pools.find(RED)).toMatchObject({ active: 1, idle: 1 });
    world.release(own);
    await world.clock.advance(10);
    expect(world.pools.find(RED)).toMatchObject({ active: 0, idle: 1 });
  });

  it('waits for a slot of the cap, and within the maximum of its namespace', async () => {
    const world = new PoolWorld({ maxTotal: 3, maxPerNamespace: 1 });
    const [first, second] = [world.acquireOwn(RED), world.acquireOwn(RED)];
    await world.clock.advance(10);
    expect([first.state, second.state, world.pools.find(RED)?.queued]).toEqual(['leased', 'pending', 1]);
    world.release(first);
    await world.clock.advance(10);
    expect(second.state).toBe('leased');
  });

  it('has an idle connection of its own namespace, or of another one, make way', async () => {
    const world = new PoolWorld({ maxTotal: 2, maxPerNamespace: 1, namespaces: new Map([[RED, { reserved: 1 }]]) });
    const shared = [world.acquire(RED), world.acquire(GREEN)];
    await world.clock.advance(10);
    shared.forEach((each) => world.release(each));
    const own = [world.acquireOwn(RED), world.acquireOwn(GREEN)];
    await world.clock.advance(10);
    expect(own.map(({ state }) => state)).toEqual(['leased', 'leased']);
    expect(world.driver.total).toBe(2);
  });

  it('gets the slot that comes back before those who have waited for a shorter time', async () => {
    const world = new PoolWorld({ maxTotal: 1 });
    const first = world.acquire(RED);
    await world.clock.advance(10);
    const own = world.acquireOwn(RED);
    await world.clock.advance(1);
    const later = world.acquire(RED);
    world.release(first);
    await world.clock.advance(10);
    expect([own.state, later.state]).toEqual(['leased', 'pending']);
  });

  it('aborts the attempt to connect with its caller, and finds no fault with the backend', async () => {
    const world = new PoolWorld({ maxTotal: 1, connectMs: 1000 });
    const own = world.acquireOwn(RED);
    await world.clock.advance(10);
    own.controller.abort(new Error('gone'));
    await world.clock.advance(1);
    expect([own.error, world.driver.total, world.pools.snapshot().failures]).toEqual([new Error('gone'), 0, 0]);
  });

  it('blames nobody else for credentials that it has brought', async () => {
    const world = new PoolWorld({ maxTotal: 2 });
    world.driver.failure = (namespace) => new NamespaceRejectedError(namespace, { cause: new Error('wrong password') });
    const own = world.acquireOwn(RED, WRONG);
    await world.clock.advance(10);
    expect(own.error).toMatchObject({ code: 'BACKEND_UNAVAILABLE', cause: { code: 'NAMESPACE_REJECTED' } });
    world.driver.failure = undefined;
    const shared = world.acquire(RED);
    await world.clock.advance(10);
    expect([shared.state, world.pools.snapshot().failures]).toEqual(['leased', 0]);
  });

  it('is rejected at once in an outage, also while its namespace has other connections', async () => {
    const world = new PoolWorld({ maxTotal: 5 });
    world.acquire(RED);
    await world.clock.advance(10);
    world.driver.failure = () => new Error('connection refused');
    const attempts = [world.acquireOwn(RED)];
    await world.clock.advance(200);
    attempts.push(world.acquireOwn(RED));
    await world.clock.advance(10);
    const late = world.acquireOwn(RED);
    await world.clock.advance(0);
    expect([...attempts, late].map(({ error }) => error)).toEqual(
      Array.from({ length: 3 }, () => expect.objectContaining({ code: 'BACKEND_UNAVAILABLE' })),
    );
  });

  it('tells its holder that it is lost', async () => {
    const world = new PoolWorld({ maxTotal: 1 });
    let losses = 0;
    const leasing = world.pools.acquireOwn(RED, { onLost: () => losses++ });
    await world.clock.advance(10);
    const lease = await leasing;
    lease.connection.lose();
    lease.release();
    await world.clock.advance(10);
    expect([losses, world.driver.total]).toEqual([1, 0]);
  });

  it('is nobody else’s also where one connection serves many', async () => {
    const world = new PoolWorld({ maxTotal: 4, isMultiplexed: true });
    const all = [world.acquire(RED), world.acquire(RED), world.acquireOwn(RED), world.acquireOwn(RED)];
    await world.clock.advance(20);
    const [first, second, ...own] = all.map(({ lease }) => lease?.connection);
    expect([second, new Set([first, ...own]).size]).toEqual([first, 3]);
    all.forEach((each) => world.release(each));
    await world.clock.advance(10);
    expect(world.driver.total).toBe(1);
  });
});

describe(`${NamespacePools.name}.reconfigure`, () => {
  it('closes idle connections beyond a lower maximum, and leased ones when they come back', async () => {
    const world = new PoolWorld({ maxTotal: 4 });
    const [first, second, third] = [world.acquire(RED), world.acquire(RED), world.acquire(RED)];
    await world.clock.advance(10);
    world.release(first);
    world.reconfigure({ maxTotal: 4, maxPerNamespace: 1 });
    await world.clock.advance(10);
    expect(world.driver.total).toBe(2);
    world.release(second);
    world.release(third);
    await world.clock.advance(10);
    expect(world.pools.find(RED)).toMatchObject({ idle: 1, max: 1 });
  });

  it('lets those who wait have what is allowed now', async () => {
    const world = new PoolWorld({ maxTotal: 2, maxPerNamespace: 1 });
    const [, waiting] = [world.acquire(RED), world.acquire(RED)];
    await world.clock.advance(10);
    world.reconfigure({ maxTotal: 2, maxPerNamespace: 2 });
    await world.clock.advance(10);
    expect(waiting.state).toBe('leased');
  });

  it('makes room for a reservation', async () => {
    const world = new PoolWorld({ maxTotal: 2 });
    const held = [world.acquire(RED), world.acquire(RED)];
    await world.clock.advance(10);
    held.forEach((each) => world.release(each));
    world.reconfigure({ maxTotal: 2, namespaces: new Map([[GREEN, { reserved: 1 }]]) });
    await world.clock.advance(10);
    expect(world.driver.total).toBe(1);
    const own = world.acquire(GREEN);
    await world.clock.advance(10);
    expect(own.state).toBe('leased');
  });

  it('applies another timeout to those who wait already', async () => {
    const world = new PoolWorld({ maxTotal: 1, acquireTimeoutMs: 1000 });
    world.acquire(RED);
    await world.clock.advance(10);
    const waiting = world.acquire(RED);
    world.reconfigure({ maxTotal: 1, acquireTimeoutMs: 50 });
    await world.clock.advance(50);
    expect(waiting.error).toMatchObject({ code: 'POOL_TIMEOUT' });
  });

  it('keeps no connection of a namespace that shares none any more', async () => {
    const world = new PoolWorld({ maxTotal: 3 });
    const [idle, leased] = [world.acquire(RED), world.acquire(RED)];
    await world.clock.advance(10);
    world.release(idle);
    world.unpooled.add(RED);
    world.pools.refresh();
    await world.clock.advance(10);
    expect(world.driver.total).toBe(1);
    world.release(leased);
    await world.clock.advance(10);
    expect(world.driver.total).toBe(0);
  });
});
