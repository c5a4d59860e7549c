import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import { PoolWorld } from '../../test/support/pool-world.js';
import { settled } from '../../test/support/virtual-clock.js';
import { NamespacePools } from './namespace-pools.js';
import { NamespaceRejectedError } from './pool.errors.js';

const RED = parseNamespaceId('red');
const GREEN = parseNamespaceId('green');
const REFUSED = new Error('connection refused');

function rejectAll({ driver }: PoolWorld): void {
  driver.failure = () => REFUSED;
}

describe(`${NamespacePools.name}: outages`, () => {
  it('rejects the acquisition that a failed attempt was made for, and no other', async () => {
    const world = new PoolWorld({ maxTotal: 1 });
    rejectAll(world);
    const [first, second] = [world.acquire(RED), world.acquire(RED)];
    await world.clock.advance(5);
    expect([first.error, second.state]).toEqual([
      expect.objectContaining({ code: 'BACKEND_UNAVAILABLE', cause: REFUSED, retryAfterSeconds: 1 }),
      'pending',
    ]);
  });

  it('rejects nobody when the acquisition that an attempt was made for is gone', async () => {
    const world = new PoolWorld({ maxTotal: 1 });
    rejectAll(world);
    const [first, second] = [world.acquire(RED), world.acquire(RED)];
    first.controller.abort();
    await world.clock.advance(5);
    expect(second.state).toBe('pending');
  });

  it('serves those who wait when the backend comes back', async () => {
    const world = new PoolWorld({ maxTotal: 2 });
    rejectAll(world);
    const [, second, third] = [world.acquire(RED), world.acquire(RED), world.acquire(RED)];
    await world.clock.advance(5);
    world.driver.failure = undefined;
    await world.clock.advance(200);
    expect([second.state, third.state]).toEqual(['leased', 'leased']);
  });

  it('makes few attempts however many wait', async () => {
    const world = new PoolWorld({ maxTotal: 100, acquireTimeoutMs: 60_000, initialBackoffMs: 100, maxBackoffMs: 2000 });
    rejectAll(world);
    for (let count = 0; count < 500; count++) {
      world.acquire(parseNamespaceId(`n${count}`));
    }
    await world.clock.advance(5);
    const storm = world.driver.attempts;
    await world.clock.advance(20_000);
    expect([storm, world.driver.attempts]).toEqual([16, 16 + 16]);
  });

  it('opens one, then two, then four at once after an outage', async () => {
    const world = new PoolWorld({ maxTotal: 100 });
    rejectAll(world);
    for (let count = 0; count < 50; count++) {
      world.acquire(parseNamespaceId(`n${count}`));
    }
    await world.clock.advance(5);
    world.driver.failure = undefined;
    const attempts = [world.driver.attempts];
    await world.clock.advance(76);
    for (let round = 0; round < 3; round++) {
      await world.clock.advance(5);
      attempts.push(world.driver.attempts);
    }
    expect(attempts.map((count) => count - (attempts[0] ?? 0))).toEqual([0, 1 + 2, 1 + 2 + 4, 1 + 2 + 4 + 8]);
  });

  it('rejects newcomers at once while the backend is known to be down', async () => {
    const world = new PoolWorld({ maxTotal: 1 });
    rejectAll(world);
    world.acquire(RED);
    world.acquire(RED);
    await world.clock.advance(100);
    const newcomer = world.acquire(GREEN);
    await settled();
    expect(newcomer.error).toMatchObject({ code: 'BACKEND_UNAVAILABLE', failures: 2 });
  });

  it('lets newcomers wait for connections that their namespace has, also while no other can be made', async () => {
    const world = new PoolWorld({ maxTotal: 3 });
    const working = world.acquire(RED);
    await world.clock.advance(5);
    rejectAll(world);
    world.acquire(RED);
    world.acquire(RED);
    await world.clock.advance(100);
    const newcomer = world.acquire(RED);
    await settled();
    world.release(working);
    world.driver.failure = undefined;
    await world.clock.advance(1000);
    expect(newcomer.state).toBe('leased');
  });

  it('leases idle connections while no other can be made', async () => {
    const world = new PoolWorld({ maxTotal: 2 });
    const first = world.acquire(RED);
    await world.clock.advance(5);
    world.release(first);
    rejectAll(world);
    world.acquire(GREEN);
    world.acquire(GREEN);
    await world.clock.advance(100);
    const again = world.acquire(RED);
    await settled();
    expect(again.state).toBe('leased');
  });

  it('holds back only the namespace whose own credentials are rejected', async () => {
    const world = new PoolWorld({ maxTotal: 4 });
    world.driver.failure = (namespace) =>
      namespace === RED ? new NamespaceRejectedError(RED, { cause: new Error('wrong password') }) : undefined;
    for (let count = 0; count < 4; count++) {
      world.acquire(RED);
    }
    await world.clock.advance(100);
    const [red, green] = [world.acquire(RED), world.acquire(GREEN)];
    await world.clock.advance(5);
    expect([red.error, green.state]).toEqual([
      expect.objectContaining({ code: 'BACKEND_UNAVAILABLE', pool: 'fake/red' }),
      'leased',
    ]);
  });

  it('says that the backend was unavailable to whoever has waited in vain for it', async () => {
    const world = new PoolWorld({ maxTotal: 1, acquireTimeoutMs: 50, initialBackoffMs: 1000 });
    rejectAll(world);
    const [, second] = [world.acquire(RED), world.acquire(RED)];
    await world.clock.advance(50);
    expect(second.error).toMatchObject({ code: 'BACKEND_UNAVAILABLE', cause: REFUSED });
  });

  it('gives up an attempt that takes too long', async () => {
    const world = new PoolWorld({ maxTotal: 1, connectMs: 10_000, connectTimeoutMs: 100 });
    const first = world.acquire(RED);
    await world.clock.advance(100);
    expect([first.error, world.driver.total]).toEqual([
      expect.objectContaining({ cause: new Error('no connection within 100 ms') }),
      0,
    ]);
  });

  it('counts a connection that is unusable from the beginning as a failed attempt', async () => {
    const world = new PoolWorld({ maxTotal: 1 });
    world.driver.isUsable = () => false;
    world.acquire(RED);
    await world.clock.advance(10);
    expect([world.driver.total, world.pools.snapshot()]).toEqual([0, expect.objectContaining({ failures: 1 })]);
  });
});
