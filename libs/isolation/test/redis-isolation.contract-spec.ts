import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ScopedRedis } from '../src/backends/redis/scoped-redis.js';
import { NamespacePools } from '../src/pools/namespace-pools.js';
import { HOSTILE_NAMES } from './support/hostile-names.js';
import { ACME, BOLT, RedisWork, RedisWorld } from './support/redis-world.js';
import { WorkContext } from './support/work-context.js';

let world: RedisWorld;

beforeAll(async () => {
  world = await RedisWorld.start();
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

beforeEach(async () => {
  await world.send('FLUSHALL');
});

describe(`${ScopedRedis.name} of two namespaces`, () => {
  it('never sees the other’s keys in 1,000 interleaved requests', async () => {
    const driver = world.driver();
    const pools = new NamespacePools({ name: 'redis', driver, maxTotal: 4 });
    const request = async (index: number) => {
      const [namespace, other] = index % 2 === 0 ? [ACME, BOLT] : [BOLT, ACME];
      using lease = await pools.acquire(namespace);
      await using redis = driver.scope(lease.connection, namespace, new WorkContext());
      const key = `key:${index % 20}`;
      await redis.set(key, namespace);
      const [value, keys] = await Promise.all([redis.get(key), redis.scanPage()]);
      const [again] = await redis.transaction((batch) => [batch.get(key), batch.sets.add('seen', key)]);
      return [value, again].includes(other) || keys.keys.some((found) => found.includes(other));
    };
    const leaks = await Promise.all(Array.from({ length: 1000 }, (_, index) => request(index)));
    expect(leaks.filter(Boolean)).toEqual([]);
    expect(await world.send('GET', 'tenant:acme:acme:key:0')).toBe('acme');
    await pools.destroy();
    await world.waitForNone();
  });

  it.each(HOSTILE_NAMES)('keep %j apart as a key', async (name) => {
    const driver = world.driver();
    await using acme = await RedisWork.begin(driver, ACME);
    await using bolt = await RedisWork.begin(driver, BOLT);
    await bolt.redis.set('secret', 'of bolt');
    await bolt.redis.set(name, 'of bolt');
    expect(await acme.redis.get(name)).toBeUndefined();
    expect(await acme.redis.set(name, 'of acme')).toBe(true);
    expect((await acme.redis.scanPage()).keys).toEqual([name]);
    expect(await acme.redis.del(name)).toBe(1);
    expect([await bolt.redis.get('secret'), await bolt.redis.get(name)]).toEqual(['of bolt', 'of bolt']);
    expect(await world.send('DBSIZE')).toBe(name === 'secret' ? 1 : 2);
  });

  it.each(HOSTILE_NAMES)('keep %j apart as a channel', async (name) => {
    const driver = world.driver();
    await using acme = await RedisWork.begin(driver, ACME);
    await using bolt = await RedisWork.begin(driver, BOLT);
    const [own, all] = [await acme.redis.subscribe(name), await acme.redis.subscribeAll()];
    expect(await bolt.redis.publish(name, 'of bolt')).toBe(0);
    expect(await acme.redis.publish(name, 'of acme')).toBe(2);
    const first = await own[Symbol.asyncIterator]().next();
    const second = await all[Symbol.asyncIterator]().next();
    expect([first.value, second.value]).toEqual([
      { channel: name, message: 'of acme' },
      { channel: name, message: 'of acme' },
    ]);
  });

  it.each(HOSTILE_NAMES)('see nothing of each other with %j as a pattern', async (match) => {
    const driver = world.driver();
    await using acme = await RedisWork.begin(driver, ACME);
    await using bolt = await RedisWork.begin(driver, BOLT);
    await bolt.redis.mSet(['secret', 'a', 'x', match].map((name) => [name, '']));
    expect((await acme.redis.scanPage(undefined, { match })).keys).toEqual([]);
  });

  it.each([
    ['nothing', ''],
    ['more than 1,024 bytes', 'ä'.repeat(513)],
    ['half of a surrogate pair', 'x\uDC00'],
    ['no text', { length: 1 }],
  ])('reject %s as a name, and send nothing', async (_, name) => {
    await using work = await RedisWork.begin(world.driver());
    const { redis } = work;
    const text = name as string;
    const attempts = [
      () => redis.get(text),
      () => redis.set(text, 'x'),
      () =>
        redis.mSet([
          ['good', 'x'],
          [text, 'x'],
        ]),
      () => redis.del('good', text),
      () => redis.hashes.set(text, [['field', 'x']]),
      () => redis.lists.move('good', text),
      () => redis.publish(text, 'x'),
      () => redis.subscribe(text),
      () => redis.transaction((batch) => [batch.set('good', 'x'), batch.set(text, 'x')]),
      () => redis.watch([text], async () => () => []),
    ];
    for (const attempt of attempts) {
      await expect(attempt()).rejects.toMatchObject({ code: 'INVALID_NAME' });
    }
    expect(await world.send('DBSIZE')).toBe(0);
    expect(work.driver.isUsable(work.link)).toBe(true);
  });

  it('take names of 1,024 bytes', async () => {
    await using work = await RedisWork.begin(world.driver());
    await work.redis.set('ä'.repeat(512), 'x');
    expect((await work.redis.scanPage()).keys).toEqual(['ä'.repeat(512)]);
  });

  it.each([
    ['too many stars', '*a'.repeat(6)],
    ['more than 256 bytes', 'a'.repeat(257)],
  ])('reject a pattern with %s', async (_, match) => {
    await using work = await RedisWork.begin(world.driver());
    await expect(work.redis.scanPage(undefined, { match })).rejects.toMatchObject({ code: 'INVALID_NAME' });
  });

  it('reject a cursor that is none', async () => {
    await using work = await RedisWork.begin(world.driver());
    const cursor = '0 MATCH *' as Parameters<ScopedRedis['scanPage']>[0];
    await expect(work.redis.scanPage(cursor)).rejects.toThrow('expected a cursor');
  });

  it('have what a prefix with glob characters holds', async () => {
    const driver = world.driver({ keyFormat: 't[*?]\\{tenant_id}:{key}' });
    await using acme = await RedisWork.begin(driver, ACME);
    await world.send('MSET', 't*acme:x', '', 'tx\\acme:x', '', 't[*?]\\acmex', '');
    await acme.redis.set('own', '');
    const all = await acme.redis.subscribeAll();
    await world.send('PUBLISH', 'tx\\acme:x', 'of another');
    await acme.redis.publish('own', 'of acme');
    expect((await acme.redis.scanPage()).keys).toEqual(['own']);
    expect((await all[Symbol.asyncIterator]().next()).value).toEqual({ channel: 'own', message: 'of acme' });
  });
});
