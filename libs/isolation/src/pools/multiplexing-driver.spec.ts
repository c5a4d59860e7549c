import { describe, expect, it } from '@jest/globals';
import type { NamespaceId } from '@palisade/domain';
import { FakeDriver, type FakeConnection } from '../../test/support/fake-driver.js';
import { NAMESPACES } from '../../test/support/pool-world.js';
import { settled, VirtualClock } from '../../test/support/virtual-clock.js';
import { MultiplexingDriver } from './multiplexing-driver.js';
import { NamespacePools } from './namespace-pools.js';

const [RED, GREEN] = NAMESPACES as [NamespaceId, NamespaceId];

function createWorld() {
  const clock = new VirtualClock();
  const driver = new FakeDriver({ clock, connectMs: 5, closeMs: 1 });
  const shared = new MultiplexingDriver<FakeConnection>(driver);
  const connect = (namespace = RED, signal = new AbortController().signal) => shared.connect(namespace, signal);
  return { clock, driver, shared, connect };
}

/** What a promise has come to, for a look at one that may still be pending. */
function stateOf(promise: Promise<unknown>): { is: string } {
  const state = { is: 'pending' };
  promise.then(
    () => (state.is = 'fulfilled'),
    (error: unknown) => (state.is = error instanceof Error ? error.message : 'rejected'),
  );
  return state;
}

describe(MultiplexingDriver.name, () => {
  it('opens one connection for all of a namespace who connect at the same time', async () => {
    const { clock, driver, connect } = createWorld();
    const connecting = Promise.all([connect(), connect(), connect()]);
    await clock.advance(5);
    expect(new Set(await connecting).size).toBe(1);
    expect(driver.attempts).toBe(1);
  });

  it('lets those who connect later join it', async () => {
    const { clock, driver, connect } = createWorld();
    const first = connect();
    await clock.advance(5);
    expect(await connect()).toBe(await first);
    expect(driver.attempts).toBe(1);
  });

  it('gives each namespace a connection of its own', async () => {
    const { clock, connect } = createWorld();
    const connecting = Promise.all([connect(RED), connect(GREEN)]);
    await clock.advance(5);
    const [red, green] = await connecting;
    expect([red?.namespace, green?.namespace]).toEqual([RED, GREEN]);
  });

  it('closes the connection when the last who has it closes it', async () => {
    const { clock, driver, shared, connect } = createWorld();
    const connecting = Promise.all([connect(), connect()]);
    await clock.advance(5);
    const [connection] = await connecting;
    await shared.close(connection);
    expect(connection.isClosed).toBe(false);
    void shared.close(connection);
    await clock.advance(1);
    expect([connection.isClosed, driver.total]).toEqual([true, 0]);
  });

  it('does not open the next connection before the former one has closed', async () => {
    const { clock, driver, shared, connect } = createWorld();
    const first = connect();
    await clock.advance(5);
    void shared.close(await first);
    const second = connect();
    await clock.advance(6);
    expect((await second).isClosed).toBe(false);
    expect(driver.peak).toBe(1);
  });

  it('leaves others alone when one who waits aborts', async () => {
    const { clock, connect } = createWorld();
    const controller = new AbortController();
    const impatient = stateOf(connect(RED, controller.signal));
    const patient = stateOf(connect());
    controller.abort(new Error('gone'));
    await settled();
    expect([impatient.is, patient.is]).toEqual(['gone', 'pending']);
    await clock.advance(5);
    expect(patient.is).toBe('fulfilled');
  });

  it('aborts the attempt when nobody waits for it any more', async () => {
    const { clock, driver, connect } = createWorld();
    const controller = new AbortController();
    const attempts = [connect(RED, controller.signal), connect(RED, controller.signal)].map(stateOf);
    controller.abort(new Error('gone'));
    await settled();
    expect([...attempts.map(({ is }) => is), driver.total, clock.timers]).toEqual(['gone', 'gone', 0, 0]);
  });

  it('tells all who wait why the attempt has failed, and tries again for the next', async () => {
    const { clock, driver, connect } = createWorld();
    driver.failure = () => new Error('rejected');
    const failing = [connect(), connect()].map(stateOf);
    await clock.advance(5);
    expect(failing.map(({ is }) => is)).toEqual(['rejected', 'rejected']);
    driver.failure = undefined;
    const next = stateOf(connect());
    await clock.advance(5);
    expect([next.is, driver.attempts]).toEqual(['fulfilled', 2]);
  });

  it('tells everybody who has the connection when it is lost, and opens another for the next', async () => {
    const { clock, shared, connect } = createWorld();
    const connecting = Promise.all([connect(), connect()]);
    await clock.advance(5);
    const [connection] = await connecting;
    const told: string[] = [];
    shared.onLost(connection, () => told.push('first'));
    shared.onLost(connection, () => told.push('second'));
    connection.lose();
    const next = connect();
    await clock.advance(5);
    expect(told).toEqual(['first', 'second']);
    expect(shared.isUsable(connection)).toBe(false);
    expect(shared.isUsable(await next)).toBe(true);
  });

  it('does not let anybody join a connection that is not usable', async () => {
    const { clock, connect } = createWorld();
    const first = connect();
    await clock.advance(5);
    (await first).isBroken = true;
    const second = connect();
    await clock.advance(5);
    expect(await second).not.toBe(await first);
  });

  it('does not let anybody join a connection that is lost, whatever the driver says of it', async () => {
    const { clock, driver, connect } = createWorld();
    driver.isUsable = () => true;
    const first = connect();
    await clock.advance(5);
    (await first).lose();
    const second = connect();
    await clock.advance(5);
    expect(await second).not.toBe(await first);
  });

  it('forgets those who need not be told of a loss any more', async () => {
    const { clock, shared, connect } = createWorld();
    const first = connect();
    await clock.advance(5);
    const told: string[] = [];
    shared.onLost(await first, () => told.push('first'))();
    (await first).lose();
    expect(told).toEqual([]);
  });
});

