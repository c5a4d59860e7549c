import { describe, expect, it } from '@jest/globals';
import { ScimError } from '../scim.errors.js';
import { FilterLexer } from './filter-lexer.js';

function readString(text: string): string {
  return new FilterLexer(text, 'filter').string();
}

describe(FilterLexer.name, () => {
  it.each([
    [String.raw`""`, ''],
    [String.raw`"O'Malley"`, "O'Malley"],
    [String.raw`"a) or (b] pr"`, 'a) or (b] pr'],
    [String.raw`"say \"hi\""`, 'say "hi"'],
    [String.raw`"\\\/\b\f\n\r\t"`, '\\/\b\f\n\r\t'],
    [String.raw`"\u00e9\u00E9"`, 'éé'],
    [String.raw`"\ud83d\ude00"`, '😀'],
    ['"😀é\u2028\u007f"', '😀é\u2028\u007f'],
  ])('[RFC7644-3.4.2.2] reads the JSON string %s', (text, value) => {
    expect(readString(text)).toBe(value);
  });

  it.each([
    ['"a', 'expected a closing quotation mark, found the end at offset 2'],
    [String.raw`"a\"`, 'expected a closing quotation mark, found the end at offset 4'],
    ['"a\nb"', 'expected control characters in a string to be escaped, found "\\n" at offset 2'],
    ['"\u0000"', 'expected control characters in a string to be escaped, found "\\u0000\\"" at offset 1'],
    [
      String.raw`"\x41"`,
      String.raw`expected an escape of JSON (\" \\ \/ \b \f \n \r \t \uXXXX), found "\\x41\"" at offset 1`,
    ],
    [
      String.raw`"\u12g4"`,
      String.raw`expected an escape of JSON (\" \\ \/ \b \f \n \r \t \uXXXX), found "\\u12g4\"" at offset 1`,
    ],
    [
      String.raw`"\u0000"`,
      String.raw`expected a value without U+0000 and lone surrogates, found "\"\\u0000\"" at offset 0`,
    ],
    [
      String.raw`"\ud83d"`,
      String.raw`expected a value without U+0000 and lone surrogates, found "\"\\ud83d\"" at offset 0`,
    ],
    [
      String.raw`"\ude00\ud83d"`,
      String.raw`expected a value without U+0000 and lone surrogates, found "\"\\ude00\\ud83d\"" at offset 0`,
    ],
    ['"\ud83d"', String.raw`expected a value without U+0000 and lone surrogates, found "\"\ud83d\"" at offset 0`],
    ["'a'", `expected a string in quotation marks, found "'a'" at offset 0`],
  ])('[RFC7644-3.12] rejects %j with invalidFilter', (text, detail) => {
    expect(() => readString(text)).toThrow(new ScimError(400, 'invalidFilter', `filter: ${detail}`));
  });

  it('ends a word at white space, brackets and quotation marks', () => {
    for (const delimiter of [' ', '\t', '(', ')', '[', ']', '"']) {
      expect(new FilterLexer(`emails.type${delimiter}x`, 'filter').word()).toBe('emails.type');
    }
  });

  it('ends an unquoted value only at white space, ")" and "]"', () => {
    expect(new FilterLexer('a(b[c"d)', 'filter').unquoted()).toBe('a(b[c"d');
    expect(new FilterLexer('a]', 'filter').unquoted()).toBe('a');
    expect(new FilterLexer('a b', 'filter').unquoted()).toBe('a');
  });

  it.each(['a\u0000', '\u0007', '\u0085', '\ud83d'])('rejects the unquoted value %j', (text) => {
    expect(() => new FilterLexer(text, 'filter').unquoted()).toThrow(ScimError);
  });

  it('shows at most 40 characters of what it found', () => {
    const lexer = new FilterLexer('x'.repeat(500), 'path');
    expect(() => lexer.fail('nothing')).toThrow(`path: expected nothing, found "${'x'.repeat(40)}" at offset 0`);
  });
});
