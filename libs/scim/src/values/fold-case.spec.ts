import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { foldCase } from './fold-case.js';

describe(foldCase.name, () => {
  it('makes texts equal that differ only in case', () => {
    expect(foldCase('Bjensen@Example.COM')).toBe('bjensen@example.com');
  });

  it('makes composed and decomposed accents equal', () => {
    expect(foldCase('Jose\u0301')).toBe(foldCase('JOS\u00c9'));
  });

  it('folds a sigma at the end of a word like one inside', () => {
    expect(foldCase('ΓΙΩΡΓΟΣΑΚΗΣ').startsWith(foldCase('ΓΙΩΡΓΟΣ'))).toBe(true);
  });

  it('changes nothing when applied again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(foldCase(foldCase(text))).toBe(foldCase(text));
      }),
    );
  });
});
