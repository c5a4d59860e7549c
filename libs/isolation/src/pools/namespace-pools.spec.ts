import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import { PoolWorld, type Acquisition } from '../../test/support/pool-world.js';
import { settled } from '../../test/support/virtual-clock.js';
import { NamespacePools } from './namespace-pools.js';

const RED = parseNamespaceId('red');
const GREEN = parseNamespaceId('green');

function states(acquisitions: readonly Acquisition[]): string[] {
  return acquisitions.map(({ state }) => state);
}

function connectionOf({ lease }: Acquisition): number | undefined {
  return lease?.connection.number;
}

describe(NamespacePools.name, () => {
  it('lease an idle connection without opening another', async () => {
    const world = new PoolWorld({ maxTotal: 2 });
    const first = world.acquire(RED);
    await world.clock.advance(5);
    world.release(first);
    world.acquire(RED);
    await settled();
    expect([world.driver.attempts, states(world.acquisitions)]).toEqual([1, ['released', 'leased']]);
  });

  it('lease the connection that was used last', async () => {
    const world = new PoolWorld({ maxTotal: 2 });
    const [first, second] = [world.acquire(RED), world.acquire(RED)];
    await world.clock.advance(10);
    const number = connectionOf(second);
    world.release(first);
    world.release(second);
    const third = world.acquire(RED);
    await settled();
    expect(connectionOf(third)).toBe(number);
  });

  it('open one connection at a time until the first has been made', async () => {
    const world = new PoolWorld({ maxTotal: 5 });
    for (let count = 0; count < 5; count++) {
      world.acquire(RED);
    }
    const first = world.driver.attempts;
    await world.clock.advance(5);
    expect([first, world.driver.attempts]).toEqual([1, 5]);
  });

  it('serve those who wait in the order in which they came', async () => {
    const world = new PoolWorld({ maxTotal: 1 });
    const [first, second, third] = [world.acquire(RED), world.acquire(RED), world.acquire(RED)];
    await world.clock.advance(5);
    world.release(first);
    await settled();
    expect(states([second, third])).toEqual(['leased', 'pending']);
  });

  it('let nobody overtake those who wait, not even at the moment of a release', async () => {
    const world = new PoolWorld({ maxTotal: 1 });
    const [first, second] = [world.acquire(RED), world.acquire(RED)];
    await world.clock.advance(5);
    world.release(first);
    const third = world.acquire(RED);
    await settled();
    expect(states([second, third])).toEqual(['leased', 'pending']);
  });

  it('forget at once whoever aborts', async () => {
    const world = new PoolWorld({ maxTotal: 1 });
    const [first, second, third] = [world.acquire(RED), world.acquire(RED), world.acquire(RED)];
    await world.clock.advance(5);
    second.controller.abort(new Error('gone'));
    world.release(first);
    await settled();
    expect([states([second, third]), second.error]).toEqual([['failed', 'leased'], new Error('gone')]);
  });

  it('reject at once an acquisition that is aborted already', async () => {
    const { pools, driver } = new PoolWorld({ maxTotal: 1 });
    await expect(pools.acquire(RED, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    expect(driver.attempts).toBe(0);
  });

  it('keep a connection that arrives after its acquisition was aborted', async () => {
    const world = new PoolWorld({ maxTotal: 1 });
    world.acquire(RED).controller.abort();
    await world.clock.advance(5);
    expect(world.pools.find(RED)).toMatchObject({ idle: 1, queued: 0 });
  });

  it('reject with their numbers when nothing came free in time', async () => {
    const world = new PoolWorld({ maxTotal: 1, acquireTimeoutMs: 100 });
    world.acquire(RED);
    await world.clock.advance(5);
    const late = world.acquire(RED);
    await world.clock.advance(100);
    expect(late.error).toMatchObject({
      code: 'POOL_TIMEOUT',
      message: 'pool "fake/red" gave no lease within 100 ms (active=1/1, queued=1)',
    });
  });

  it('reject at once when the queue is full', async () => {
    const world = new PoolWorld({ maxTotal: 1, maxQueued: 1 });
    world.acquire(RED);
    await world.clock.advance(5);
    const [second, third] = [world.acquire(RED), world.acquire(RED)];
    await settled();
    expect([states([second, third]), third.error]).toEqual([
      ['pending', 'failed'],
      expect.objectContaining({ code: 'POOL_EXHAUSTED', message: 'pool "fake/red" is exhausted (queued=1/1)' }),
    ]);
  });

  it('let nobody wait when the queue has no place, but open connections', async () => {
    const world = new PoolWorld({ maxTotal: 1, maxQueued: 0 });
    const [first, second] = [world.acquire(RED), world.acquire(RED)];
    await world.clock.advance(5);
    expect(states([first, second])).toEqual(['leased', 'failed']);
  });

  it('reject a namespace when as many as may have connections or wait', async () => {
    const world = new PoolWorld({ maxTotal: 1, maxNamespaces: 1 });
    world.acquire(RED);
    await world.clock.advance(5);
    const rejected = world.acquire(GREEN);
    await settled();
    expect(rejected.error).toMatchObject({ code: 'POOL_EXHAUSTED', bound: 'namespaces', max: 1 });
  });

  it('close connections that nobody has used for the idle time', async () => {
    const world = new PoolWorld({ maxTotal: 1, idleTimeoutMs: 1000 });
    const first = world.acquire(RED);
    await world.clock.advance(5);
    world.release(first);
    await world.clock.advance(1001);
    expect([world.driver.total, world.pools.snapshot().counters.reaped]).toEqual([0, 1]);
  });

  it('keep idle connections that are reserved', async () => {
    const namespaces = new Map([[RED, { reserved: 1 }]]);
    const world = new PoolWorld({ maxTotal: 2, namespaces, idleTimeoutMs: 1000 });
    const [first, second] = [world.acquire(RED), world.acquire(RED)];
    await world.clock.advance(10);
    world.release(first);
    world.release(second);
    await world.clock.advance(2000);
    expect(world.pools.find(RED)).toMatchObject({ idle: 1 });
  });

  it('forget a namespace that has nothing left, but not what it has counted', async () => {
    const world = new PoolWorld({ maxTotal: 1, idleTimeoutMs: 1000 });
    world.release(await leased(world));
    await world.clock.advance(1001);
    const between = world.pools.find(RED);
    world.release(await leased(world));
    expect([between, world.pools.find(RED)?.counters.acquired]).toEqual([undefined, 2]);
  });

  it.each([
    ['early', 0, 900],
    ['late', 1, 1100],
  ])('close a connection that is too old, up to a tenth %s, when it would be leased', async (_, random, lifetimeMs) => {
    const world = new PoolWorld({ maxTotal: 1, maxLifetimeMs: 1000, random: () => random });
    const first = world.acquire(RED);
    await world.clock.advance(5); // it takes so long to be opened
    world.release(first);
    await world.clock.advance(lifetimeMs - 1);
    const second = world.acquire(RED);
    await settled();
    const before = world.driver.attempts;
    world.release(second);
    await world.clock.advance(1);
    world.acquire(RED);
    await world.clock.advance(10);
    expect([before, world.driver.attempts, world.pools.snapshot().counters.expired]).toEqual([1, 2, 1]);
  });

  it('never lease a connection again that was marked unusable', async () => {
    const world = new PoolWorld({ maxTotal: 1 });
    world.release(await leased(world), { isUnusable: true });
    const next = world.acquire(RED);
    await world.clock.advance(10);
    expect([connectionOf(next), world.pools.snapshot().counters.discarded]).toEqual([2, 1]);
  });

  it('clean a connection before it is leased again', async () => {
    const world = new PoolWorld({ maxTotal: 1, resetMs: 2 });
    world.release(await leased(world));
    const next = world.acquire(RED);
    const atOnce = next.state;
    await world.clock.advance(2);
    expect([atOnce, next.state, next.lease?.connection.number]).toEqual(['pending', 'leased', 1]);
  });

  it('close a connection that cannot be cleaned', async () => {
    const world = new PoolWorld({ maxTotal: 1, resetMs: 2 });
    const first = await leased(world);
    world.driver.resetFailure = new Error('in a transaction');
    world.release(first);
    await world.clock.advance(3);
    expect([world.driver.total, world.pools.snapshot().counters.discarded]).toEqual([0, 1]);
  });

  it('close a connection that takes too long to be cleaned', async () => {
    const world = new PoolWorld({ maxTotal: 1, resetMs: 10_000, resetTimeoutMs: 100 });
    world.release(await leased(world));
    await world.clock.advance(101);
    expect(world.driver.total).toBe(0);
  });

  it('open no second connection while the first is being cleaned for the same client', async () => {
    const world = new PoolWorld({ maxTotal: 2, resetMs: 2 });
    world.release(await leased(world));
    world.acquire(RED);
    await world.clock.advance(10);
    expect(world.driver.attempts).toBe(1);
  });

  it('drop an idle connection at the moment when it is lost', async () => {
    const world = new PoolWorld({ maxTotal: 1 });
    const first = await leased(world);
    const connection = first.lease?.connection;
    world.release(first);
    connection?.lose();
    await world.clock.advance(1);
    expect(world.driver.total).toBe(0);
  });

  it('share one pool between all namespaces when told to', async () => {
    const { pools, clock } = new PoolWorld({ maxTotal: 1, isShared: true });
    const first = pools.acquire(RED);
    await clock.advance(5);
    (await first).release();
    using second = await pools.acquire(GREEN);
    expect([second.connection.number, pools.find(RED)]).toEqual([1, pools.find(GREEN)]);
  });
});

async function leased(world: PoolWorld): Promise<Acquisition> {
  const acquisition = world.acquire(RED);
  await world.clock.advance(10);
  return acquisition;
}
