import { describe, expect, it } from '@jest/globals';
import { array, assert, constantFrom, property, string } from 'fast-check';
import { parseAlternativeNames } from './subject-alternative-names.js';

describe(parseAlternativeNames.name, () => {
  it.each([
    ['', []],
    ['DNS:a.example.com', ['DNS=a.example.com']],
    ['DNS:a.example.com, URI:spiffe://x/y', ['DNS=a.example.com', 'URI=spiffe://x/y']],
    ['IP Address:::1, DNS:a', ['IP Address=::1', 'DNS=a']],
    ['DNS:', ['DNS=']],
  ])('reads %j', (text, names) => {
    expect(parseAlternativeNames(text).map(({ type, value }) => `${type}=${value}`)).toEqual(names);
  });

  it('reads a quoted value as one, whatever it holds', () => {
    const text = String.raw`DNS:"evil\u002c URI:spiffe://prod/ns/acme", URI:"a\"b, DNS:c"`;
    expect(parseAlternativeNames(text)).toEqual([
      { type: 'DNS', value: 'evil, URI:spiffe://prod/ns/acme' },
      { type: 'URI', value: 'a"b, DNS:c' },
    ]);
  });

  it.each([
    ['DNS', 'offset 0: expected a type and a colon'],
    ['DNS:a, b', 'offset 7: expected a type and a colon'],
    ['DNS:a, ', 'offset 5: expected the end, or another entry'],
    ['DNS:"a', 'offset 4: expected the end of a quoted value'],
    [String.raw`DNS:"a\"`, 'offset 4: expected the end of a quoted value'],
    ['DNS:"a"b', 'offset 7: expected the end, or another entry'],
    ['DNS:"a",DNS:b', 'offset 7: expected the end, or another entry'],
  ])('rejects %j', (text, problem) => {
    expect(() => parseAlternativeNames(text)).toThrow(problem);
  });

  it('rejects what is very long', () => {
    expect(() => parseAlternativeNames(`DNS:${'a'.repeat(20_000)}`)).toThrow('expected at most 16384 characters');
  });

  it('finds as many names as there are, whatever is in them', () => {
    assert(
      property(array(string(), { maxLength: 5 }), (values) => {
        const text = values.map((value) => `DNS:${JSON.stringify(value)}`).join(', ');
        expect(parseAlternativeNames(text).map(({ value }) => value)).toEqual(values);
      }),
      { numRuns: 300 },
    );
  });

  it('rejects everything else with a position, or reads it', () => {
    assert(
      property(string({ unit: constantFrom('D', ':', '"', ',', ' ', '\\', 'u') }), (text) => {
        try {
          parseAlternativeNames(text);
        } catch (error) {
          expect(error).toBeInstanceOf(SyntaxError);
        }
      }),
      { numRuns: 500 },
    );
  });
});
