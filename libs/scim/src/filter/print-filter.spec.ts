import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { ComparisonExpression, FilterExpression } from './filter-expression.js';
import { parseFilter } from './parse-filter.js';
import { printFilter } from './print-filter.js';
import { runs } from '../../../../test/support/effort.js';

const OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;

const PATH = fc.constantFrom(
  'userName',
  'emails.type',
  '$ref',
  'a-b_c$',
  'urn:ietf:params:scim:schemas:core:2.0:User:name.givenName',
);
const TEXT = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0'));
const NUMBER = fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0);
const VALUE = fc.oneof(TEXT, NUMBER, fc.integer(), fc.boolean(), fc.constant(null));

const COMPARISON: fc.Arbitrary<ComparisonExpression> = fc.record({
  kind: fc.constant('compare'),
  path: PATH,
  pathOffset: fc.constant(0),
  operator: fc.constantFrom(...OPERATORS),
  value: VALUE,
  valueOffset: fc.constant(0),
});

function expressions(leaf: fc.Arbitrary<FilterExpression>): fc.Arbitrary<FilterExpression> {
  const { tree } = fc.letrec<{ tree: FilterExpression }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4, depthSize: 'medium' },
      leaf,
      fc.record({
        kind: fc.constantFrom('and', 'or'),
        operands: fc.oneof(fc.tuple(tie('tree'), tie('tree')), fc.tuple(tie('tree'), tie('tree'), tie('tree'))),
      }),
      fc.record({ kind: fc.constant('not'), operand: tie('tree') }),
    ),
  }));
  return tree;
}

const LEAF: fc.Arbitrary<FilterExpression> = fc.oneof(
  COMPARISON,
  fc.record({ kind: fc.constant('present'), path: PATH, pathOffset: fc.constant(0) }),
);
const VALUE_PATH: fc.Arbitrary<FilterExpression> = fc.record({
  kind: fc.constant('valuePath'),
  path: PATH,
  pathOffset: fc.constant(0),
  filter: expressions(LEAF),
});

/** The same tree with every offset 0. */
function withoutOffsets(expression: FilterExpression): unknown {
  const text = JSON.stringify(expression, (key, value: unknown) => (key.endsWith('Offset') ? 0 : value));
  return JSON.parse(text) as unknown;
}

describe(printFilter.name, () => {
  it('gives a text that parses to an equal tree', () => {
    fc.assert(
      fc.property(expressions(fc.oneof(LEAF, VALUE_PATH)), (tree) => {
        const text = printFilter(tree);
        fc.pre(text.length <= 8192);
        expect(withoutOffsets(parseFilter(text))).toEqual(withoutOffsets(tree));
      }),
      { numRuns: runs(200) },
    );
  });

  it.each([
    'a eq 1 or b eq 2 and c eq 3',
    '(a eq 1 or b eq 2) and c eq 3',
    'a pr and b pr and c pr',
    '(a pr and b pr) and c pr',
    'not (a pr) and not (b pr or c pr)',
    'emails[type eq "work" and (value co "@" or display pr)]',
    'userName eq "a\\"b\\\\c)d]"',
    'rank gt -1.5 and active eq true and title eq null',
  ])('gives back %s', (text) => {
    expect(printFilter(parseFilter(text))).toBe(text);
  });

  it('leaves out parentheses that change nothing', () => {
    expect(printFilter(parseFilter('((a pr)) or ((b pr) and (c pr))'))).toBe('a pr or b pr and c pr');
  });

  it('keeps a bare value that may be a string as it was written', () => {
    const options = { unquotedLiterals: true };
    const tree = parseFilter('externalId eq 0 or externalId eq 1.50', options);
    expect(printFilter(tree)).toBe('externalId eq 0 or externalId eq 1.50');
    expect(parseFilter(printFilter(tree), options)).toEqual(tree);
  });
});
