import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { compareValues } from './compare-values.js';

describe(compareValues.name, () => {
  it('orders strings by code point, where UTF-16 units would order otherwise', () => {
    const [emoji, fullWidthA] = ['\u{1F600}', '\uFF21'];
    expect(emoji > fullWidthA).toBe(false);
    expect(compareValues(emoji, fullWidthA)).toBeGreaterThan(0);
  });

  it('orders strings as their UTF-8 bytes are ordered', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareValues(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
      { numRuns: 1000 },
    );
  });

  it('puts a prefix before what it begins', () => {
    expect(compareValues('ab', 'abc')).toBeLessThan(0);
  });

  it('orders numbers by value', () => {
    expect(compareValues(9, 10)).toBeLessThan(0);
  });

  it('puts false before true', () => {
    expect(compareValues(false, true)).toBeLessThan(0);
  });

  it('orders values of different types by type', () => {
    expect([true, 1, 'b', false, 0, 'a'].toSorted(compareValues)).toEqual(['a', 'b', 0, 1, false, true]);
  });
});
