import { Test } from '@nestjs/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Isolation, IsolationModule, IsolationSessions } from '@palisade/isolation';
import { NatsDriver } from '@palisade/isolation/nats';
import { RedisDriver } from '@palisade/isolation/redis';
import { ACME, BOLT, NatsWorld, next } from './support/nats-world.js';
import { Stock } from './support/redis-nats-example.js';
import { RedisWorld } from './support/redis-world.js';

let redis: RedisWorld;
let nats: NatsWorld;

beforeAll(async () => {
  [redis, nats] = await Promise.all([RedisWorld.start(), NatsWorld.start()]);
});

afterAll(async () => {
  await redis[Symbol.asyncDispose]();
  await nats[Symbol.asyncDispose]();
});

async function start(settings: unknown) {
  const backends = { redis: redis.driver(), nats: nats.driver() };
  const imports = [IsolationModule.forRoot({ settings, backends })];
  const module = await Test.createTestingModule({ imports, providers: [Stock] }).compile();
  module.enableShutdownHooks([]);
  return module;
}

const ADA = { namespace: ACME, clientId: 'ada' };
const BOB = { namespace: BOLT, clientId: 'bob' };

describe(`${IsolationModule.name} with Redis and NATS`, () => {
  it.each([
    ['none', { max_connections: 4 }],
    ['namespace', { connections_per_namespace: 4, max_total_connections: 8 }],
  ])('keeps namespaces apart at the level %s', async (level, pool) => {
    const module = await start({ isolation_level: level, connection_pools: { redis: pool, nats: pool } });
    const isolation = module.get(Isolation);
    await isolation.run(ADA, 'redis', RedisDriver, (client) => client.set('key', 'of acme'));
    const stolen = await isolation.run(BOB, 'redis', RedisDriver, (client) => client.get('key'));
    const answer = await isolation.run(ADA, 'nats', NatsDriver, async (client) => {
      await using requests = await client.subscribe('echo');
      const asking = isolation.run(ADA, 'nats', NatsDriver, (other) => other.request('echo', 'hello'));
      for await (const request of requests) {
        await request.respond(request.text.toUpperCase());
        break;
      }
      return (await asking).text;
    });
    const asking = isolation.run(BOB, 'nats', NatsDriver, (client) => client.request('echo'));
    await expect(asking).rejects.toMatchObject({ code: 'NO_RESPONDERS' });
    expect([stolen, answer]).toEqual([undefined, 'HELLO']);
    expect((await nats.connections()).length).toBe(level === 'none' ? 1 : 2);
    await module.close();
    await Promise.all([redis.waitForNone(), nats.waitForNone()]);
  });

  it('is used as its documentation shows', async () => {
    const pool = { connections_per_namespace: 2, max_total_connections: 4 };
    const module = await start({ isolation_level: 'namespace', connection_pools: { redis: pool, nats: pool } });
    await redis.send('SET', 'tenant:acme:acme:apple', '2');
    const told = nats.observer.subscribe('tenant.acme.acme.stock.taken', { max: 1 });
    await nats.observer.flush();
    const stock = module.get(Stock);
    expect([await stock.take(ADA, 'apple'), await stock.take(BOB, 'apple')]).toEqual([1, undefined]);
    expect((await next(told)).string()).toBe('apple');
    expect(await redis.send('HGET', 'tenant:acme:acme:taken', 'apple')).toBe('1');
    await module.close();
  });

  it('gives each session connections of its own at the level session', async () => {
    const pool = { max_connections: 4, per_session_limit: 1 };
    const module = await start({
      isolation_level: 'session',
      connection_pools: { redis: pool, nats: pool },
      session_management: { max_sessions: 4 },
    });
    const { manager } = module.get(IsolationSessions);
    const isolation = module.get(Isolation);
    const { id: session } = await manager.open(ADA);
    await isolation.run({ ...ADA, session }, 'redis', RedisDriver, (client) => client.set('key', 'x'));
    await isolation.run({ ...ADA, session }, 'nats', NatsDriver, (client) => client.publish('a'));
    expect([await redis.countConnections(), (await nats.connections()).length]).toEqual([1, 1]);
    await manager.end(session, ADA);
    await Promise.all([redis.waitForNone(), nats.waitForNone()]);
    await module.close();
    expect(await redis.send('GET', 'tenant:acme:acme:key')).toBe('x');
  });
});
