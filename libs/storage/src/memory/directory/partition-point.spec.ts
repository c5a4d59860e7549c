import { describe, expect, it } from '@jest/globals';
import { partitionPoint } from './partition-point.js';

describe(partitionPoint.name, () => {
  it.each([
    [[], 0],
    [[5], 0],
    [[1], 1],
    [[1, 2, 3], 3],
    [[1, 2, 5, 6], 2],
    [[4, 5, 6], 0],
  ])('finds where the items of %j stop being less than 4', (items, expected) => {
    expect(partitionPoint(items, (item) => item < 4)).toBe(expected);
  });

  it('asks about few of many items', () => {
    const items = Array.from({ length: 100_000 }, (_, index) => index);
    let asked = 0;

    partitionPoint(items, (item) => {
      asked += 1;
      return item < 77_777;
    });

    expect(asked).toBeLessThanOrEqual(17);
  });
});
