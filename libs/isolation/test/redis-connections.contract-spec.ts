import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RedisDriver } from '../src/backends/redis/redis-driver.js';
import { RedisLink } from '../src/backends/redis/redis-link.js';
import { ScopedRedis } from '../src/backends/redis/scoped-redis.js';
import { NamespacePools } from '../src/pools/namespace-pools.js';
import { ACME, BOLT, RedisWork, RedisWorld } from './support/redis-world.js';
import { waitUntil } from './support/wait-until.js';
import { WorkContext } from './support/work-context.js';

let world: RedisWorld;

beforeAll(async () => {
  world = await RedisWorld.start();
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

const begin = () => RedisWork.begin(world.driver());

describe(RedisDriver.name, () => {
  it('closes a connection that is waiting for a reply', async () => {
    const work = await begin();
    const waiting = work.link.send(['BLPOP', 'nothing', '0'], 'text');
    await work.driver.close(work.link);
    await expect(waiting).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
    await world.waitForNone();
  });

  it('makes clients over its own connections only', () => {
    const foreign = Object.create(null) as Parameters<RedisDriver['scope']>[0];
    expect(() => world.driver().scope(foreign, ACME, new WorkContext())).toThrow(TypeError);
  });

  it('tells when the server has cut the connection, and never leases it again', async () => {
    await using work = await begin();
    const lost = new Promise<void>((resolve) => {
      work.driver.onLost(work.link, resolve);
    });
    await world.send('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await lost;
    expect(work.driver.isUsable(work.link)).toBe(false);
    await expect(work.redis.get('a')).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
  });

  it('fails what is under way on a connection that is cut, and never leases it again', async () => {
    const driver = world.driver();
    const pools = new NamespacePools({ name: 'redis', driver, maxTotal: 1 });
    const lease = await pools.acquire(ACME);
    const first = RedisLink.of(lease.connection);
    const waiting = first.send(['BLPOP', 'nothing', '0'], 'text');
    await waitUntil(async () => String(await world.send('CLIENT', 'LIST')).includes('cmd=blpop'), 'the command waits');
    await world.send('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await expect(waiting).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
    lease.release();
    using next = await pools.acquire(ACME);
    expect(next.connection).not.toBe(first);
    await expect(RedisLink.of(next.connection).send(['PING'], 'text')).resolves.toBe('PONG');
    next.release();
    await pools.destroy();
    await world.waitForNone();
  });

  it('gives up a connection on which the server does not answer', async () => {
    await using work = await RedisWork.begin(world.driver({ commandTimeoutMs: 200 }));
    await world.send('CLIENT', 'PAUSE', '2000', 'ALL');
    await expect(work.redis.get('a')).rejects.toMatchObject({ code: 'BACKEND_TIMEOUT', operation: 'GET' });
    expect(work.driver.isUsable(work.link)).toBe(false);
    await world.send('CLIENT', 'UNPAUSE').catch(() => {});
  });

  it('does not lease a connection on which a command is under way', async () => {
    await using work = await begin();
    const waiting = work.link.send(['BLPOP', 'list', '0'], 'text');
    expect(work.driver.isUsable(work.link)).toBe(false);
    await world.send('RPUSH', 'list', 'x');
    await waiting;
    expect(work.driver.isUsable(work.link)).toBe(true);
  });

  it('does not lease a connection that was left subscribed', async () => {
    await using work = await begin();
    await work.redis.subscribe('news');
    expect(work.driver.isUsable(work.link)).toBe(false);
    await work.redis[Symbol.asyncDispose]();
    expect(work.driver.isUsable(work.link)).toBe(true);
  });

  it('does not lease a connection that was left watching', async () => {
    await using work = await begin();
    const undecided = Promise.withResolvers<never>();
    const deciding = work.redis.watch(['a'], () => undecided.promise);
    await work.link.settled();
    expect(work.driver.isUsable(work.link)).toBe(false);
    undecided.reject(new Error('undecided'));
    await expect(deciding).rejects.toThrow('undecided');
    expect(work.driver.isUsable(work.link)).toBe(true);
  });

  it('does not lease a connection when a piece of work was aborted in the middle', async () => {
    await using work = await begin();
    await world.send('CLIENT', 'PAUSE', '300', 'ALL');
    const waiting = work.redis.get('a');
    work.context.abort();
    await expect(waiting).rejects.toThrow('the caller has gone');
    await work.redis[Symbol.asyncDispose]();
    expect(work.driver.isUsable(work.link)).toBe(false);
  });
});

describe(ScopedRedis.name, () => {
  it('waits at the end for replies that nobody waits for', async () => {
    await using work = await begin();
    void work.redis.set('a', '1');
    void work.redis.hashes.set('a', [['field', '1']]).catch(() => {});
    await work.redis[Symbol.asyncDispose]();
    expect(work.driver.isUsable(work.link)).toBe(true);
    expect(await work.next().get('a')).toBe('1');
  });

  it('rejects everything when its work has ended', async () => {
    await using work = await begin();
    await work.redis[Symbol.asyncDispose]();
    await expect(work.redis.get('a')).rejects.toThrow('the work has ended');
    await expect(work.redis.bytes.get('a')).rejects.toThrow('the work has ended');
    await expect(work.redis.subscribe('a')).rejects.toThrow('the work has ended');
    await expect(work.redis.scanPage()).rejects.toThrow('the work has ended');
  });

  it('accounts for what it sends and receives, while it does', async () => {
    await using work = await begin();
    await work.redis.set('a', 'x'.repeat(1000));
    expect([work.context.heldBytes, work.context.peakBytes >= 1000]).toEqual([0, true]);
    work.context.maxBytes = 500;
    await expect(work.redis.get('a')).rejects.toThrow('too many');
    await expect(work.redis.set('b', 'x'.repeat(501))).rejects.toThrow('too many');
    expect([work.context.heldBytes, await work.next().exists('b')]).toEqual([0, 0]);
  });

  it('ends a subscription with an error when its consumer is too slow', async () => {
    await using work = await begin();
    const subscription = await work.redis.subscribe('news', { maxMessages: 2 });
    for (const message of ['one', 'two', 'three']) {
      await world.send('PUBLISH', 'tenant:acme:acme:news', message);
    }
    await work.link.send(['PING'], 'text');
    const received: string[] = [];
    const consuming = (async () => {
      for await (const { message } of subscription) {
        received.push(message);
      }
    })();
    await expect(consuming).rejects.toMatchObject({ code: 'SLOW_CONSUMER' });
    expect([received, work.context.heldBytes]).toEqual([['one', 'two'], 0]);
  });

  it('ends a subscription with an error when the connection is lost', async () => {
    await using work = await begin();
    const subscription = await work.redis.subscribe('news');
    const waiting = subscription[Symbol.asyncIterator]().next();
    await world.send('CLIENT', 'KILL', 'TYPE', 'pubsub');
    await expect(waiting).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
  });

  it('ends a subscription with the reason when the work is aborted', async () => {
    await using work = await begin();
    const subscription = await work.redis.subscribe('news');
    const waiting = subscription[Symbol.asyncIterator]().next();
    work.context.abort();
    await expect(waiting).rejects.toThrow('the caller has gone');
    await work.redis[Symbol.asyncDispose]();
    expect(work.driver.isUsable(work.link)).toBe(true);
  });

  it('gives bytes of messages', async () => {
    await using work = await begin();
    const subscription = await work.redis.bytes.subscribe('news');
    await work.redis.publish('news', Uint8Array.of(255, 0));
    expect((await subscription[Symbol.asyncIterator]().next()).value).toEqual({
      channel: 'news',
      message: Buffer.of(255, 0),
    });
  });

  it('lets the same channel be subscribed to again at once', async () => {
    await using work = await begin();
    for (let round = 0; round < 20; round++) {
      await using subscription = await work.redis.subscribe('news');
      await work.redis.publish('news', String(round));
      expect((await subscription[Symbol.asyncIterator]().next()).value?.message).toBe(String(round));
    }
  });

  it('keeps one subscription of a channel when another ends', async () => {
    await using work = await begin();
    const [first, second] = await Promise.all([work.redis.subscribe('news'), work.redis.subscribe('news')]);
    await first[Symbol.asyncDispose]();
    await work.redis.publish('news', 'x');
    expect((await second[Symbol.asyncIterator]().next()).value?.message).toBe('x');
  });
});

describe(`${NamespacePools.name} of Redis`, () => {
  it('never open more connections than a server accepts that accepts just so many', async () => {
    const driver = world.driver();
    const limit = String(await world.countConnections().then((others) => others + 1 + 3));
    await world.send('CONFIG', 'SET', 'maxclients', limit);
    const pools = new NamespacePools({ name: 'redis', driver, maxTotal: 3, maxPerNamespace: 2 });
    const jobs = Array.from({ length: 300 }, async (_, index) => {
      using lease = await pools.acquire(index % 3 === 0 ? ACME : BOLT);
      await using redis = driver.scope(lease.connection, ACME, new WorkContext());
      await redis.incrBy('jobs');
    });
    const results = await Promise.allSettled(jobs);
    expect(results.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(pools.snapshot().counters.handedOver).toBeGreaterThan(0);
    await pools.destroy();
    await world.waitForNone();
    await world.send('CONFIG', 'SET', 'maxclients', '1000');
  });
});
