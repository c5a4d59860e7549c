import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isSameJson } from './same-json.js';

describe(isSameJson.name, () => {
  it.each([
    [
      { a: 1, b: [true, null] },
      { b: [true, null], a: 1 },
    ],
    [{ a: 1, b: undefined }, { a: 1 }],
    [Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
  ])('holds for equal values in any order of properties: %j', (a, b) => {
    expect(isSameJson(a, b)).toBe(true);
  });

  it.each([
    [{ a: 1 }, { a: '1' }],
    [{ a: 1 }, { a: 1, b: 1 }],
    [{ a: null }, {}],
    [
      [1, 2],
      [2, 1],
    ],
    [[1], [1, 2]],
    [[], {}],
    [{ 0: 'a' }, ['a']],
    [null, {}],
    [{ __proto__: null, toString: 1 }, {}],
  ])('does not hold for %j and %j', (a, b) => {
    expect(isSameJson(a, b)).toBe(false);
    expect(isSameJson(b, a)).toBe(false);
  });

  it('holds for every value and its copy', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
        expect(isSameJson(value, JSON.parse(JSON.stringify(value)))).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
