import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId, type NamespaceId } from '@palisade/domain';
import { PoolWorld, type WorldOptions } from '../../test/support/pool-world.js';
import { NamespacePools } from './namespace-pools.js';
import { SHARED } from './pool-settings.js';

const RED = parseNamespaceId('red');
const GREEN = parseNamespaceId('green');
const BLUE = parseNamespaceId('blue');
const JOB_MS = 50;

/** Jobs per second of each namespace, each with so many clients that do one job after the other. */
async function measure(options: WorldOptions, clients: Readonly<Record<string, number>>, seconds = 20) {
  const world = new PoolWorld(options);
  const jobs = new Map<string, number>();
  for (const [name, count] of Object.entries(clients)) {
    for (let client = 0; client < count; client++) {
      void runClient(world, parseNamespaceId(name), () => jobs.set(name, (jobs.get(name) ?? 0) + 1));
    }
  }
  await world.clock.advance(seconds * 1000);
  const rates = Object.fromEntries([...jobs].map(([name, count]) => [name, count / seconds]));
  return { rates, counters: world.pools.snapshot().counters, peak: world.driver.peak };
}

async function runClient({ pools, clock }: PoolWorld, namespace: NamespaceId, onJob: () => void): Promise<never> {
  for (;;) {
    using lease = await pools.acquire(namespace);
    await new Promise<void>((resolve) => {
      clock.setTimer(resolve, JOB_MS);
    });
    lease.release();
    onJob();
  }
}

/** A world in which a namespace has idle connections. */
async function withIdle(options: WorldOptions, namespace: NamespaceId, count: number): Promise<PoolWorld> {
  const world = new PoolWorld(options);
  const acquisitions = Array.from({ length: count }, () => world.acquire(namespace));
  await world.clock.advance(20);
  for (const acquisition of acquisitions) {
    world.release(acquisition);
  }
  return world;
}

