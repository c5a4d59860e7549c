import { describe, expect, it } from '@jest/globals';
import type { AttributeReference, ComparisonOperator, Filter } from '@palisade/domain';
import { jsonPathPredicate } from './json-path.js';

const ATTRIBUTE: AttributeReference = { path: ['title'], type: 'string', multiValued: false };
const EMAILS: AttributeReference = { path: ['emails'], type: 'complex', multiValued: true };

function compare(operator: ComparisonOperator, value: string | number | boolean, attribute = ATTRIBUTE): Filter {
  return { kind: 'compare', attribute, operator, value };
}

describe(jsonPathPredicate.name, () => {
  it.each([
    ['eq', 'x', 'exists(@."title" ? (@ == "x"))'],
    ['gt', 'x', 'exists(@."title" ? (@ > "x"))'],
    ['ge', 5, 'exists(@."title" ? (@ >= 5))'],
    ['lt', -0.5, 'exists(@."title" ? (@ < -0.5))'],
    ['le', 1e21, 'exists(@."title" ? (@ <= 1e+21))'],
    ['eq', true, 'exists(@."title" ? (@ == true))'],
    ['co', 'a.b', 'exists(@."title" ? (@ like_regex "a.b" flag "q"))'],
    ['sw', 'a%', 'exists(@."title" ? (@ starts with "a%"))'],
    ['ew', 'a.b', String.raw`exists(@."title" ? (@ like_regex "a\\.b$"))`],
  ] as const)('[RFC7644-3.4.2.2] compares with %s', (operator, value, predicate) => {
    expect(jsonPathPredicate(compare(operator, value))).toBe(predicate);
  });

  it('lets ne hold without a value', () => {
    expect(jsonPathPredicate(compare('ne', 'x'))).toBe(
      '(exists(@."title" ? (@ != "x")) || !exists(@."title" ? (@ != null)))',
    );
  });

  it.each(['co', 'sw', 'ew'] as const)('has no %s for what is not a text', (operator) => {
    expect(jsonPathPredicate(compare(operator, 5))).toBe('exists(@."title" ? (1 == 0))');
  });

  it('keeps what a value contains inside its literal', () => {
    expect(jsonPathPredicate(compare('eq', '") || (1 == 1 \\'))).toBe(
      String.raw`exists(@."title" ? (@ == "\") || (1 == 1 \\"))`,
    );
  });

  it('keeps what a name contains inside its accessor', () => {
    const attribute: AttributeReference = { path: ['urn:a"b', 'c.d'], type: 'string', multiValued: false };

    expect(jsonPathPredicate(compare('eq', 1, attribute))).toBe(String.raw`exists(@."urn:a\"b"."c.d" ? (@ == 1))`);
  });

  it('escapes every character that means something in a regular expression', () => {
    expect(jsonPathPredicate(compare('ew', '***:$^.|?+()[]{}\\'))).toBe(
      String.raw`exists(@."title" ? (@ like_regex "\\*\\*\\*:\\$\\^\\.\\|\\?\\+\\(\\)\\[\\]\\{\\}\\\\$"))`,
    );
  });

  it.each([
    [Number.POSITIVE_INFINITY, '1e400'],
    [Number.NEGATIVE_INFINITY, '-1e400'],
  ])('writes %d as a number beyond all that JSON has', (value, literal) => {
    expect(jsonPathPredicate(compare('lt', value))).toBe(`exists(@."title" ? (@ < ${literal}))`);
  });

  it('asks one element for all that an element must satisfy', () => {
    const type = compare('eq', 'work', { ...ATTRIBUTE, path: ['type'] });
    const value = compare('sw', 'a', { ...ATTRIBUTE, path: ['value'] });
    const filter: Filter = { kind: 'element', attribute: EMAILS, filter: { kind: 'and', operands: [type, value] } };

    expect(jsonPathPredicate(filter)).toBe(
      'exists(@."emails" ? (@.type() == "object" && ' +
        '(exists(@."type" ? (@ == "work")) && exists(@."value" ? (@ starts with "a")))))',
    );
  });

  it('combines with and, or and not', () => {
    const filter: Filter = {
      kind: 'or',
      operands: [
        { kind: 'not', operand: compare('eq', 1) },
        { kind: 'and', operands: [] },
        { kind: 'or', operands: [] },
      ],
    };

    expect(jsonPathPredicate(filter)).toBe('(!(exists(@."title" ? (@ == 1))) || 1 == 1 || 1 == 0)');
  });

  it('[RFC7644-3.4.2.2] looks for a value that is not empty at any depth', () => {
    expect(jsonPathPredicate({ kind: 'present', attribute: EMAILS })).toBe(
      'exists(@."emails".** ? (@ > "" || @.type() == "number" || @.type() == "boolean"))',
    );
  });
});