describe(`${NamespacePools.name} over a ${MultiplexingDriver.name}`, () => {
  function createPools() {
    const { clock, driver, shared } = createWorld();
    const pools = new NamespacePools({ name: 'fake', driver: shared, maxTotal: 4, maxPerNamespace: 3, clock });
    return { clock, driver, pools };
  }

  it('lease one socket as often at a time as the limits say', async () => {
    const { clock, driver, pools } = createPools();
    const acquisitions = Array.from({ length: 4 }, () => pools.acquire(RED));
    const states = acquisitions.map(stateOf);
    await clock.advance(10);
    const leases = await Promise.all(acquisitions.slice(0, 3));
    expect(states.map(({ is }) => is)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'pending']);
    expect(driver.peak).toBe(1);
    leases[0]?.release();
    await settled();
    expect(states[3]?.is).toBe('fulfilled');
  });

  it('keep the socket while one lease is left, and close it after the last', async () => {
    const { clock, driver, pools } = createPools();
    const acquisitions = [pools.acquire(RED), pools.acquire(RED)];
    await clock.advance(10);
    const [first, second] = await Promise.all(acquisitions);
    first?.markUnusable();
    first?.release();
    await settled();
    expect([driver.total, second?.connection.isClosed]).toEqual([1, false]);
    second?.release();
    const ended = pools.drain(0);
    await clock.advance(1);
    await ended;
    expect(driver.total).toBe(0);
  });

  it('need not be told of losses any more once they have closed a connection', async () => {
    const { clock, driver } = createWorld();
    const told = new Set<() => void>();
    const listening = Object.assign(driver, {
      onLost: (_: FakeConnection, listener: () => void) => {
        told.add(listener);
        return () => told.delete(listener);
      },
    });
    const pools = new NamespacePools({ name: 'fake', driver: listening, maxTotal: 1, clock });
    const acquiring = pools.acquire(RED);
    await clock.advance(5);
    expect(told.size).toBe(1);
    (await acquiring).markUnusable();
    (await acquiring).release();
    await clock.advance(1);
    expect(told.size).toBe(0);
  });

  it('discard all idle connections of a socket that is lost', async () => {
    const { clock, pools } = createPools();
    const acquisitions = [pools.acquire(RED), pools.acquire(RED)];
    await clock.advance(10);
    const [first, second] = await Promise.all(acquisitions);
    const connection = first?.connection;
    first?.release();
    second?.release();
    connection?.lose();
    await clock.advance(1);
    expect(pools.snapshot()).toMatchObject({ idle: 0, closing: 0, namespaces: 0 });
  });
});
