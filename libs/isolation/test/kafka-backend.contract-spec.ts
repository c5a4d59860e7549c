import { startOwnKafka } from '../../../test/support/test-services.js';
import type { KafkaConnection } from '../src/backends/kafka/kafka-connection.js';
import { KafkaDriver } from '../src/backends/kafka/kafka-driver.js';
import type { ScopedKafka } from '../src/backends/kafka/scoped-kafka.js';
import { describeBackendContract, GREEN, RED, type DriverPlan } from './backend.contract.js';
import { KafkaWorld } from './support/kafka-world.js';
import { ownTenant } from '../src/tenant-namespace.js';

const PASSWORD = 'the password of both of them';

describeBackendContract<KafkaConnection, ScopedKafka>('Kafka', async () => {
  const broker = await startOwnKafka();
  const world = await KafkaWorld.start([broker.brokers]);
  for (const namespace of [RED, GREEN]) {
    await world
      .provisioner()
      .apply(ownTenant(namespace), { password: PASSWORD, topics: [{ name: 'asked' }, { name: 'nothing' }] });
  }
  await world.admin.close();
  const right = { username: `tenant-${RED}`, password: PASSWORD };
  const wrong = { ...right, password: 'quite another one' };
  return {
    driverClass: KafkaDriver,
    credentials: { right, wrong },
    createDriver: ({ port, rejected = [], answerMs }: DriverPlan = {}) => {
      const brokers = [port === undefined ? broker.saslBrokers : `127.0.0.1:${port}`];
      const configOf = (username: string, password: string) => ({
        brokers,
        sasl: { mechanism: 'SCRAM-SHA-512', username, password } as const,
      });
      return new KafkaDriver({
        ...(answerMs !== undefined && { timings: { deliveryTimeoutMs: answerMs } }),
        config:
          rejected === 'everybody'
            ? configOf(wrong.username, wrong.password)
            : ({ namespace }) =>
                configOf(`tenant-${namespace}`, rejected.includes(namespace) ? wrong.password : PASSWORD),
      });
    },
    path: {
      stop: () => void process.kill(broker.pid ?? 0, 'SIGSTOP'),
      resume: () => void process.kill(broker.pid ?? 0, 'SIGCONT'),
    },
    ask: (kafka) => kafka.produce('asked', [{ value: 'x' }]),
    wait: async (kafka) => {
      for await (const _ of await kafka.consume('nothing', { group: 'waiting' })) {
        // Nobody produces.
      }
    },
    stop: () => broker.stop('SIGKILL'),
    start: () => broker.start(),
    [Symbol.asyncDispose]: () => broker[Symbol.asyncDispose](),
  };
});
