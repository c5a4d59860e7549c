import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { foldCase, foldLetters } from './fold-case.js';

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

  it('makes characters of another width equal', () => {
    expect(foldCase('\uff41da')).toBe('ada');
  });
});

describe(foldLetters.name, () => {
  it('folds case and accents, and keeps the width of characters', () => {
    expect(foldLetters('JOSE\u0301')).toBe(foldLetters('jos\u00e9'));
    expect(foldLetters('\uff21da')).toBe('\uff41da');
  });
});
