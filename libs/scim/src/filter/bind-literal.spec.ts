import { describe, expect, it } from '@jest/globals';
import type { AttributeDefinition, AttributeType } from '@palisade/domain';
import { ScimError } from '../scim.errors.js';
import { defineAttribute } from '../schema/define-attribute.js';
import { bindLiteral, checkOperator } from './bind-literal.js';
import type { ComparisonExpression, FilterLiteral } from './filter-expression.js';

function attribute(type: AttributeType, overrides: Partial<AttributeDefinition> = {}): AttributeDefinition {
  return defineAttribute({ name: 'sample', description: '', type, ...overrides });
}

function comparison(value: FilterLiteral, overrides: Partial<ComparisonExpression> = {}): ComparisonExpression {
  return { kind: 'compare', path: 'sample', pathOffset: 0, operator: 'eq', value, valueOffset: 10, ...overrides };
}

const OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;

function isAccepted(expression: ComparisonExpression, type: AttributeType): boolean {
  try {
    checkOperator(expression, attribute(type));
    return true;
  } catch {
    return false;
  }
}

describe(bindLiteral.name, () => {
  it('[RFC7643-2.2] folds the value for a string that is not caseExact', () => {
    expect(bindLiteral(comparison('BJensen'), attribute('string'))).toBe('bjensen');
  });

  it('[RFC7643-2.2] keeps the value for a string that is caseExact', () => {
    expect(bindLiteral(comparison('BJensen'), attribute('string', { caseExact: true }))).toBe('BJensen');
  });

  it.each(['reference', 'binary'] as const)('[RFC7643-2.3] keeps the value for a %s', (type) => {
    expect(bindLiteral(comparison('QUJD'), attribute(type))).toBe('QUJD');
  });

  it('[RFC7644-3.4.2.2] gives a dateTime in UTC', () => {
    expect(bindLiteral(comparison('2011-05-13T04:42:34+02:00'), attribute('dateTime'))).toBe(
      '2011-05-13T02:42:34.000Z',
    );
  });

  it.each(['integer', 'decimal'] as const)('gives the number for an %s', (type) => {
    expect(bindLiteral(comparison(2.5), attribute(type))).toBe(2.5);
  });

  it.each<[FilterLiteral, boolean]>([
    [true, true],
    [false, false],
    ['True', true],
    ['False', false],
    ['TRUE', true],
    ['false', false],
  ])('gives a boolean for %j', (value, expected) => {
    expect(bindLiteral(comparison(value), attribute('boolean'))).toBe(expected);
  });

  it('takes the text of a bare number for a string', () => {
    expect(bindLiteral(comparison(1.5, { source: '1.50' }), attribute('string'))).toBe('1.50');
    expect(bindLiteral(comparison(1.5, { source: '1.50' }), attribute('decimal'))).toBe(1.5);
  });

  it.each<[AttributeType, FilterLiteral, string]>([
    ['string', 1, 'filter: expected a string for sample, found 1 at offset 10'],
    ['string', true, 'filter: expected a string for sample, found true at offset 10'],
    ['reference', 1, 'filter: expected a string for sample, found 1 at offset 10'],
    ['binary', false, 'filter: expected a string for sample, found false at offset 10'],
    [
      'dateTime',
      'now',
      'filter: expected a dateTime such as "2011-05-13T04:42:34Z" for sample, found "now" at offset 10',
    ],
    ['dateTime', 1, 'filter: expected a dateTime such as "2011-05-13T04:42:34Z" for sample, found 1 at offset 10'],
    ['integer', '1', 'filter: expected a number for sample, found "1" at offset 10'],
    ['decimal', true, 'filter: expected a number for sample, found true at offset 10'],
    ['boolean', 'yes', 'filter: expected true or false for sample, found "yes" at offset 10'],
    ['boolean', 1, 'filter: expected true or false for sample, found 1 at offset 10'],
    ['complex', 'x', 'filter: expected a sub-attribute for sample, found "x" at offset 10'],
  ])('[RFC7644-3.12] rejects for a %s the value %j with invalidFilter', (type, value, detail) => {
    expect(() => bindLiteral(comparison(value), attribute(type))).toThrow(new ScimError(400, 'invalidFilter', detail));
  });
});

describe(checkOperator.name, () => {
  it.each<[AttributeType, string]>([
    ['string', 'eq ne co sw ew gt ge lt le'],
    ['reference', 'eq ne co sw ew gt ge lt le'],
    ['dateTime', 'eq ne gt ge lt le'],
    ['integer', 'eq ne gt ge lt le'],
    ['decimal', 'eq ne gt ge lt le'],
    ['boolean', 'eq ne'],
    ['binary', 'eq ne'],
  ])('[RFC7644-3.4.2.2] accepts for a %s only %s', (type, supported) => {
    const accepted = OPERATORS.filter((operator) => isAccepted(comparison('x', { operator }), type));
    expect(accepted.join(' ')).toBe(supported);
  });

  it('[RFC7644-3.4.2.2] rejects an order of booleans with invalidFilter', () => {
    const detail = 'filter: expected one of eq, ne for boolean attribute sample, found "gt" at offset 0';
    expect(() => checkOperator(comparison(true, { operator: 'gt' }), attribute('boolean'))).toThrow(
      new ScimError(400, 'invalidFilter', detail),
    );
  });
});
