import { describe, expect, it } from '@jest/globals';
import { isScalar, ownValue } from './document-values.js';

describe(ownValue.name, () => {
  it('gives an own property', () => {
    expect(ownValue({ a: false }, 'a')).toBe(false);
  });

  it.each(['missing', '__proto__', 'constructor', 'toString'])(
    'gives null for what is not an own property: %s',
    (name) => {
      expect(ownValue({}, name)).toBeNull();
    },
  );

  it.each([null, 'text', 1, ['x']])('gives null for a property of %j', (value) => {
    expect(ownValue(value, 'length')).toBeNull();
  });
});

describe(isScalar.name, () => {
  it('is true for strings, numbers and booleans only', () => {
    expect(['', 0, false, null, [], {}].map((value) => isScalar(value))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
