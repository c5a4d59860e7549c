import { describe, expect, it } from '@jest/globals';
import { frozenCopy } from './frozen-copy.js';

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
