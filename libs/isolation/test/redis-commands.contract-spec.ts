import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ScopedRedis } from '../src/backends/redis/scoped-redis.js';
import { ACME, RedisWork, RedisWorld } from './support/redis-world.js';

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

function begin(): Promise<RedisWork> {
  return RedisWork.begin(world.driver(), ACME);
}

describe(ScopedRedis.name, () => {
  it('puts keys below the namespace', async () => {
    await using work = await begin();
    await work.redis.set('greeting', 'hello');
    expect(await world.send('GET', 'tenant:acme:acme:greeting')).toBe('hello');
  });

  it('gets, takes and deletes what was set', async () => {
    await using work = await begin();
    const { redis } = work;
    await redis.mSet([
      ['a', '1'],
      ['b', '2'],
    ]);
    expect(await redis.get('a')).toBe('1');
    expect(await redis.get('none')).toBeUndefined();
    expect(await redis.mGet(['b', 'none', 'a'])).toEqual(['2', undefined, '1']);
    expect(await redis.getDel('a')).toBe('1');
    expect(await redis.exists('a', 'b', 'b')).toBe(2);
    expect(await redis.del('a', 'b')).toBe(1);
  });

  it('sets under conditions', async () => {
    await using work = await begin();
    const { redis } = work;
    expect(await redis.set('a', '1', { onlyIf: 'present' })).toBe(false);
    expect(await redis.set('a', '1', { onlyIf: 'absent' })).toBe(true);
    expect(await redis.set('a', '2', { onlyIf: 'absent' })).toBe(false);
    expect(await redis.get('a')).toBe('1');
  });

  it('lets keys expire', async () => {
    await using work = await begin();
    const { redis } = work;
    await redis.set('a', '1', { ttlMs: 100_000 });
    expect(await redis.ttlMs('a')).toBeGreaterThan(50_000);
    await redis.set('a', '2', { keepsTtl: true });
    expect(await redis.ttlMs('a')).toBeLessThanOrEqual(100_000);
    expect(await redis.persist('a')).toBe(true);
    expect(await redis.ttlMs('a')).toBe(Infinity);
    expect(await redis.expire('a', 50_000)).toBe(true);
    expect(await redis.ttlMs('a')).toBeLessThanOrEqual(50_000);
    expect(await redis.ttlMs('none')).toBeUndefined();
    expect(await redis.expire('none', 1)).toBe(false);
  });

  it('counts', async () => {
    await using work = await begin();
    expect(await work.redis.incrBy('n')).toBe(1);
    expect(await work.redis.incrBy('n', -3)).toBe(-2);
    expect(await work.redis.type('n')).toBe('string');
  });

  it('has hashes', async () => {
    await using work = await begin();
    const { hashes } = work.redis;
    expect(
      await hashes.set(
        'h',
        new Map([
          ['name', 'Ada'],
          ['__proto__', 'x'],
        ]),
      ),
    ).toBe(2);
    expect(await hashes.get('h', 'name')).toBe('Ada');
    expect(await hashes.getMany('h', ['name', 'none'])).toEqual(['Ada', undefined]);
    expect(await hashes.getAll('h')).toEqual(
      new Map([
        ['name', 'Ada'],
        ['__proto__', 'x'],
      ]),
    );
    expect(await hashes.getAll('none')).toEqual(new Map());
    expect(await hashes.setIfAbsent('h', 'name', 'Eve')).toBe(false);
    expect(await hashes.incrBy('h', 'visits', 2)).toBe(2);
    expect(await hashes.fields('h')).toEqual(['name', '__proto__', 'visits']);
    expect(await hashes.has('h', 'visits')).toBe(true);
    expect(await hashes.del('h', 'visits', 'none')).toBe(1);
    expect(await hashes.size('h')).toBe(2);
  });

  it('has lists', async () => {
    await using work = await begin();
    const { lists } = work.redis;
    await lists.pushTail('l', 'b', 'c', 'd', 'b');
    expect(await lists.pushHead('l', 'a')).toBe(5);
    expect(await lists.range('l', 0, -1)).toEqual(['a', 'b', 'c', 'd', 'b']);
    expect(await lists.remove('l', 'b', 1)).toBe(1);
    await lists.trim('l', 0, 2);
    expect(await lists.move('l', 'other')).toBe('d');
    expect([await lists.popHead('l'), await lists.popTail('l'), await lists.popHead('l')]).toEqual([
      'a',
      'c',
      undefined,
    ]);
    expect(await lists.length('other')).toBe(1);
  });

  it('has sets', async () => {
    await using work = await begin();
    const { sets } = work.redis;
    expect(await sets.add('s', 'a', 'b', 'a')).toBe(2);
    expect(await sets.has('s', 'a')).toBe(true);
    expect(await sets.remove('s', 'a', 'none')).toBe(1);
    expect(await sets.members('s')).toEqual(['b']);
    expect(await sets.size('none')).toBe(0);
  });

  it('has sorted sets', async () => {
    await using work = await begin();
    const { sortedSets } = work.redis;
    expect(
      await sortedSets.add('z', [
        ['a', 1],
        ['b', 2.5],
        ['c', Infinity],
      ]),
    ).toBe(3);
    expect(await sortedSets.score('z', 'b')).toBe(2.5);
    expect(await sortedSets.score('z', 'none')).toBeUndefined();
    expect(await sortedSets.incrBy('z', 'a', 2)).toBe(3);
    expect(await sortedSets.rank('z', 'a')).toBe(1);
    expect(await sortedSets.rank('z', 'none')).toBeUndefined();
    expect(await sortedSets.range('z', 0, -1)).toEqual(['b', 'a', 'c']);
    expect(await sortedSets.range('z', 0, 0, { isReversed: true })).toEqual(['c']);
    expect(await sortedSets.rangeWithScores('z', 2, 2)).toEqual([{ member: 'c', score: Infinity }]);
    expect(await sortedSets.rangeByScore('z', { max: 3 }, { isReversed: true, limit: 1 })).toEqual([
      { member: 'a', score: 3 },
    ]);
    expect(await sortedSets.rangeByScore('z', {}, { offset: 1 })).toHaveLength(2);
    expect(await sortedSets.count('z', { min: 3 })).toBe(2);
    expect(await sortedSets.removeByScore('z', { max: 2.5 })).toBe(1);
    expect(await sortedSets.remove('z', 'c')).toBe(1);
    expect(await sortedSets.size('z')).toBe(1);
  });

  it('takes and gives bytes', async () => {
    await using work = await begin();
    const bytes = Uint8Array.of(0, 255, 13, 10);
    await work.redis.set('b', bytes);
    await work.redis.hashes.set('h', [['field', bytes]]);
    expect(await work.redis.bytes.get('b')).toEqual(Buffer.from(bytes));
    expect(await work.redis.bytes.hashes.getAll('h')).toEqual(new Map([['field', Buffer.from(bytes)]]));
  });

  it.each([
    ['half of a surrogate pair', '\uD800'],
    ['a number', 1],
  ])('rejects %s as a value', async (_, value) => {
    await using work = await begin();
    await expect(work.redis.set('a', value as string)).rejects.toThrow('expected text');
    expect(await world.send('DBSIZE')).toBe(0);
  });

  it('does what is queued together, and gives the replies that are wanted', async () => {
    await using work = await begin();
    const { redis } = work;
    const [name, count] = await redis.transaction((batch) => {
      batch.set('name', 'Ada');
      return [batch.get('name'), batch.incrBy('n', 5)];
    });
    expect([name, count]).toEqual(['Ada', 5]);
  });

  it('says which command of a transaction was rejected', async () => {
    await using work = await begin();
    await work.redis.set('text', 'x');
    const attempt = work.redis.transaction((batch) => [batch.incrBy('text'), batch.set('done', '1')]);
    await expect(attempt).rejects.toThrow('not an integer');
    expect(await work.redis.get('done')).toBe('1');
  });

  it('does nothing when a watched key has changed', async () => {
    await using work = await begin();
    const { redis } = work;
    await redis.set('balance', '10');
    const replies = await redis.watch(['balance'], async () => {
      const balance = Number(await redis.get('balance'));
      await world.send('SET', 'tenant:acme:acme:balance', '3');
      return (batch) => [batch.set('balance', String(balance - 5))];
    });
    expect([replies, await redis.get('balance')]).toEqual([undefined, '3']);
  });

  it('does what was decided when no watched key has changed', async () => {
    await using work = await begin();
    const { redis } = work;
    await redis.set('balance', '10');
    const replies = await redis.watch(['balance'], async () => (batch) => [batch.incrBy('balance', -5)]);
    expect(replies).toEqual([5]);
  });

  it('watches no more when the decision fails', async () => {
    await using work = await begin();
    const { redis } = work;
    const deciding = redis.watch(['a'], () => Promise.reject(new Error('undecided')));
    await expect(deciding).rejects.toThrow('undecided');
    expect(work.driver.isUsable(work.link)).toBe(true);
    await expect(redis.transaction((batch) => [batch.incrBy('a')])).resolves.toEqual([1]);
  });

  it('rejects a transaction that would end the watching of another', async () => {
    await using work = await begin();
    const { redis } = work;
    const deciding = redis.watch(['a'], async () => {
      await redis.transaction((batch) => [batch.incrBy('a')]);
      return () => [];
    });
    await expect(deciding).rejects.toThrow('keys are watched');
  });

  it('rejects replies of another transaction', async () => {
    await using work = await begin();
    const { redis } = work;
    let foreign: unknown;
    await redis.transaction((batch) => [(foreign = batch.get('a')) as ReturnType<typeof batch.get>]);
    await expect(redis.transaction((batch) => [foreign as ReturnType<typeof batch.get>])).rejects.toThrow(TypeError);
  });

  it('scans its own keys, in pages', async () => {
    await using work = await begin();
    const names = Array.from({ length: 50 }, (_, index) => `key:${index}`);
    await work.redis.mSet(names.map((name) => [name, '']));
    await world.send('MSET', 'tenant:bolt:bolt:key:1', '', 'key:2', '', 'tenant:acme', '');
    const found = new Set<string>();
    for await (const key of work.redis.scan({ pageSize: 10 })) {
      found.add(key);
    }
    expect([...found].sort()).toEqual([...names].sort());
    const { keys, next } = await work.redis.scanPage(undefined, { pageSize: 10 });
    expect(next).toBeDefined();
    const rest = await work.redis.scanPage(next, { pageSize: 1_000 });
    expect(new Set([...keys, ...rest.keys])).toEqual(found);
  });

  it('scans what matches, and what has a type', async () => {
    await using work = await begin();
    await work.redis.set('a:1', '');
    await work.redis.set('b:1', '');
    await work.redis.sets.add('a:2', 'x');
    const scan = async (options: Parameters<ScopedRedis['scanPage']>[1]) =>
      (await work.redis.scanPage(undefined, options)).keys.toSorted();
    expect(await scan({ match: 'a:*' })).toEqual(['a:1', 'a:2']);
    expect(await scan({ match: '?:[1]', type: 'string' })).toEqual(['a:1', 'b:1']);
  });

  it('leaves out keys that no caller could name', async () => {
    await using work = await begin();
    await work.redis.set('named', '');
    await using admin = await RedisWork.begin(world.driver({ keyFormat: '{tenant_id}/{key}' }));
    await admin.link.send(['SET', Buffer.concat([Buffer.from('tenant:acme:acme:'), Buffer.of(0xff)]), ''], 'text');
    expect((await work.redis.scanPage()).keys).toEqual(['named']);
  });
});
