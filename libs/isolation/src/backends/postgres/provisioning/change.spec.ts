import { describe, expect, it } from '@jest/globals';
import { assert, constantFrom, property, string } from 'fast-check';
import { quoteName } from './change.js';

describe(quoteName.name, () => {
  it.each([
    ['orders', '"orders"'],
    ['Orders', '"Orders"'],
    ['a"b', '"a""b"'],
    ['"; drop table x; --', '"""; drop table x; --"'],
    ["o'hara\\", '"o\'hara\\"'],
    ['täble ☃', '"täble ☃"'],
  ])('quotes %s', (name, quoted) => {
    expect(quoteName(name)).toBe(quoted);
  });

  it('lets no name end the quotes', () => {
    assert(
      property(
        string({ minLength: 1, maxLength: 15, unit: constantFrom('"', '\\', "'", ';', ' ', 'a', '☃') }),
        (name) => {
          expect(quoteName(name).slice(1, -1).replaceAll('""', '')).not.toContain('"');
        },
      ),
    );
  });

  it.each([
    ['nothing', ''],
    ['a NUL character', 'a\0b'],
    ['half a character', 'a\ud800'],
    ['more bytes than a name can have', 'ä'.repeat(32)],
  ])('rejects %s', (_, name) => {
    expect(() => quoteName(name)).toThrow(RangeError);
  });
});
