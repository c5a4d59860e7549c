import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Test, type TestingModule } from '@nestjs/testing';
import { Isolation, IsolationModule } from '@palisade/isolation';
import { PostgresDriver } from '@palisade/isolation/postgres';
import { RedisDriver } from '@palisade/isolation/redis';
import { ADMIN_TOKEN, ControlApp } from '../apps/control-plane/test/support/control-app.js';
import { ServerObserver } from '../libs/isolation/test/support/postgres-server.js';
import { ACME, BOLT, RedisWorld } from '../libs/isolation/test/support/redis-world.js';
import { until } from './support/until.js';

const YAML = `
deployment: { model: multi_tenant }
proxy_pools: { standard: { replicas: 2, isolation_level: namespace } }
connection_pools:
  postgres: { max_total_connections: 8, connections_per_namespace: 3 }
  redis: { max_total_connections: 8, connections_per_namespace: 3 }
`;
const POOL = { connections_per_namespace: 3, max_total_connections: 8 };
const SETTINGS = { isolation_level: 'namespace', connection_pools: { postgres: POOL, redis: POOL } };

let control: ControlApp;
let postgres: ServerObserver;
let redis: RedisWorld;
const proxies: TestingModule[] = [];

beforeAll(async () => {
  [control, postgres, redis] = await Promise.all([
    ControlApp.start({ yaml: YAML }),
    ServerObserver.connect(),
    RedisWorld.start(),
  ]);
  await control.register('acme', { namespace_pattern: ACME, pool: 'standard' });
  await control.register('bolt', { namespace_pattern: BOLT, pool: 'standard' });
  for (const id of ['a', 'b']) {
    const imports = [
      IsolationModule.forRoot({
        settings: SETTINGS,
        backends: {
          postgres: new PostgresDriver({ config: () => postgres.config, separation: { type: 'physical' } }),
          redis: redis.driver(),
        },
        controlPlane: {
          urls: [await control.origin()],
          token: ADMIN_TOKEN,
          proxy: { id, pool: 'standard', host: '127.0.0.1', port: 1 },
        },
      }),
    ];
    const module = await Test.createTestingModule({ imports }).compile();
    proxies.push(await module.init());
  }
});

afterAll(async () => {
  for (const proxy of proxies) {
    await proxy.close();
  }
  await control.close();
  await redis[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

/** Work that has a connection until it is told to end. */
class HeldWork implements AsyncDisposable {
  readonly #end = Promise.withResolvers<void>();
  readonly #started = Promise.withResolvers<void>();
  readonly #ended: Promise<void>;

  private constructor(run: (work: () => Promise<void>) => Promise<void>) {
    this.#ended = run(() => {
      this.#started.resolve();
      return this.#end.promise;
    });
    this.#ended.catch(this.#started.reject);
  }

  static async start(proxy: number, namespace: typeof ACME, backend: 'postgres' | 'redis'): Promise<HeldWork> {
    const isolation = proxies[proxy]?.get(Isolation);
    if (isolation === undefined) {
      throw new Error(`there is no proxy ${proxy}`);
    }
    const caller = { namespace, clientId: 'test' };
    const work = new HeldWork((held) =>
      backend === 'redis'
        ? isolation.run(caller, backend, RedisDriver, held)
        : isolation.run(caller, backend, PostgresDriver, held),
    );
    await work.#started.promise;
    return work;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.resolve();
    await this.#ended;
  }
}

type Counts = Readonly<Record<string, { readonly in_use: number; readonly idle: number }>>;

/** Connections as the proxies report them. */
async function reported(query = ''): Promise<Counts> {
  const { connections } = (await control.api('get', `/usage${query}`).expect(200)).body as { connections: Counts };
  return connections;
}

/** Resolves when what is reported of each backend is what that backend counts. */
async function untilAsCounted(
  expected: Readonly<Record<string, readonly [inUse: number, all: number]>>,
): Promise<void> {
  await until(async () => {
    const counts = await reported();
    return Object.entries(expected).every(([backend, [inUse, all]]) => {
      const { in_use: found = 0, idle = 0 } = counts[backend] ?? {};
      return found === inUse && found + idle === all;
    });
  });
  const counted = { postgres: await postgres.countConnections(), redis: await redis.countConnections() };
  expect(counted).toEqual(Object.fromEntries(Object.entries(expected).map(([backend, [, all]]) => [backend, all])));
}

describe('usage that proxies report', () => {
  it('is what the backends count, in use and idle', async () => {
    await using work = new AsyncDisposableStack();
    await until(async () => {
      // A proxy that has no policy or no part of a cap yet serves nothing.
      const first = await Promise.allSettled([0, 1].map((proxy) => HeldWork.start(proxy, ACME, 'postgres')));
      const held = first.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
      await Promise.all(held.map((each) => each[Symbol.asyncDispose]()));
      return held.length === 2;
    });
    // Each proxy has one idle connection of acme's by now.
    for (const [proxy, namespace, backend] of [
      [0, ACME, 'postgres'],
      [0, ACME, 'postgres'],
      [1, BOLT, 'postgres'],
      [0, BOLT, 'redis'],
      [1, ACME, 'redis'],
      [1, ACME, 'redis'],
    ] as const) {
      work.use(await HeldWork.start(proxy, namespace, backend));
    }
    // Acme's connection at the second proxy stays idle.
    await untilAsCounted({ postgres: [3, 4], redis: [3, 3] });
    expect(await reported('?tenant=acme')).toMatchObject({
      postgres: { in_use: 2, idle: 1 },
      redis: { in_use: 2, idle: 0 },
    });
    expect(await reported('?namespace=bolt')).toMatchObject({ postgres: { in_use: 1 }, redis: { in_use: 1 } });
    const { body } = await control.api('get', '/tenants/acme').expect(200);
    expect(body.usage.connections).toMatchObject({ redis: { in_use: 2, limit: 6 } });
  });

  it('follows what the backends count when work ends', async () => {
    await untilAsCounted({ postgres: [0, 4], redis: [0, 3] });
    expect(await reported('?namespace=bolt')).toMatchObject({ postgres: { in_use: 0 }, redis: { in_use: 0 } });
  });
});
