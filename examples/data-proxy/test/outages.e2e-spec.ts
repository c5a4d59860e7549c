import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { OwnServer } from '../../../libs/isolation/test/support/own-server.js';
import { SocketCounter } from '../../../libs/isolation/test/support/socket-counter.js';
import { waitUntil } from '../../../libs/isolation/test/support/wait-until.js';
import { startOwnKafka, startOwnNats, startOwnRedis } from '../../../test/support/test-services.js';
import { ProxyWorld, SETTINGS } from './support/proxy-world.js';
import { SteadyLoad } from './support/steady-load.js';
import type { Answer, Tenant } from './support/tenant.js';

const OUTAGE_MS = 2000;
const RECOVERY_MS = 30_000;
/** Of ten clients that would ask a hundred times a second, were they let. */
const MAX_ATTEMPTS = 12;

/** What a client may be told while a backend is away: that it is, and what was under way then. */
const EXPECTED = new Set([
  '503 BACKEND_UNAVAILABLE',
  '503 CONNECTION_LOST',
  '503 POOL_TIMEOUT',
  '503 TOPIC_UNAVAILABLE',
  '504 BACKEND_TIMEOUT',
]);

interface Stoppable extends AsyncDisposable {
  stop(): Promise<void>;
  start(): Promise<void>;
}

interface Case {
  readonly startServer: () => Promise<{ readonly server: Stoppable; readonly environment: Record<string, string> }>;
  readonly ask: (tenant: Tenant) => Promise<Answer>;
}

const CASES: Readonly<Record<string, Case>> = {
  postgres: {
    startServer: async () => {
      const own = await OwnServer.start();
      const { user, password, host, port } = own.config;
      const admin = `postgres://${user}:${String(password)}@${host}:${port}/postgres`;
      const role = `postgres://data_proxy:a-password-of-the-tests@${host}:${port}/postgres`;
      const server = {
        stop: () => own.stop(),
        start: () => own.resume(),
        [Symbol.asyncDispose]: () => own[Symbol.asyncDispose](),
      };
      return { server, environment: { DATA_PROXY_POSTGRES_URL: role, DATA_PROXY_POSTGRES_ADMIN_URL: admin } };
    },
    ask: (tenant) => tenant.query('notes.list', { limit: 1 }),
  },
  redis: {
    startServer: async () => {
      const server = await startOwnRedis();
      return { server, environment: { DATA_PROXY_REDIS_URL: server.url, DATA_PROXY_BACKEND_SECRET: '' } };
    },
    ask: (tenant) => tenant.put('a', 'x'),
  },
  nats: {
    startServer: async () => {
      const server = await startOwnNats();
      return { server, environment: { DATA_PROXY_NATS_URL: server.url } };
    },
    ask: (tenant) => tenant.send('POST', '/v1/messages/a', { body: 'x' }),
  },
  kafka: {
    startServer: async () => {
      const server = await startOwnKafka();
      const brokers = { DATA_PROXY_KAFKA_BROKERS: server.brokers, DATA_PROXY_KAFKA_ADMIN_BROKERS: server.brokers };
      return { server, environment: { ...brokers, DATA_PROXY_BACKEND_SECRET: '' } };
    },
    ask: (tenant) => tenant.send('POST', '/v1/topics/events', { body: { records: [{ value: 'x' }] } }),
  },
};

/** Only the one backend is on. */
const NOTHING = {
  DATA_PROXY_POSTGRES_URL: '',
  DATA_PROXY_POSTGRES_ADMIN_URL: '',
  DATA_PROXY_REDIS_URL: '',
  DATA_PROXY_NATS_URL: '',
  DATA_PROXY_KAFKA_BROKERS: '',
};

/** Whether the proxy is ready, and names the backend with the code of a cause. */
function isUnreachable({ status, body }: Answer, name: string): boolean {
  const { notices } = body as { notices?: Record<string, string> };
  return status === 200 && /^unreachable: \w+$/.test(notices?.[name] ?? '');
}

describe('a backend that goes away and comes back', () => {
  const cleanUp: AsyncDisposable[] = [];

  afterEach(async () => {
    for (const resource of cleanUp.splice(0).toReversed()) {
      await resource[Symbol.asyncDispose]();
    }
  });

  it.each(Object.keys(CASES))(
    'is told to clients clearly, tried rarely, and used again soon: %s',
    async (name) => {
      const { startServer, ask } = CASES[name] as Case;
      const { server, environment } = await startServer();
      cleanUp.push(server);
      const world = await ProxyWorld.start({ settings: SETTINGS, environment: { ...NOTHING, ...environment } });
      cleanUp.push(world);
      const load = new SteadyLoad(() => ask(world.acme));
      cleanUp.push(load);
      await waitUntil(() => load.succeeded > 20, 'requests succeed', RECOVERY_MS);

      await server.stop();
      const rejectedBefore = load.rejected;
      using sockets = new SocketCounter();
      await sleep(OUTAGE_MS); // the outage lasts
      const attempts = sockets.opened;
      await waitUntil(() => load.rejected > rejectedBefore, 'requests are rejected', RECOVERY_MS);

      await waitUntil(
        async () => isUnreachable(await world.acme.send('GET', '/health/ready'), name),
        'the cause',
        15_000,
      );

      await server.start();
      const succeeded = load.succeeded;
      await waitUntil(() => load.succeeded > succeeded + 20, 'requests succeed again', RECOVERY_MS);
      await load[Symbol.asyncDispose]();
      const { body } = await world.acme.send('GET', '/health/ready');
      expect(body).not.toHaveProperty('notices');
      const unclear = [...load.answers.keys()].filter((key) => !/^2\d\d$/.test(key) && !EXPECTED.has(key));
      expect([unclear, attempts <= MAX_ATTEMPTS || attempts]).toEqual([[], true]);
    },
    180_000,
  );

  it('is provisioned again when it comes back without its users: redis', async () => {
    const server = await startOwnRedis();
    cleanUp.push(server);
    const environment = { ...NOTHING, DATA_PROXY_REDIS_URL: server.url };
    const world = await ProxyWorld.start({ settings: SETTINGS, environment });
    cleanUp.push(world);
    await expect(world.acme.put('a', 'x')).resolves.toMatchObject({ status: 204 });
    await server.stop();
    await server.start();
    await waitUntil(async () => (await world.acme.put('a', 'x')).status === 204, 'the user is there', RECOVERY_MS);
    await expect(world.acme2.put('a', 'x')).resolves.toMatchObject({ status: 204 });
  }, 60_000);
});
