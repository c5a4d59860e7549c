import { startOwnRedis } from '../../../test/support/test-services.js';
import { RedisDriver } from '../src/backends/redis/redis-driver.js';
import type { RedisConnection } from '../src/backends/redis/redis-link.js';
import type { ScopedRedis } from '../src/backends/redis/scoped-redis.js';
import { describeBackendContract, type DriverPlan } from './backend.contract.js';

describeBackendContract<RedisConnection, ScopedRedis>('Redis', async () => {
  const right = { username: 'ada', password: 'the-password-of-ada' };
  const wrong = { username: 'ada', password: 'quite-another-one' };
  const server = await startOwnRedis('--user', 'ada', 'on', `>${right.password}`, '+@all', '~*', '&*');
  return {
    driverClass: RedisDriver,
    credentials: { right, wrong },
    createDriver: ({ port = server.port, rejected = [], answerMs }: DriverPlan = {}) => {
      const socket = { host: '127.0.0.1', port };
      return new RedisDriver({
        commandTimeoutMs: answerMs,
        config:
          rejected === 'everybody'
            ? { ...wrong, socket }
            : ({ namespace }) => ({ ...(rejected.includes(namespace) ? wrong : right), socket }),
      });
    },
    path: server,
    ask: (redis) => redis.incrBy('asked'),
    wait: async (redis) => {
      for await (const _ of await redis.subscribe('nothing')) {
        // Nobody publishes.
      }
    },
    stop: () => server.stop('SIGKILL'),
    start: () => server.start(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
});
