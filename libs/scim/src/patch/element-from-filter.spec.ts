import { describe, expect, it } from '@jest/globals';
import { parseFilter } from '../filter/parse-filter.js';
import { defineAttribute } from '../schema/define-attribute.js';
import { elementFromFilter } from './element-from-filter.js';

const BADGES = defineAttribute({
  name: 'badges',
  description: '',
  type: 'complex',
  multiValued: true,
  subAttributes: [
    defineAttribute({ name: 'value', description: '' }),
    defineAttribute({ name: 'level', description: '', type: 'integer' }),
    defineAttribute({ name: 'primary', description: '', type: 'boolean' }),
    defineAttribute({ name: 'derived', description: '', mutability: 'readOnly' }),
  ],
});

function fromFilter(text: string): unknown {
  return elementFromFilter(parseFilter(text, { unquotedLiterals: true }), BADGES);
}

describe(elementFromFilter.name, () => {
  it.each([
    ['value eq "a"', { value: 'a' }],
    ['VALUE eq "A"', { value: 'A' }],
    ['primary eq "True" and value eq "a"', { value: 'a', primary: true }],
    ['(level eq 3) and (primary eq true and value eq "a")', { value: 'a', level: 3, primary: true }],
    ['value eq 0042', { value: '0042' }],
    ['value eq 42', { value: '42' }],
    ['value eq "a" and value eq "a"', { value: 'a' }],
    ['value eq null', {}],
  ])('makes of %s an element', (text, element) => {
    expect(fromFilter(text)).toEqual(element);
  });

  it.each([
    'value ne "a"',
    'value co "a"',
    'value pr',
    'value eq "a" or value eq "b"',
    'not (value eq "a")',
    'value eq "a" and value eq "b"',
    'value eq "a" and level gt 3',
    'derived eq "a"',
  ])('makes nothing of %s', (text) => {
    expect(fromFilter(text)).toBeUndefined();
  });

  it('rejects a value that the attribute cannot have', () => {
    expect(() => fromFilter('level eq 1.5')).toThrow(expect.objectContaining({ scimType: 'invalidValue' }));
  });
});
