import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { InvalidRequestError } from './invalid-request.error.js';
import { decodeCursor, encodeCursor, toPage } from './pages.js';

describe(decodeCursor.name, () => {
  it('reads what was written', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 4 }), (key) => {
        expect(decodeCursor(encodeCursor(key), key.length)).toEqual(key);
      }),
    );
  });

  it.each(['', 'x', 'bnVsbA', 'W10', 'WzEsMl0', encodeCursor(['a']), encodeCursor(['a', 'b', 'c'])])(
    'rejects %j for a key of two parts',
    (cursor) => {
      expect(() => decodeCursor(cursor, 2)).toThrow(InvalidRequestError);
    },
  );

  it('rejects any other text', () => {
    fc.assert(
      fc.property(fc.string(), (cursor) => {
        expect(() => decodeCursor(cursor, 2)).toThrow(InvalidRequestError);
      }),
    );
  });
});

describe(toPage.name, () => {
  const page = (items: string[], limit: number) =>
    toPage(
      items,
      limit,
      (item) => [item],
      (item) => item.toUpperCase(),
    );

  it('has a cursor when one more was found than fits', () => {
    expect(page(['a', 'b', 'c'], 2)).toEqual({ items: ['A', 'B'], next_cursor: encodeCursor(['b']) });
  });

  it.each([[[]], [['a']], [['a', 'b']]])('has none for %j of two', (items) => {
    expect(page(items, 2)).not.toHaveProperty('next_cursor');
  });
});
