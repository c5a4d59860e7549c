import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { NatsDriver } from '../src/backends/nats/nats-driver.js';
import { MultiplexingDriver } from '../src/pools/multiplexing-driver.js';
import { NamespacePools } from '../src/pools/namespace-pools.js';
import { ACME, BOLT, next, NatsWork, NatsWorld } from './support/nats-world.js';
import { waitUntil } from './support/wait-until.js';
import { WorkContext } from './support/work-context.js';

let world: NatsWorld;

beforeAll(async () => {
  world = await NatsWorld.start();
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

const { signal: NEVER } = new AbortController();

/** Stands between a client and the server, and can cut or stop what passes. */
class Wire implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isStopped = false;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open(to: number | 'nobody'): Promise<Wire> {
    const server = createServer().listen(0, '127.0.0.1');
    const wire = new Wire(server);
    server.on('connection', (client) => wire.#connect(client, to));
    await once(server, 'listening');
    return wire;
  }

  get url(): string {
    const address = this.#server.address();
    return `nats://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  }

  get connections(): number {
    return [...this.#sockets].filter((socket) => !socket.destroyed).length;
  }

  cut(): void {
    for (const socket of this.#sockets) {
      socket.destroy();
    }
  }

  /** From now on nothing passes, and nobody is told. */
  stop(): void {
    this.#isStopped = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    await once(this.#server.close(), 'close');
  }

  #connect(client: Socket, to: number | 'nobody'): void {
    this.#sockets.add(client);
    client.on('error', () => {});
    if (to === 'nobody') {
      client.resume();
      return;
    }
    const server = connect(to, '127.0.0.1');
    server.on('error', () => {});
    this.#pass(client, server);
    this.#pass(server, client);
  }

  #pass(from: Socket, to: Socket): void {
    from.on('data', (data) => this.#isStopped || to.write(data));
    from.on('close', () => to.destroy());
  }
}

describe(NatsDriver.name, () => {
  it('connects, and has closed the connection on the server when close resolves', async () => {
    const driver = world.driver();
    const link = await driver.connect(ACME, NEVER);
    expect([driver.isUsable(link), (await world.connections()).length]).toEqual([true, 1]);
    await driver.close(link);
    expect(driver.isUsable(link)).toBe(false);
    await world.waitForNone();
  });

  it('makes clients over its own connections only', () => {
    const foreign = Object.create(null) as Parameters<NatsDriver['scope']>[0];
    expect(() => world.driver().scope(foreign, ACME, new WorkContext())).toThrow(TypeError);
  });

  it('closes a connection twice', async () => {
    const driver = world.driver();
    const link = await driver.connect(ACME, NEVER);
    await Promise.all([driver.close(link), driver.close(link)]);
    await expect(driver.close(link)).resolves.toBeUndefined();
  });

  it('refuses a server that does not exist', async () => {
    const driver = world.driver({ config: { servers: 'nats://127.0.0.1:1' } });
    const error: unknown = await driver.connect(ACME, NEVER).catch((reason: unknown) => reason);
    expect(String(error)).toContain('connection refused');
    expect(driver.isNamespaceFailure(error)).toBe(false);
  });

  it('ends an attempt that is aborted while the server is silent, and leaves no socket', async () => {
    await using wire = await Wire.open('nobody');
    const controller = new AbortController();
    const driver = world.driver({ config: { servers: [wire.url, wire.url.replace('127.0.0.1', 'localhost')] } });
    const connecting = driver.connect(ACME, controller.signal);
    await waitUntil(() => wire.connections === 1, 'the server is reached');
    controller.abort(new Error('gone'));
    await expect(connecting).rejects.toThrow('gone');
    await waitUntil(() => wire.connections === 0, 'no socket is left');
  });

  it('tells when the connection is cut, and lends it no more', async () => {
    await using wire = await Wire.open(world.port);
    await using work = await NatsWork.begin(world.driver({ config: { servers: wire.url } }));
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
    await using work = await NatsWork.begin(world.driver({ config: { servers: wire.url } }));
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
    await using work = await NatsWork.begin(world.driver({ config: { servers: wire.url }, confirmTimeoutMs: 100 }));
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
    const driver = world.driver({ config: { servers: wire.url } });
    const pools = new NamespacePools({ name: 'nats', driver: new MultiplexingDriver(driver), maxTotal: 20 });
    const namespaces = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? ACME : BOLT));
    const leases = await Promise.all(namespaces.map((namespace) => pools.acquire(namespace)));
    expect([leases.length, wire.connections]).toEqual([20, 2]);
    for (const lease of leases) {
      lease.release();
    }
    await pools.drain(1_000);
  });

  it('never lend a connection again that was cut', async () => {
    const driver = world.driver({ config: { servers: wire.url } });
    const pools = new NamespacePools({ name: 'nats', driver: new MultiplexingDriver(driver), maxTotal: 4 });
    const [first, second] = await Promise.all([pools.acquire(ACME), pools.acquire(ACME)]);
    const { connection } = first;
    second.release();
    const asking = driver.scope(connection, ACME, new WorkContext()).request('slow');
    wire.cut();
    await expect(asking).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
    first.release();
    using third = await pools.acquire(ACME);
    expect(third.connection).not.toBe(connection);
    await using nats = driver.scope(third.connection, ACME, new WorkContext());
    await expect(nats.publish('a')).resolves.toBeUndefined();
    third.release();
    await pools.destroy();
  });
});
