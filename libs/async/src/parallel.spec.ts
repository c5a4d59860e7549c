import { describe, expect, it } from '@jest/globals';
import { mapParallel } from './parallel.js';

describe(mapParallel.name, () => {
  it('gives the results in the order of the items, whichever ends first', async () => {
    const gates = [1, 2, 3].map(() => Promise.withResolvers<void>());
    const results = mapParallel([0, 1, 2], 3, async (item) => {
      await gates[item]?.promise;
      return item * 10;
    });
    gates.toReversed().forEach(({ resolve }) => resolve());
    expect(await results).toEqual([0, 10, 20]);
  });

  it('runs no more than the limit at a time', async () => {
    let running = 0;
    let most = 0;
    await mapParallel(Array.from({ length: 20 }), 3, async () => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
    });
    expect(most).toBe(3);
  });

  it('starts nothing more once a task has failed', async () => {
    const started: number[] = [];
    const failing = mapParallel([1, 2, 3, 4], 1, async (item) => {
      started.push(item);
      if (item === 2) {
        throw new Error('failed');
      }
    });
    await expect(failing).rejects.toThrow('failed');
    expect(started).toEqual([1, 2]);
  });
});
