import { describe, expect, it } from '@jest/globals';
import { MultiMap, partitionPoint } from './collections.js';

describe(MultiMap.name, () => {
  it('keeps the values of a key in the order in which they were added, each once', () => {
    const map = new MultiMap<string, number>();
    for (const value of [3, 1, 3, 2]) {
      map.add('a', value);
    }

    expect([...map.get('a')]).toEqual([3, 1, 2]);
  });

  it('forgets a key with its last value', () => {
    const map = new MultiMap<string, number>();
    map.add('a', 1);
    map.add('a', 2);
    map.delete('a', 1);
    expect(map.keyCount).toBe(1);

    map.delete('a', 2);

    expect(map.keyCount).toBe(0);
    expect(map.get('a').size).toBe(0);
  });

  it('ignores the removal of what is not there', () => {
    const map = new MultiMap<string, number>();
    map.add('a', 1);

    map.delete('a', 2);
    map.delete('b', 1);

    expect([...map.get('a')]).toEqual([1]);
  });
});

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
