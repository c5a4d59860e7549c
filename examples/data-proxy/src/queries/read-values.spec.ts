import { describe, expect, it } from '@jest/globals';
import type { NamedStatement } from './named-statement.js';
import { readValues } from './read-values.js';

const STATEMENT: NamedStatement = {
  text: '',
  parameters: {
    title: { type: 'text', maxLength: 5 },
    count: { type: 'integer', min: 1, max: 9 },
    id: { type: 'uuid' },
  },
};

const VALUES = { id: '5d7e6e0c-8f6f-4c53-8d52-3a3a0a4b5c6d', count: 9, title: 'a' };

describe(readValues.name, () => {
  it('puts values into the order of the parameters', () => {
    expect(readValues(STATEMENT, VALUES)).toEqual(['a', 9, '5d7e6e0c-8f6f-4c53-8d52-3a3a0a4b5c6d']);
  });

  it.each([
    ['a text that is too long', { title: 'abcdef' }, 'values.title: expected a text of at most 5 characters'],
    ['a text with NUL', { title: 'a\0' }, 'values.title'],
    ['half a surrogate pair', { title: '\ud800' }, 'values.title'],
    ['a list for a text', { title: ['a'] }, 'values.title'],
    ['a number that is too large', { count: 10 }, 'values.count: expected an integer from 1 to 9'],
    ['a number as text', { count: '5' }, 'values.count'],
    ['a fraction', { count: 1.5 }, 'values.count'],
    ['a text for a UUID', { id: "' or true --" }, 'values.id: expected a UUID'],
    ['an unknown parameter', { tenant_id: 'x' }, 'values.tenant_id: expected only title, count, id'],
    ['a name that every object has', { toString: 'x' }, 'values.toString'],
  ])('rejects %s', (_, values, problem) => {
    expect(() => readValues(STATEMENT, { ...VALUES, ...values })).toThrow(problem);
  });

  it('rejects a missing value', () => {
    expect(() => readValues(STATEMENT, { title: 'a', count: 1 })).toThrow('values.id');
  });
});
