import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { requireKafka } from '../../../test/support/test-services.js';
import type { KafkaConnection } from '../src/backends/kafka/kafka-connection.js';
import type { KafkaMessage } from '../src/backends/kafka/kafka-message.js';
import type { KafkaDriver } from '../src/backends/kafka/kafka-driver.js';
import { ScopedKafka } from '../src/backends/kafka/scoped-kafka.js';
import { NamespacePools } from '../src/pools/namespace-pools.js';
import { HOSTILE_NAMES } from './support/hostile-names.js';
import { KafkaWork, KafkaWorld } from './support/kafka-world.js';
import { WorkContext } from './support/work-context.js';
import { ownTenant } from '../src/tenant-namespace.js';

let world: KafkaWorld;

beforeAll(async () => {
  world = await KafkaWorld.start();
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

/** The first messages of a topic. */
async function read(kafka: ScopedKafka, topic: string, count: number): Promise<KafkaMessage[]> {
  await using messages = await kafka.consume(topic, { group: 'readers', from: 'earliest' });
  const found: KafkaMessage[] = [];
  for await (const message of messages) {
    found.push(message);
    if (found.length === count) {
      break;
    }
  }
  return found;
}

describe(`${ScopedKafka.name} of two namespaces`, () => {
  it('never sees the other’s messages in 1,000 interleaved requests', async () => {
    const { acme, acme2 } = world;
    await world.createTopics(`${acme}.${acme}.orders`, `${acme2}.${acme2}.orders`);
    const driver = world.driver();
    const pools = new NamespacePools<KafkaConnection>({
      name: 'kafka',
      driver,
      isMultiplexed: true,
      maxTotal: 8,
    });
    const request = async (index: number) => {
      const namespace = index % 2 === 0 ? acme : acme2;
      using lease = await pools.acquire(namespace);
      await using kafka = driver.scope(lease.connection, namespace, new WorkContext());
      await kafka.produce('orders', [{ key: `order ${index}`, value: namespace }]);
    };
    await Promise.all(Array.from({ length: 1000 }, (_, index) => request(index)));
    for (const namespace of [acme, acme2]) {
      using lease = await pools.acquire(namespace);
      await using kafka = driver.scope(lease.connection, namespace, new WorkContext());
      const messages = await read(kafka, 'orders', 500);
      expect(new Set(messages.map(({ value }) => value?.toString()))).toEqual(new Set([namespace]));
      expect(new Set(messages.map(({ key }) => key?.toString())).size).toBe(500);
      expect(new Set(messages.map(({ topic }) => topic))).toEqual(new Set(['orders']));
    }
    await pools.destroy();
  });

  it('keeps groups of one name apart', async () => {
    const { acme, acme2 } = world;
    await world.createTopics(`${acme}.${acme}.shared`, `${acme2}.${acme2}.shared`);
    await using one = await KafkaWork.begin(world.driver(), acme);
    await using other = await KafkaWork.begin(world.driver(), acme2);
    await using _one = await one.kafka.consume('shared', { group: 'workers' });
    await using _other = await other.kafka.consume('shared', { group: 'workers' });
    expect([
      await world.countMembers(`${acme}.${acme}.workers`),
      await world.countMembers(`${acme2}.${acme2}.workers`),
    ]).toEqual([1, 1]);
    expect(await world.countMembers('workers')).toBe(0);
  });

  const rejected = [...HOSTILE_NAMES, '', '.', '.orders', 'orders.', 'a'.repeat(250), 'ord/ers', 'ｏrders'].filter(
    (name) => !['__proto__', 'constructor'].includes(name),
  );

  it.each(rejected)('have no topic, group or transaction called %j', async (name) => {
    await using work = await KafkaWork.begin(world.driver(), world.acme);
    const { kafka } = work;
    const invalid = { code: 'INVALID_NAME' };
    await expect(kafka.produce(name, [{ value: 'x' }])).rejects.toMatchObject(invalid);
    await expect(kafka.consume(name, { group: 'readers' })).rejects.toMatchObject(invalid);
    await expect(kafka.consume('orders', { group: name })).rejects.toMatchObject(invalid);
    await expect(kafka.transaction(name, () => Promise.resolve())).rejects.toMatchObject(invalid);
  });

  it('reaches its own topic with a name that looks like the other’s', async () => {
    const { acme, acme2 } = world;
    const name = `${acme2}.${acme2}.secret`;
    await world.createTopics(name, `${acme}.${acme}.${name}`);
    await using work = await KafkaWork.begin(world.driver(), acme);
    await work.kafka.produce(name, [{ value: 'of acme' }]);
    const [message] = await read(work.kafka, name, 1);
    expect([message?.topic, message?.value?.toString()]).toEqual([name, 'of acme']);
    const offsets = await world.admin.listOffsets({
      topics: [{ name, partitions: [0, 1].map((partitionIndex) => ({ partitionIndex, timestamp: -1n })) }],
    });
    expect(offsets[0]?.partitions.map(({ offset }) => offset)).toEqual([0n, 0n]);
  });
});

describe(`${ScopedKafka.name} as a user of the cluster`, () => {
  let drivers: Record<'acme' | 'acme2', KafkaDriver>;

  beforeAll(async () => {
    const passwords = new Map<string, string>();
    for (const namespace of [world.acme, world.acme2]) {
      const { password = '' } = await world
        .provisioner()
        .apply(ownTenant(namespace), { topics: [{ name: 'ledger', partitions: 1, replicas: 1 }] });
      passwords.set(namespace, password);
    }
    const driver = (namespace: string) =>
      world.driver({
        // As if the other's names were ours: the cluster itself has to reject.
        separation: { type: 'physical' },
        config: {
          brokers: requireKafka().saslBrokers,
          sasl: {
            mechanism: 'SCRAM-SHA-512',
            username: `tenant-${namespace}`,
            password: passwords.get(namespace) ?? '',
          },
        },
      });
    drivers = { acme: driver(world.acme), acme2: driver(world.acme2) };
  });

  afterAll(async () => {
    for (const namespace of [world.acme, world.acme2]) {
      await world.provisioner().remove(ownTenant(namespace), {}, { data: 'delete' });
    }
  });

  let acme: KafkaWork;
  let acme2: KafkaWork;

  beforeEach(async () => {
    acme = await KafkaWork.begin(drivers.acme, world.acme);
    acme2 = await KafkaWork.begin(drivers.acme2, world.acme2);
  });

  afterEach(async () => {
    await acme[Symbol.asyncDispose]();
    await acme2[Symbol.asyncDispose]();
  });

  it('uses what begins with its prefix', async () => {
    const topic = `${world.acme}.${world.acme}.ledger`;
    await acme.kafka.produce(topic, [{ value: 'mine' }]);
    await using messages = await acme.kafka.consume(topic, {
      group: `${world.acme}.${world.acme}.auditors`,
      from: 'earliest',
    });
    const { value } = await messages.next();
    await value?.commit();
    expect(value?.value?.toString()).toBe('mine');
  });

  it('does transactions whose names begin with its prefix', async () => {
    const positions = await acme.kafka.transaction(`${world.acme}.${world.acme}.transfer`, (transaction) =>
      transaction.produce(`${world.acme}.${world.acme}.ledger`, [{ value: 'in a transaction' }]),
    );
    expect(positions).toHaveLength(1);
  });

  it.each([
    ['acme', 'acme2'],
    ['acme2', 'acme'],
  ] as const)('%s is rejected what is of %s', async (name, other) => {
    const { kafka } = name === 'acme' ? acme : acme2;
    const [own, foreign] = [world[name], world[other]];
    const topic = { code: 'KAFKA_REJECTED', reason: 'TOPIC_AUTHORIZATION_FAILED' };
    const group = { code: 'KAFKA_REJECTED', reason: 'GROUP_AUTHORIZATION_FAILED' };
    const transaction = { code: 'KAFKA_REJECTED', reason: 'TRANSACTIONAL_ID_AUTHORIZATION_FAILED' };
    await expect(kafka.produce(`${foreign}.${foreign}.ledger`, [{ value: 'x' }])).rejects.toMatchObject(topic);
    await expect(kafka.consume(`${foreign}.${foreign}.ledger`, { group: `${own}.${own}.g` })).rejects.toMatchObject(
      topic,
    );
    await expect(kafka.consume(`${own}.${own}.ledger`, { group: `${foreign}.${foreign}.g` })).rejects.toMatchObject(
      group,
    );
    await expect(kafka.transaction(`${foreign}.${foreign}.t`, () => Promise.resolve())).rejects.toMatchObject(
      transaction,
    );
  });

  it('is rejected topics of nobody', async () => {
    const rejection = { code: 'KAFKA_REJECTED', reason: 'TOPIC_AUTHORIZATION_FAILED' };
    await expect(acme.kafka.produce('common', [{ value: 'x' }])).rejects.toMatchObject(rejection);
    await expect(acme.kafka.produce(`${world.acme}`, [{ value: 'x' }])).rejects.toMatchObject(rejection);
  });
});
