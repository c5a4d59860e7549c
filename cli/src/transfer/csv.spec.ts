import { describe, expect, it } from '@jest/globals';
import { array, assert, constantFrom, property, string } from 'fast-check';
import { guardFormula, parseCsvRecord, printCsvRecord, unguardFormula } from './csv.js';

describe(parseCsvRecord.name, () => {
  it.each([
    ['a,b', ['a', 'b']],
    ['a,', ['a', '']],
    ['', ['']],
    ['"a,b",c', ['a,b', 'c']],
    ['"say ""hi""",""', ['say "hi"', '']],
    ['"two\r\nlines",x', ['two\r\nlines', 'x']],
    [' a , b', [' a ', ' b']],
  ])('reads %j', (record, fields) => {
    expect(parseCsvRecord(record)).toEqual(fields);
  });

  it.each(['a"b', '"a', '"a"b', '"a" ,b', 'a,"'])('rejects the quotes of %j', (record) => {
    expect(parseCsvRecord(record)).toBeUndefined();
  });
});

describe(printCsvRecord.name, () => {
  it('prints what is read as the same fields', () => {
    const fields = array(string({ unit: constantFrom('a', 'é', ',', '"', '\r', '\n', ';', ' ') }), {
      minLength: 1,
    });
    assert(
      property(fields, (values) => {
        expect(parseCsvRecord(printCsvRecord(values).slice(0, -2))).toEqual(values);
      }),
    );
  });
});

describe(guardFormula.name, () => {
  it.each(['=1+1', '+1', '-1', '@a', '\t=1', '\r=1', "'=1"])('puts an apostrophe before %j', (text) => {
    expect(guardFormula(text)).toBe(`'${text}`);
  });

  it.each(['', 'a=b', "O'Hara", "'a'"])('leaves %j as it is', (text) => {
    expect(guardFormula(text)).toBe(text);
  });

  it('can be undone', () => {
    assert(
      property(string({ unit: constantFrom("'", '=', '-', '\t', 'a') }), (text) => {
        expect(unguardFormula(guardFormula(text))).toBe(text);
      }),
    );
  });
});
