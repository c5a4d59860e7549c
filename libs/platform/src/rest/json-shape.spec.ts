import { describe, expect, it } from '@jest/globals';
import { exceededBound } from './json-shape.js';

describe(exceededBound.name, () => {
  it.each([
    ['[[1]]', 2, false],
    ['[[1]]', 1, true],
    ['{"a":[{"b":1}]}', 3, false],
    ['{"a":[{"b":1}]}', 2, true],
    ['[1,[2],[3],[4]]', 2, false],
    ['"[[[["', 0, false],
    ['{"a":"\\"[[[["}', 1, false],
    ['{"a":"\\\\"}', 1, false],
    ['{"a\\\\":[[1]]}', 2, true],
  ])('finds whether %s is nested deeper than %d: %s', (text, maxDepth, isExceeded) => {
    expect(exceededBound(text, { maxDepth, maxValues: 100 })).toBe(isExceeded ? 'maxDepth' : undefined);
  });

  it.each([
    ['[1,2,3]', 3, false],
    ['[1,2,3]', 2, true],
    ['{"a":{},"b":[]}', 4, false],
    ['{"a":{},"b":[]}', 3, true],
    ['[",,,,,"]', 1, false],
  ])('finds whether %s has more than %d values: %s', (text, maxValues, isExceeded) => {
    expect(exceededBound(text, { maxDepth: 9, maxValues })).toBe(isExceeded ? 'maxValues' : undefined);
  });

  it('scans 8 MiB of brackets', () => {
    const bounds = { maxDepth: 1, maxValues: Infinity };
    expect(exceededBound('[]'.repeat(4 * 1024 * 1024), bounds)).toBeUndefined();
  });
});
