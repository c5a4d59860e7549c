import { Inject, Injectable, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import { FakeDriver } from '../test/support/fake-driver.js';
import { PostgresDriver } from './backends/postgres/postgres-driver.js';
import { Isolation } from './isolation.js';
import { IsolationModule } from './isolation.module.js';
import type { IsolationOptions } from './isolation-options.js';
import { IsolationPools } from './isolation-pools.js';
import { IsolationSessions } from './isolation-sessions.js';
import { RequestLimiter } from './limits/request-limiter.js';
import { SYSTEM_CLOCK } from '@palisade/async';

const ACME = parseNamespaceId('acme');
const ANN = { namespace: ACME, clientId: 'ann' };
const BOLT = parseNamespaceId('bolt');
const PER_NAMESPACE = {
  isolation_level: 'namespace',
  connection_pools: { fake: { connections_per_namespace: 1, max_total_connections: 2 } },
  resource_limits: { per_namespace: { max_rps: 1 } },
};
const SHARED = { isolation_level: 'none', connection_pools: { fake: { max_connections: 1 } } };
const PER_SESSION = {
  isolation_level: 'session',
  connection_pools: { fake: { max_connections: 2 } },
  session_management: { max_sessions: 2 },
};

async function createModule(settings: unknown, options: Partial<IsolationOptions> = {}) {
  const driver = new FakeDriver({ clock: SYSTEM_CLOCK, connectMs: 0, closeMs: 0 });
  const module = await Test.createTestingModule({
    imports: [IsolationModule.forRoot({ settings, backends: { fake: driver }, ...options })],
  }).compile();
  module.enableShutdownHooks([]);
  await module.init();
  return {
    driver,
    module,
    isolation: module.get(Isolation),
    pools: module.get(IsolationPools),
    sessions: module.get(IsolationSessions),
    limiter: module.get(RequestLimiter),
  };
}

describe(IsolationModule.name, () => {
  it('gives each namespace a pool of its own at the level namespace', async () => {
    const { pools, module } = await createModule(PER_NAMESPACE);
    const acme = await pools.acquire('fake', FakeDriver, ACME);
    const bolt = await pools.acquire('fake', FakeDriver, BOLT);
    expect([acme.connection.namespace, bolt.connection.namespace]).toEqual(['acme', 'bolt']);
    acme.release();
    bolt.release();
    await module.close();
  });

  it.each([
    [
      'namespace',
      { ...PER_NAMESPACE, connection_pools: { fake: { connections_per_namespace: 5, max_total_connections: 9 } } },
    ],
    ['none', { ...SHARED, connection_pools: { fake: { max_connections: 9 } } }],
  ])('takes its part of the caps at the level %s, one connection at least', async (_, settings) => {
    const { isolation, pools, module } = await createModule(settings);
    const caps = [1, 2, 4, 100, 1].map((replicas) => {
      isolation.divideCaps(replicas);
      return pools.snapshots().map(({ maxTotal }) => maxTotal);
    });
    expect(caps).toEqual([[9], [4], [2], [1], [9]]);
    await module.close();
  });

  it('takes the part of a cap that it is given, for sessions too', async () => {
    const { isolation, sessions, pools, module } = await createModule(PER_SESSION);
    isolation.setCap('fake', 1);
    const [first, second] = [sessions.manager.open(ANN), sessions.manager.open({ ...ANN, clientId: 'bob' })];
    await first;
    expect(pools.snapshots()).toMatchObject([{ maxTotal: 1, active: 1, queued: 1 }]);
    isolation.setCap('fake', 9);
    await second;
    expect(pools.snapshots()).toMatchObject([{ maxTotal: 2, active: 2 }]);
    expect(() => isolation.setCap('redis', 1)).toThrow(expect.objectContaining({ code: 'UNKNOWN_BACKEND' }));
    await module.close();
  });

  it.each([0, 1.5, -1, NaN])('refuses to share the caps with %p replicas', async (replicas) => {
    const { isolation, module } = await createModule(PER_NAMESPACE);
    expect(() => isolation.divideCaps(replicas)).toThrow(
      `replicas: expected an integer of at least 1, found ${replicas}`,
    );
    await module.close();
  });

  it('gives all namespaces one pool at the level none', async () => {
    const { pools, module } = await createModule(SHARED);
    (await pools.acquire('fake', FakeDriver, ACME)).release();
    (await pools.acquire('fake', FakeDriver, BOLT)).release();
    expect(pools.snapshots()).toEqual([expect.objectContaining({ namespaces: 1, idle: 1 })]);
    await module.close();
  });

  it('gives sessions, and no pools, at the level session', async () => {
    const { pools, sessions, module } = await createModule(PER_SESSION);
    await expect(sessions.manager.open({ namespace: ACME, clientId: 'alice' })).resolves.toMatchObject({
      state: 'active',
    });
    await expect(pools.acquire('fake', FakeDriver, ACME)).rejects.toThrow(
      'isolation_level is session: there are no pools',
    );
    await module.close();
  });

  it('gives no sessions at the other levels', async () => {
    const { sessions, module } = await createModule(PER_NAMESPACE);
    await expect(sessions.manager.open(ANN)).rejects.toThrow('isolation_level is namespace: there are no sessions');
    await module.close();
  });

  it('limits requests as its settings say', async () => {
    const { limiter, module } = await createModule(PER_NAMESPACE);
    limiter.admit(ACME);
    expect(() => limiter.admit(ACME)).toThrow('limited to 1 requests per second');
    await module.close();
  });

  it.each([
    ['a backend that is not configured', 'redis', FakeDriver],
    ['a backend of another kind', 'fake', PostgresDriver],
  ])('gives no pools of %s', async (_, backend, driverClass) => {
    const { pools, module } = await createModule(PER_NAMESPACE);
    await expect(pools.acquire<unknown>(backend, driverClass, ACME)).rejects.toMatchObject({ code: 'UNKNOWN_BACKEND' });
    await module.close();
  });

  it.each([
    [
      'settings that are wrong',
      { isolation_level: 'shared' },
      {},
      'isolation_level: expected none, namespace or session',
    ],
    ['a backend without a driver', PER_NAMESPACE, { backends: {} }, 'connection_pools.fake: expected a driver for it'],
    [
      'a driver without settings',
      { isolation_level: 'none', connection_pools: {} },
      {},
      'connection_pools.fake: is required',
    ],
  ])('does not start with %s', async (_, settings, options, problem) => {
    await expect(createModule(settings, options)).rejects.toThrow(problem);
  });

  it('closes every connection when the app shuts down', async () => {
    const { pools, driver, module } = await createModule(PER_NAMESPACE);
    (await pools.acquire('fake', FakeDriver, ACME)).release();
    await module.close();
    await expect(pools.acquire('fake', FakeDriver, ACME)).rejects.toMatchObject({ code: 'POOL_CLOSED' });
    expect(driver.total).toBe(0);
  });

  it('ends every session when the app shuts down', async () => {
    const { sessions, driver, module } = await createModule(PER_SESSION);
    await sessions.manager.open({ namespace: ACME, clientId: 'alice' });
    await module.close();
    expect(driver.total).toBe(0);
  });

  it('can be configured by what other modules provide', async () => {
    @Injectable()
    class Configuration {
      readonly settings = PER_NAMESPACE;
    }
    @Module({ providers: [Configuration], exports: [Configuration] })
    class ConfigurationModule {}
    @Injectable()
    class User {
      constructor(@Inject(IsolationPools) readonly pools: IsolationPools) {}
    }
    const backends = { fake: new FakeDriver({ clock: SYSTEM_CLOCK }) };
    const module = await Test.createTestingModule({
      imports: [
        IsolationModule.forRootAsync({
          imports: [ConfigurationModule],
          inject: [Configuration],
          useFactory: ({ settings }: Configuration) => ({ settings, backends }),
        }),
      ],
      providers: [User],
    }).compile();
    expect(module.get(User).pools.snapshots()).toHaveLength(1);
  });
});