describe(`${NamespacePools.name}: fairness`, () => {
  it('gives a quiet namespace beside a noisy one what it has alone, and wastes nothing', async () => {
    const { rates, peak } = await measure({ maxTotal: 5, resetMs: 1 }, { noisy: 20, quiet: 1 });
    const alone = await measure({ maxTotal: 5, resetMs: 1 }, { quiet: 1 });
    expect(rates.quiet).toBeGreaterThan(0.98 * (alone.rates.quiet ?? NaN));
    expect((rates.quiet ?? 0) + (rates.noisy ?? 0)).toBeGreaterThan(0.97 * (5 / (JOB_MS + 1)) * 1000);
    expect(peak).toBe(5);
  });

  it('gives four quiet namespaces of two clients their full demand beside a flood of 100', async () => {
    const { rates } = await measure({ maxTotal: 10 }, { flood: 100, a: 2, b: 2, c: 2, d: 2 });
    for (const name of ['a', 'b', 'c', 'd', 'flood']) {
      expect(rates[name]).toBeGreaterThan(0.98 * 40);
    }
  });

  it('divides an odd slot evenly in the long run', async () => {
    const { rates } = await measure({ maxTotal: 5 }, { red: 20, green: 20 });
    expect((rates.red ?? 0) / (rates.green ?? 0)).toBeCloseTo(1, 1);
  });

  it('divides slots by weight', async () => {
    const namespaces = new Map([[RED, { weight: 3 }]]);
    const { rates } = await measure({ maxTotal: 8, namespaces }, { red: 20, green: 20 });
    expect((rates.red ?? 0) / (rates.green ?? 0)).toBeCloseTo(3, 0);
  });

  it('leaves out none of more namespaces than there are slots', async () => {
    const clients = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`n${index}`, 3]));
    const { rates } = await measure({ maxTotal: 3 }, clients);
    const shares = Object.values(rates);
    expect(shares).toHaveLength(30);
    expect(Math.max(...shares) / Math.min(...shares)).toBeLessThan(1.2);
  });

  it('moves no slot back and forth between namespaces that have their shares', async () => {
    const { counters } = await measure({ maxTotal: 4 }, { red: 20, green: 20 });
    expect(counters.handedOver).toBeLessThanOrEqual(2);
  });

  it('closes a connection and opens another instead of handing one over', async () => {
    const world = new PoolWorld({ maxTotal: 1 });
    const red = world.acquire(RED);
    await world.clock.advance(5);
    const green = world.acquire(GREEN);
    await world.clock.advance(100);
    world.release(red);
    await world.clock.advance(10);
    expect([green.lease?.connection.number, world.driver.peak]).toEqual([2, 1]);
  });

  it('keeps what is reserved free for the namespace, used or not', async () => {
    const namespaces = new Map([[RED, { reserved: 2 }]]);
    const world = new PoolWorld({ maxTotal: 5, namespaces });
    for (let count = 0; count < 10; count++) {
      world.acquire(GREEN);
    }
    await world.clock.advance(20);
    const [first, second] = [world.acquire(RED), world.acquire(RED)];
    await world.clock.advance(20);
    expect([world.in('leased').length, first.state, second.state]).toEqual([5, 'leased', 'leased']);
  });

  it('hands over nothing that is reserved', async () => {
    const world = new PoolWorld({ maxTotal: 1, namespaces: new Map([[RED, { reserved: 1 }]]) });
    const red = world.acquire(RED);
    await world.clock.advance(5);
    const green = world.acquire(GREEN);
    await world.clock.advance(100);
    world.release(red);
    await world.clock.advance(10);
    expect([green.state, world.pools.find(RED)?.idle]).toEqual(['pending', 1]);
  });

  it('lets a new connection serve its namespace before it moves on between equals', async () => {
    const world = new PoolWorld({ maxTotal: 1, connectMs: 0, closeMs: 0 });
    const [first, second, green] = [world.acquire(RED), world.acquire(RED), world.acquire(GREEN)];
    await world.clock.advance(1);
    expect([first.state, second.state, green.state]).toEqual(['leased', 'pending', 'pending']);
  });

  it('evicts an idle connection of the namespace that has most', async () => {
    const world = await withIdle({ maxTotal: 3 }, RED, 3);
    const green = world.acquire(GREEN);
    await world.clock.advance(10);
    expect([green.state, world.pools.find(RED)?.idle]).toEqual(['leased', 2]);
  });

  it('evicts the only connection of a namespace for one with more only after the grace', async () => {
    const world = await withIdle({ maxTotal: 3, evictionGraceMs: 50 }, RED, 1);
    for (let count = 0; count < 3; count++) {
      world.acquire(GREEN);
    }
    await world.clock.advance(40);
    const within = world.pools.find(RED)?.idle;
    await world.clock.advance(40);
    expect([within, world.pools.find(RED), world.in('leased').length]).toEqual([1, undefined, 3]);
  });

  it('evicts nothing that is reserved', async () => {
    const namespaces = new Map([[RED, { reserved: 1 }]]);
    const world = await withIdle({ maxTotal: 2, namespaces }, RED, 2);
    world.acquire(GREEN);
    world.acquire(BLUE);
    await world.clock.advance(1000);
    expect([world.pools.find(RED)?.idle, world.in('leased').length]).toEqual([1, 1]);
  });

  it('gives the slot of a connection that is just closing to whoever waits, and evicts no other', async () => {
    const world = await withIdle({ maxTotal: 2, closeMs: 5 }, RED, 2);
    const broken = world.acquire(RED);
    await world.clock.advance(0);
    world.release(broken, { isUnusable: true });
    const green = world.acquire(GREEN);
    await world.clock.advance(20);
    expect([green.state, world.pools.snapshot().counters.evicted]).toEqual(['leased', 0]);
  });

  it.each([
    [1, { shared: 2, red: 2, green: 2 }],
    [4, { shared: 4, red: 1, green: 1 }],
  ])('gives all that share one part of weight %p beside namespaces', async (weight, expected) => {
    const world = new PoolWorld({ maxTotal: 6, evictionGraceMs: 0, namespaces: new Map([[SHARED, { weight }]]) });
    const flood = (namespace: typeof RED) => Array.from({ length: 20 }, () => world.acquire(namespace));
    [RED, GREEN, SHARED].forEach(flood);
    for (let round = 0; round < 40; round++) {
      await world.clock.advance(20);
      world.in('leased').forEach((each) => {
        world.release(each);
        world.acquire(each.namespace);
      });
    }
    await world.clock.advance(20);
    const held = (namespace: typeof RED) => world.in('leased').filter((each) => each.namespace === namespace).length;
    expect({ shared: held(SHARED), red: held(RED), green: held(GREEN) }).toEqual(expected);
  });
});
