import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import { PoolWorld } from '../../test/support/pool-world.js';
import { settled } from '../../test/support/virtual-clock.js';
import { NamespacePools } from './namespace-pools.js';

const RED = parseNamespaceId('red');

/** One lease, one idle connection, one that is opening and one waiter. */
async function createBusyWorld(): Promise<PoolWorld> {
  const world = new PoolWorld({ maxTotal: 3, connectMs: 5 });
  const [, idle] = [world.acquire(RED), world.acquire(RED)];
  await world.clock.advance(10);
  world.release(idle);
  return world;
}

describe(`${NamespacePools.name}: shutting down`, () => {
  it('gives no more leases when draining', async () => {
    const { pools } = new PoolWorld({ maxTotal: 1 });
    void pools.drain(1000);
    await expect(pools.acquire(RED)).rejects.toMatchObject({ code: 'POOL_CLOSED' });
  });

  it('rejects those who wait when draining begins', async () => {
    const world = new PoolWorld({ maxTotal: 1 });
    world.acquire(RED);
    await world.clock.advance(5);
    const waiting = world.acquire(RED);
    void world.pools.drain(1000);
    await settled();
    expect(waiting.error).toMatchObject({ code: 'POOL_CLOSED', state: 'draining' });
  });

  it('closes idle connections at once and leased ones when they are released', async () => {
    const world = await createBusyWorld();
    const drained = world.pools.drain(1000);
    await world.clock.advance(5);
    const [held] = world.in('leased');
    const before = world.driver.total;
    if (held !== undefined) {
      world.release(held);
    }
    await world.clock.advance(1);
    await drained;
    expect([before, world.driver.total, world.pools.state]).toEqual([1, 0, 'destroyed']);
  });

  it('destroys after the deadline what is still leased', async () => {
    const world = await createBusyWorld();
    const drained = world.pools.drain(1000);
    await world.clock.advance(1001);
    await drained;
    expect([world.driver.total, world.clock.timers]).toEqual([0, 0]);
  });

  it('takes back a lease whose connection was destroyed under it', async () => {
    const world = await createBusyWorld();
    void world.pools.destroy();
    await world.clock.advance(1);
    const [held] = world.in('leased');
    expect(() => held?.lease?.release()).not.toThrow();
  });

  it('aborts attempts to connect when destroyed', async () => {
    const world = new PoolWorld({ maxTotal: 1, connectMs: 10_000 });
    world.acquire(RED);
    const destroyed = world.pools.destroy();
    await settled();
    await destroyed;
    expect([world.driver.total, world.clock.timers]).toEqual([0, 0]);
  });

  it('may be drained and destroyed again', async () => {
    const { pools } = new PoolWorld({ maxTotal: 1 });
    await pools.destroy();
    await pools.drain(1000);
    expect(pools.state).toBe('destroyed');
  });
});
