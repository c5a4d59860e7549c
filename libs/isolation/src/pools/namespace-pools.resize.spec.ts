import { describe, expect, it } from '@jest/globals';
import { NAMESPACES, PoolWorld, type WorldOptions } from '../../test/support/pool-world.js';
import { NamespacePools } from './namespace-pools.js';

const [RED, GREEN, BLUE] = NAMESPACES as [(typeof NAMESPACES)[0], (typeof NAMESPACES)[0], (typeof NAMESPACES)[0]];

function createWorld(options: Partial<WorldOptions> = {}): PoolWorld {
  return new PoolWorld({ maxTotal: 4, acquireTimeoutMs: 10_000, ...options });
}

/** Acquires so often, and waits until all is done that can be. */
async function acquire(world: PoolWorld, namespace: (typeof NAMESPACES)[0], count: number): Promise<void> {
  for (let made = 0; made < count; made++) {
    world.acquire(namespace);
  }
  await world.clock.advance(100);
}

async function releaseAll(world: PoolWorld): Promise<void> {
  world.in('leased').forEach((acquisition) => world.release(acquisition));
  await world.clock.advance(100);
}

describe(`${NamespacePools.name}.resize`, () => {
  it('closes idle connections beyond a lower cap', async () => {
    const world = createWorld();
    await acquire(world, RED, 4);
    await releaseAll(world);
    world.pools.resize(1);
    await world.clock.advance(10);
    expect([world.driver.total, world.pools.snapshot()]).toEqual([
      1,
      expect.objectContaining({ idle: 1, maxTotal: 1 }),
    ]);
  });

  it('takes nothing from who has it, and closes it when it is given back', async () => {
    const world = createWorld();
    await acquire(world, RED, 4);
    world.pools.resize(2);
    await world.clock.advance(100);
    expect([world.in('leased').length, world.driver.total]).toEqual([4, 4]);
    await releaseAll(world);
    expect(world.driver.total).toBe(2);
  });

  it('closes what is given back although others of its namespace wait for it', async () => {
    const world = createWorld();
    await acquire(world, RED, 6);
    world.pools.resize(2);
    const [held] = world.in('leased').map((acquisition) => () => world.release(acquisition));
    held?.();
    await world.clock.advance(100);
    expect([world.driver.total, world.in('leased').length, world.in('pending').length]).toEqual([3, 3, 2]);
  });

  it('asks what its part is before it opens a connection', async () => {
    const world = createWorld();
    let part = 3;
    world.pools.resize(() => part);
    await acquire(world, RED, 1);
    part = 1;
    await acquire(world, RED, 2);
    expect([world.driver.total, world.pools.snapshot().maxTotal]).toEqual([1, 1]);
    part = 2;
    world.pools.resize(() => part);
    await world.clock.advance(100);
    expect(world.driver.total).toBe(2);
  });

  it('closes what is leased beyond a ceiling at once, and what is being opened', async () => {
    const world = createWorld({ connectMs: 50 });
    await acquire(world, RED, 3);
    world.acquire(RED);
    await world.clock.advance(10);
    expect(world.pools.snapshot()).toMatchObject({ active: 3, opening: 1 });
    world.pools.resize(1);
    world.pools.closeBeyond(1);
    await world.clock.advance(100);
    expect(world.driver.total).toBe(1);
    world.pools.closeBeyond(1);
    expect(world.pools.snapshot()).toMatchObject({ active: 1 });
    world.pools.resize(0);
    world.pools.closeBeyond(0);
    await world.clock.advance(100);
    expect([world.driver.total, world.pools.snapshot().maxTotal]).toEqual([0, 0]);
  });

  it('closes again whenever the cap becomes lower', async () => {
    const world = createWorld();
    await acquire(world, RED, 4);
    await releaseAll(world);
    world.pools.resize(3);
    await world.clock.advance(10);
    world.pools.resize(2);
    await world.clock.advance(10);
    expect(world.driver.total).toBe(2);
  });

  it('opens nothing for who waits until there are fewer than the lower cap', async () => {
    const world = createWorld();
    await acquire(world, RED, 3);
    world.pools.resize(2);
    await acquire(world, GREEN, 1);
    const held = world.in('leased');
    held.slice(0, 1).forEach((acquisition) => world.release(acquisition));
    await world.clock.advance(100);
    expect([world.in('pending').length, world.driver.total]).toEqual([1, 2]);
    held.slice(1).forEach((acquisition) => world.release(acquisition));
    await world.clock.advance(100);
    expect([world.in('pending').length, world.in('leased').length, world.driver.total]).toEqual([0, 1, 2]);
  });

  it('opens for who waits when the cap becomes higher', async () => {
    const world = createWorld();
    world.pools.resize(1);
    await acquire(world, RED, 3);
    expect([world.in('leased').length, world.in('pending').length]).toEqual([1, 2]);
    world.pools.resize(3);
    await world.clock.advance(100);
    expect([world.in('leased').length, world.in('pending').length]).toEqual([3, 0]);
  });

  it('keeps what is reserved', async () => {
    const world = createWorld({ namespaces: new Map([[BLUE, { reserved: 2 }]]) });
    await acquire(world, BLUE, 2);
    await releaseAll(world);
    await acquire(world, RED, 2);
    await releaseAll(world);
    world.pools.resize(2);
    await world.clock.advance(10);
    expect([world.driver.sockets.get(BLUE), world.driver.sockets.get(RED)]).toEqual([2, 0]);
  });

  it('lets a connection be given back to what is reserved for its namespace', async () => {
    const world = createWorld({ namespaces: new Map([[BLUE, { reserved: 2 }]]) });
    await acquire(world, BLUE, 2);
    const held = world.in('leased');
    await acquire(world, RED, 2);
    world.pools.resize(2);
    held.forEach((acquisition) => world.release(acquisition));
    await world.clock.advance(100);
    expect(world.pools.find(BLUE)).toMatchObject({ idle: 2 });
    await releaseAll(world);
    expect([world.driver.sockets.get(BLUE), world.driver.sockets.get(RED)]).toEqual([2, 0]);
  });

  it('goes below what is reserved when that is all there is', async () => {
    const world = createWorld({ namespaces: new Map([[BLUE, { reserved: 3 }]]) });
    await acquire(world, BLUE, 3);
    await releaseAll(world);
    world.pools.resize(1);
    await world.clock.advance(10);
    expect(world.driver.total).toBe(1);
    world.pools.resize(0);
    await acquire(world, BLUE, 1);
    expect([world.driver.total, world.in('pending').length]).toEqual([0, 1]);
    world.pools.resize(9);
    await world.clock.advance(10);
    expect([world.in('leased').length, world.pools.maxTotal]).toEqual([1, 4]);
  });

  it.each([-1, 1.5, NaN])('rejects a cap of %p', (cap) => {
    expect(() => createWorld().pools.resize(cap)).toThrow(`expected a number of connections, found ${cap}`);
  });
});
