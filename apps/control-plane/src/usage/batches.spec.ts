import { describe, expect, it } from '@jest/globals';
import { Batches } from './batches.js';

describe(Batches, () => {
  it('does together what comes while it works', async () => {
    const batches: (readonly number[])[] = [];
    const doubled = new Batches(async (items: readonly number[]) => {
      batches.push(items);
      return items.map((item) => 2 * item);
    }, 3);

    const results = await Promise.all([1, 2, 3, 4, 5].map((item) => doubled.add(item)));

    expect(results).toEqual([2, 4, 6, 8, 10]);
    expect(batches).toEqual([[1], [2, 3, 4], [5]]);
  });

  it('goes on after a failure, which all of a batch are told', async () => {
    const work = new Batches(async (items: readonly string[]) => {
      if (items.includes('bad')) {
        throw new Error('cannot');
      }
      return items;
    }, 10);

    const results = await Promise.allSettled(['good', 'bad', 'beside'].map((item) => work.add(item)));

    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    await expect(work.add('good')).resolves.toBe('good');
  });
});
