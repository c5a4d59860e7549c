import { describe, expect, it } from '@jest/globals';
import { MultiMap } from './multi-map.js';

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
