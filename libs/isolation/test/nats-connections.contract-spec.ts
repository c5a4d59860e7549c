import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { NatsDriver } from '../src/backends/nats/nats-driver.js';
import { NamespacePools } from '../src/pools/namespace-pools.js';
import { ACME, BOLT, next, NatsWork, NatsWorld } from './support/nats-world.js';
import { Wire } from './support/wire.js';
import { WorkContext } from './support/work-context.js';

let world: NatsWorld;

beforeAll(async () => {
  world = await NatsWorld.start();
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

describe(NatsDriver.name, () => {
  it('makes clients over its own connections only', () => {
    const foreign = Object.create(null) as Parameters<NatsDriver['scope']>[0];
    expect(() => world.driver().scope(foreign, ACME, new WorkContext())).toThrow(TypeError);
  });

  it('tells when the connection is cut, and never leases it again', async () => {
    await using wire = await Wire.open(world.port);
    await using work = await NatsWork.begin(world.driver({ config: { servers: `nats://127.0.0.1:${wire.port}` } }));
    const messages = next(await work.nats.subscribe('news'));
    const lost = new Promise<void>((resolve) => {
      work.driver.onLost(work.link, resolve);
    });
    wire.cut();
    await Promise.all([lost, expect(messages).rejects.toMatchObject({ code: 'CONNECTION_LOST' })]);
    expect(work.driver.isUsable(work.link)).toBe(false);
    await expect(work.nats.publish('a')).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
    await expect(work.nats.request('a')).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
    await expect(work.nats.jetstream.publish('a')).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
  });

  it('fails what is under way on a connection that is cut', async () => {
    await using wire = await Wire.open(world.port);
    await using work = await NatsWork.begin(world.driver({ config: { servers: `nats://127.0.0.1:${wire.port}` } }));
    await using _ = await work.nats.subscribe('slow');
    const asking = work.nats.request('slow');
    wire.stop();
    const publishing = work.nats.publish('a');
    setImmediate(() => wire.cut());
    await Promise.all([
      expect(asking).rejects.toMatchObject({ code: 'CONNECTION_LOST' }),
      expect(publishing).rejects.toMatchObject({ code: 'CONNECTION_LOST' }),
    ]);
  });

  it('gives up a connection on which the server does not answer', async () => {
    await using wire = await Wire.open(world.port);
    await using work = await NatsWork.begin(
      world.driver({ config: { servers: `nats://127.0.0.1:${wire.port}` }, confirmTimeoutMs: 100 }),
    );
    wire.stop();
    await expect(work.nats.publish('a')).rejects.toMatchObject({ code: 'BACKEND_TIMEOUT' });
    expect(work.driver.isUsable(work.link)).toBe(false);
  });
});

describe(`${NamespacePools.name} of NATS`, () => {
  let wire: Wire;

  beforeEach(async () => {
    wire = await Wire.open(world.port);
  });

  afterEach(async () => {
    await wire[Symbol.asyncDispose]();
    await world.waitForNone();
  });

  it('have one connection for each namespace, however many leases', async () => {
    const driver = world.driver({ config: { servers: `nats://127.0.0.1:${wire.port}` } });
    const pools = new NamespacePools({ name: 'nats', driver, isMultiplexed: true, maxTotal: 20 });
    const namespaces = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? ACME : BOLT));
    const leases = await Promise.all(namespaces.map((namespace) => pools.acquire(namespace)));
    expect([leases.length, wire.connections]).toEqual([20, 2]);
    for (const lease of leases) {
      lease.release();
    }
    await pools.drain(1_000);
  });
});
