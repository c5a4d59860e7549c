import { beforeEach, describe, expect, it } from '@jest/globals';
import { ExpiringCache } from './expiring-cache.js';

describe(ExpiringCache.name, () => {
  let now: number;
  let loads: number;
  let cache: ExpiringCache<string>;

  beforeEach(() => {
    now = 0;
    loads = 0;
    cache = new ExpiringCache({ maxEntries: 2, maxAgeMs: 5000, now: () => now });
  });

  function get(key = 'a'): Promise<string> {
    return cache.get(key, () => Promise.resolve(`${key}${++loads}`));
  }

  it('reuses an answer until it is too old', async () => {
    await expect(get()).resolves.toBe('a1');
    now = 4999;
    await expect(get()).resolves.toBe('a1');
    now = 5000;
    await expect(get()).resolves.toBe('a2');
  });

  it('asks once for parallel questions', async () => {
    await expect(Promise.all([get(), get(), get()])).resolves.toEqual(['a1', 'a1', 'a1']);
  });

  it('keeps no failure', async () => {
    await expect(cache.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    await expect(get()).resolves.toBe('a1');
  });

  it('forgets the least recently used beyond its size', async () => {
    await get('a');
    await get('b');
    await get('a');
    await get('c');
    await expect(get('a')).resolves.toBe('a1');
    await expect(get('b')).resolves.toBe('b4');
  });

  it('does not serve, after it is cleared, an answer that was under way', async () => {
    let finish: (value: string) => void = () => undefined;
    const underWay = cache.get('a', () => new Promise<string>((resolve) => (finish = resolve)));
    cache.clear();
    await expect(get()).resolves.toBe('a1');
    finish('old');
    await expect(underWay).resolves.toBe('old');
    await expect(get()).resolves.toBe('a1');
  });

  it('does not drop a newer answer when an older one fails', async () => {
    let fail: (error: Error) => void = () => undefined;
    const underWay = cache.get('a', () => new Promise<string>((_, reject) => (fail = reject)));
    cache.clear();
    await get();
    fail(new Error('away'));
    await expect(underWay).rejects.toThrow('away');
    await expect(get()).resolves.toBe('a1');
  });

  it('deletes one answer', async () => {
    await get('a');
    await get('b');
    cache.delete('a');
    await expect(get('a')).resolves.toBe('a3');
    await expect(get('b')).resolves.toBe('b2');
  });
});
