import { describe, expect, it } from '@jest/globals';
import { compareValues } from '@palisade/scim';
import * as fc from 'fast-check';
import { prefixSuccessor } from './prefix-successor.js';

describe(prefixSuccessor.name, () => {
  it.each([
    ['abc', 'abd'],
    ['a%_', 'a%`'],
    ['\u{d7ff}', '\u{e000}'],
    ['\u{ffff}', '\u{10000}'],
    ['x\u{1f600}', 'x\u{1f601}'],
    ['a\u{10ffff}\u{10ffff}', 'b'],
  ])('raises the last character that can be raised: %j', (prefix, successor) => {
    expect(prefixSuccessor(prefix)).toBe(successor);
  });

  it.each(['', '\u{10ffff}', '\u{10ffff}\u{10ffff}'])(
    'is undefined where every greater text has the prefix: %j',
    (prefix) => {
      expect(prefixSuccessor(prefix)).toBeUndefined();
    },
  );

  it('bounds the texts that have the prefix, and no others', () => {
    const texts = fc.string({ unit: 'binary', maxLength: 4 });
    fc.assert(
      fc.property(texts, texts, (prefix, text) => {
        const successor = prefixSuccessor(prefix);
        const isInRange =
          compareValues(text, prefix) >= 0 && (successor === undefined || compareValues(text, successor) < 0);

        expect(isInRange).toBe(text.startsWith(prefix));
      }),
      { numRuns: 500 },
    );
  });
});
