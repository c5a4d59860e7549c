import { describe, expect, it } from '@jest/globals';
import { takeBatch } from './take-batch.js';

const LIMITS = { max: 10, waitMs: 60_000, maxBytes: 100 };

async function* numbers(count: number): AsyncGenerator<number, void> {
  for (let number = 1; number <= count; number++) {
    yield number;
  }
}

/** Gives one, and nothing more for ever. */
function silent(): AsyncIterator<number, void> {
  const results = [Promise.resolve({ done: false as const, value: 1 })];
  return { next: () => results.pop() ?? new Promise(() => {}) };
}

const one = (): number => 1;

describe(takeBatch.name, () => {
  it('takes what there is', async () => {
    expect(await takeBatch(numbers(3), one, LIMITS)).toEqual([1, 2, 3]);
  });

  it('takes no more than it may, and leaves the rest', async () => {
    const source = numbers(5);
    expect(await takeBatch(source, one, { ...LIMITS, max: 2 })).toEqual([1, 2]);
    expect((await source.next()).value).toBe(3);
  });

  it('takes no more when it has enough bytes', async () => {
    expect(await takeBatch(numbers(5), () => 60, LIMITS)).toEqual([1, 2]);
  });

  it('ends when nothing comes for so long', async () => {
    expect(await takeBatch(silent(), one, { ...LIMITS, waitMs: 1 })).toEqual([1]);
  });

  it('fails with its source', async () => {
    const broken = { next: () => Promise.reject(new Error('lost')) };
    await expect(takeBatch(broken, one, LIMITS)).rejects.toThrow('lost');
  });
});
