import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { issueKafkaCertificate, requireKafka, type ClientCertificate } from '../../../test/support/test-services.js';
import { KafkaDriver } from '../src/backends/kafka/kafka-driver.js';
import type { KafkaConnectOptions } from '../src/backends/kafka/kafka-options.js';
import { NamespaceRejectedError } from '../src/pools/pool.errors.js';
import { TestAuthority, type IssuedCertificate } from './support/certificates.js';
import { KafkaWork, KafkaWorld } from './support/kafka-world.js';
import { SocketCounter } from './support/socket-counter.js';
import { waitUntil } from './support/wait-until.js';
import { ownTenant } from '../src/tenant-namespace.js';

let world: KafkaWorld;
let sockets: SocketCounter;

beforeAll(async () => {
  world = await KafkaWorld.start();
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

beforeEach(() => {
  sockets = new SocketCounter();
});

afterEach(() => {
  sockets[Symbol.dispose]();
});

const never = new AbortController().signal;

describe(KafkaDriver.name, () => {
  it('fails what is under way when it is closed', async () => {
    const driver = world.driver();
    await world.createTopics(`${world.acme}.${world.acme}.closing`);
    await using work = await KafkaWork.begin(driver, world.acme);
    await using messages = await work.kafka.consume('closing', { group: 'g' });
    const waiting = messages.next();
    const [consumed] = await Promise.allSettled([waiting, driver.close(work.connection)]);
    expect(consumed).toMatchObject({ status: 'rejected', reason: { code: 'CONNECTION_LOST' } });
    await expect(work.kafka.produce('closing', [{ value: 'x' }])).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
    expect([await world.countMembers(`${world.acme}.${world.acme}.g`), sockets.open]).toEqual([0, 0]);
  });

  it('has no more consumers and transactions at once than it may', async () => {
    await world.createTopics(`${world.acme}.${world.acme}.few`);
    await using work = await KafkaWork.begin(world.driver({ maxConsumers: 1 }), world.acme);
    {
      await using _messages = await work.kafka.consume('few', { group: 'one' });
      await expect(work.next().consume('few', { group: 'two' })).rejects.toMatchObject({ code: 'TOO_MANY_CONSUMERS' });
    }
    await using _messages = await work.kafka.consume('few', { group: 'two' });
    expect(await world.countMembers(`${world.acme}.${world.acme}.two`)).toBe(1);
  });
});

describe(`${KafkaDriver.name} and a server that does not answer`, () => {
  let server: Server;
  let accepted: Socket[];
  let config: KafkaConnectOptions;

  beforeEach(async () => {
    accepted = [];
    server = createServer((socket) => accepted.push(socket)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    config = { brokers: [`127.0.0.1:${typeof address === 'object' ? address?.port : 0}`] };
  });

  afterEach(() => {
    accepted.forEach((socket) => socket.destroy());
    server.close();
  });

  it('gives up by itself', async () => {
    const driver = world.driver({ config, timings: { requestTimeoutMs: 100 } });
    await expect(driver.connect(world.acme, never)).rejects.toThrow();
    expect(sockets.open).toBe(0);
  });
});

describe(`${KafkaDriver.name} with TLS`, () => {
  let own: ClientCertificate;
  let strange: IssuedCertificate;
  let stranger: TestAuthority;

  beforeAll(async () => {
    own = await issueKafkaCertificate(requireKafka().tlsDirectory, world.acme);
    stranger = await TestAuthority.create();
    strange = await stranger.issue(world.acme);
  });

  afterAll(async () => {
    await stranger[Symbol.asyncDispose]();
  });

  const driverWith = (tls: KafkaConnectOptions['tls']) =>
    world.driver({ config: () => ({ brokers: requireKafka().tlsBrokers, tls }) });

  it('is whom its certificate names', async () => {
    await world.provisioner().apply(ownTenant(world.acme), {
      principal: `User:${world.acme}`,
      topics: [{ name: 'by-certificate' }],
    });
    await using work = await KafkaWork.begin(driverWith({ ...own }), world.acme);
    expect(await work.kafka.produce('by-certificate', [{ value: 'x' }])).toHaveLength(1);
    await world.provisioner().remove(ownTenant(world.acme), { principal: `User:${world.acme}` });
  });

  it('takes the certificate that a session brings', async () => {
    const driver = driverWith({ ca: own.ca, cert: strange.cert, key: strange.key });
    const connection = await driver.connect(world.acme, never, { cert: own.cert, key: own.key });
    expect(driver.isUsable(connection)).toBe(true);
    await driver.close(connection);
  });

  it('does not talk to a server of another authority', async () => {
    const driver = driverWith({ ...own, ca: stranger.ca });
    const error: unknown = await driver.connect(world.acme, never).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(NamespaceRejectedError);
    await waitUntil(() => sockets.open === 0, 'no socket is left');
  });

  it('blames the namespace when its certificate is rejected', async () => {
    const driver = driverWith({ ca: own.ca, cert: strange.cert, key: strange.key });
    const error: unknown = await driver.connect(world.acme, never).catch((reason: unknown) => reason);
    expect([error instanceof NamespaceRejectedError, sockets.open]).toEqual([true, 0]);
  });

  it('blames the namespace when it has no certificate', async () => {
    const driver = driverWith({ ca: own.ca });
    const error: unknown = await driver.connect(world.acme, never).catch((reason: unknown) => reason);
    expect([error instanceof NamespaceRejectedError, sockets.open]).toEqual([true, 0]);
  });

  it('says what is wrong when the server wants TLS', async () => {
    const driver = world.driver({ config: { brokers: requireKafka().tlsBrokers } });
    await expect(driver.connect(world.acme, never)).rejects.toThrow('Broker requires TLS.');
  });
});
