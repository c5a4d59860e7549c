import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { frozenCopy, isSameJson } from './json.js';

describe(frozenCopy.name, () => {
  it('is equal to the original and shares nothing with it', () => {
    const original = { a: 1, list: [{ b: 'x' }, null], nested: { c: true } };

    const copy = frozenCopy(original);
    original.nested.c = false;

    expect(copy).toEqual({ a: 1, list: [{ b: 'x' }, null], nested: { c: true } });
  });

  it('cannot be changed, however deep', () => {
    const copy = frozenCopy({ list: [{ b: 'x' }] });

    expect(() => copy.list.push({ b: 'y' })).toThrow(TypeError);
    expect(() => Object.assign(copy.list[0] ?? {}, { b: 'y' })).toThrow(TypeError);
  });

  it('leaves undefined properties out', () => {
    expect(Object.keys(frozenCopy({ a: 1, b: undefined }))).toEqual(['a']);
  });

  it('copies a property named __proto__ as a property', () => {
    const copy: object = frozenCopy(JSON.parse('{"__proto__": {"polluted": true}}'));

    expect(Object.hasOwn(copy, '__proto__')).toBe(true);
    expect(copy).not.toHaveProperty('polluted');
    expect({}).not.toHaveProperty('polluted');
  });
});

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
