import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import { startOwnKafka, type KafkaBroker, type OwnServer } from '../../../test/support/test-services.js';
import type { KafkaConnection } from '../src/backends/kafka/kafka-connection.js';
import { KafkaConsumption } from '../src/backends/kafka/kafka-consumption.js';
import { KafkaDriver } from '../src/backends/kafka/kafka-driver.js';
import { NamespacePools } from '../src/pools/namespace-pools.js';
import { KafkaWork, KafkaWorld } from './support/kafka-world.js';
import { RestartLoad, codeOf } from './support/restart-load.js';
import { SocketCounter } from './support/socket-counter.js';
import { waitUntil } from './support/wait-until.js';
import { WorkContext } from './support/work-context.js';

const NAMESPACES = ['acme', 'bolt', 'crow'].map(parseNamespaceId);

let broker: OwnServer<KafkaBroker>;

beforeAll(async () => {
  broker = await startOwnKafka();
}, 120_000);

afterAll(async () => {
  await broker[Symbol.asyncDispose]();
});

describe(`${NamespacePools.name} while Kafka restarts`, () => {
  it('reject clearly, recover, lose nothing that was acknowledged, and leave no connection behind', async () => {
    using sockets = new SocketCounter();
    const world = await KafkaWorld.start([broker.brokers]);
    await world.createTopics(...NAMESPACES.map((namespace) => `${namespace}.${namespace}.jobs`));
    await world.admin.close();
    const driver = world.driver();
    const pools = new NamespacePools<KafkaConnection>({ name: 'kafka', driver, isMultiplexed: true, maxTotal: 30 });
    const acknowledged = new Set<string>();
    let jobs = 0;
    const load = new RestartLoad(pools, NAMESPACES, async (connection, namespace) => {
      await using kafka = driver.scope(connection, namespace, new WorkContext());
      const key = `${namespace} ${jobs++}`;
      await kafka.produce('jobs', [{ key, value: '' }]);
      acknowledged.add(key);
    });
    await waitUntil(() => load.jobs > 300, 'jobs are done', 30_000);

    await broker.stop('SIGKILL');
    await waitUntil(() => load.rejections.length > 100, 'clients are rejected', 60_000);
    await broker.start();
    const before = load.jobs;
    await waitUntil(() => load.jobs > before + 300, 'jobs are done again', 60_000);
    await load.stop();

    const seen = new Map<string, number>();
    for (const namespace of NAMESPACES) {
      const wanted = [...acknowledged].filter((key) => key.startsWith(namespace));
      await using work = await KafkaWork.begin(driver, namespace);
      for (const key of await readKeys(work)) {
        seen.set(key, (seen.get(key) ?? 0) + 1);
      }
      expect(wanted.filter((key) => !seen.has(key))).toEqual([]);
    }
    expect([...seen].filter(([, times]) => times > 1)).toEqual([]);
    for (const rejection of load.rejections) {
      expect(['BACKEND_UNAVAILABLE', 'POOL_TIMEOUT']).toContain(codeOf(rejection));
    }
    for (const failure of load.failures) {
      expect(['CONNECTION_LOST', 'KAFKA_REJECTED']).toContain(codeOf(failure));
    }
    await pools.destroy();
    await waitUntil(() => sockets.open === 0, 'no socket is left');
  }, 180_000);
});

describe(`${KafkaConsumption.name} while Kafka restarts`, () => {
  it('goes on after a short interruption, and says so when it was too long', async () => {
    const world = await KafkaWorld.start([broker.brokers]);
    await world.createTopics(`${world.acme}.${world.acme}.events`);
    await world.admin.close();
    using sockets = new SocketCounter();
    const patient = await KafkaWork.begin(world.driver({ timings: { outageTimeoutMs: 60_000 } }), world.acme);
    const impatient = await KafkaWork.begin(world.driver({ timings: { outageTimeoutMs: 500 } }), world.acme);
    const [goingOn, ending] = [
      await patient.kafka.consume('events', { group: 'patient' }),
      await impatient.kafka.consume('events', { group: 'impatient' }),
    ];
    const [next, failing] = [goingOn.next(), ending.next()];
    const failed = expect(failing).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
    await broker.stop('SIGKILL');
    await failed;
    expect(await ending.next()).toEqual({ done: true, value: undefined });
    await broker.start();
    const other = await KafkaWork.begin(world.driver(), world.acme);
    await other.kafka.produce('events', [{ value: 'after' }]);
    expect((await next).value?.value?.toString()).toBe('after');
    await Promise.all([patient, impatient, other].map((work) => work[Symbol.asyncDispose]()));
    expect([patient.context.heldBytes, impatient.context.heldBytes]).toEqual([0, 0]);
    await waitUntil(() => sockets.open === 0, 'no socket is left');
  }, 120_000);
});

describe(`${KafkaDriver.name} while Kafka hangs`, () => {
  it('gives the connection up when producing takes too long', async () => {
    const world = await KafkaWorld.start([broker.brokers]);
    await world.createTopics(`${world.acme}.${world.acme}.hanging`);
    await world.admin.close();
    using sockets = new SocketCounter();
    const driver = world.driver({ timings: { deliveryTimeoutMs: 300, closeTimeoutMs: 300 } });
    await using work = await KafkaWork.begin(driver, world.acme);
    let lost = 0;
    driver.onLost(work.connection, () => lost++);
    process.kill(broker.pid ?? 0, 'SIGSTOP');
    try {
      let failure: unknown;
      while (failure === undefined) {
        // A process that is stopped may do some more first.
        failure = await work.kafka.produce('hanging', [{ value: 'x' }]).then(() => undefined, asIs);
      }
      expect(failure).toMatchObject({
        code: 'BACKEND_TIMEOUT',
        message: 'kafka: no answer to producing to "hanging" within 300 ms',
      });
      expect([driver.isUsable(work.connection), lost]).toEqual([false, 1]);
      await driver.close(work.connection);
      expect(sockets.open).toBe(0);
    } finally {
      process.kill(broker.pid ?? 0, 'SIGCONT');
    }
  });
});

/** Of all messages, up to a last one in each partition that is produced for that. */
async function readKeys({ kafka }: KafkaWork): Promise<string[]> {
  await Promise.all([0, 1].map((partition) => kafka.produce('jobs', [{ key: 'end', value: '', partition }])));
  await using messages = await kafka.consume('jobs', { group: 'readers', from: 'earliest' });
  const keys: string[] = [];
  let ends = 0;
  for await (const { key } of messages) {
    const text = key?.toString() ?? '';
    ends += text === 'end' ? 1 : 0;
    if (ends === 2) {
      break;
    }
    if (text !== 'end') {
      keys.push(text);
    }
  }
  return keys;
}

function asIs(error: unknown): unknown {
  return error;
}
