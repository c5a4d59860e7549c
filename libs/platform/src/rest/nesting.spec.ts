import { describe, expect, it } from '@jest/globals';
import { isNestedDeeper } from './nesting.js';

describe(isNestedDeeper.name, () => {
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
  ])('of %s and %d is %s', (text, maxDepth, expected) => {
    expect(isNestedDeeper(text, maxDepth)).toBe(expected);
  });

  it('scans 8 MiB of brackets', () => {
    expect(isNestedDeeper('[]'.repeat(4 * 1024 * 1024), 1)).toBe(false);
  });
});
