import { NatsDriver } from '../src/backends/nats/nats-driver.js';
import type { NatsConnection } from '../src/backends/nats/nats-link.js';
import type { ScopedNats } from '../src/backends/nats/scoped-nats.js';
import { describeBackendContract, type DriverPlan } from './backend.contract.js';
import { NatsWorld } from './support/nats-world.js';

describeBackendContract<NatsConnection, ScopedNats>('NATS', async () => {
  const right = { user: 'ada', password: 'the password of ada' };
  const wrong = { user: 'ada', password: 'quite another one' };
  const world = await NatsWorld.start({
    config: `authorization { users: [{ user: ada, password: "${right.password}" }] }`,
    observer: { user: right.user, pass: right.password, reconnect: false },
  });
  return {
    driverClass: NatsDriver,
    credentials: { right, wrong },
    createDriver: ({ port = world.port, rejected = [], answerMs }: DriverPlan = {}) => {
      const configOf = ({ user, password }: typeof right) => ({
        servers: `nats://127.0.0.1:${port}`,
        user,
        pass: password,
      });
      return new NatsDriver({
        confirmTimeoutMs: answerMs,
        config:
          rejected === 'everybody'
            ? configOf(wrong)
            : ({ namespace }) => configOf(rejected.includes(namespace) ? wrong : right),
      });
    },
    path: world,
    ask: (nats) => nats.publish('asked'),
    wait: async (nats) => {
      for await (const _ of await nats.subscribe('nothing')) {
        // Nobody publishes.
      }
    },
    stop: () => world.server.stop('SIGKILL'),
    start: () => world.server.start(),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
});
