import { describe, expect, it } from '@jest/globals';
import type { Filter } from '@palisade/domain';
import { createResourceSchema } from '../schema/create-resource-schema.js';
import { bindElementFilter } from './bind-filter.js';
import { ALWAYS, NEVER } from './bind-special-attributes.js';
import { dropRepeatedConditions } from './drop-repeated-conditions.js';
import type { FilterExpression } from './filter-expression.js';
import { parseFilter } from './parse-filter.js';

const SCHEMA = createResourceSchema('User');

function bound(expression: FilterExpression): Filter {
  const emails = SCHEMA.findAttribute('emails');
  if (emails === undefined) {
    throw new Error('expected emails in the schema');
  }
  return bindElementFilter(expression, emails);
}

describe(dropRepeatedConditions.name, () => {
  it.each([
    ['value co "x" or value co "x"', 'value co "x"'],
    ['value co "x" or VALUE co "X" or type pr', 'value co "x" or type pr'],
    ['value eq "x" and value eq "x" and value eq "y"', 'value eq "x" and value eq "y"'],
    ['(type pr and value pr) or (type pr and value pr)', 'type pr and value pr'],
    ['(type pr or type pr) and (type pr or type pr)', 'type pr'],
    ['not (type pr) or not (type pr or type pr)', 'not (type pr)'],
  ])('makes %s %s', (text, expected) => {
    expect(dropRepeatedConditions(bound(parseFilter(text)))).toEqual(bound(parseFilter(expected)));
  });

  it.each([
    'value eq "x" or value eq "y"',
    'value eq "x" or value ne "x"',
    'value eq "x" or type eq "x"',
    'value pr or not (value pr)',
    'type pr and (type pr or value pr)',
    '(type pr and value pr) or (value pr and type pr)',
  ])('keeps %s', (text) => {
    const filter = bound(parseFilter(text));
    expect(dropRepeatedConditions(filter)).toEqual(filter);
  });

  it('tells values of different types apart', () => {
    const compare = (value: string | number): Filter => ({
      kind: 'compare',
      attribute: { path: ['a'], type: 'string', multiValued: false },
      operator: 'eq',
      value,
    });
    const filter: Filter = { kind: 'or', operands: [compare('1'), compare(1)] };
    expect(dropRepeatedConditions(filter)).toEqual(filter);
  });

  it.each([ALWAYS, NEVER])('keeps %j', (filter) => {
    expect(dropRepeatedConditions(filter)).toEqual(filter);
  });
});
