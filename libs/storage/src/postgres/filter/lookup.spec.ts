import { describe, expect, it } from '@jest/globals';
import type { AttributeReference, Filter } from '@palisade/domain';
import { isLookup } from './lookup.js';

function compare(operator: 'eq' | 'sw', name: string, value: string | boolean = 'x'): Filter {
  const attribute: AttributeReference = { path: [name], type: 'string', multiValued: false };
  return { kind: 'compare', attribute, operator, value };
}

const EQUAL = compare('eq', 'title');
const PREFIX = compare('sw', 'title');

describe(isLookup.name, () => {
  it('takes equality with a text for a lookup, and no other comparison', () => {
    expect(isLookup(EQUAL)).toBe(true);
    expect(isLookup(PREFIX)).toBe(false);
    expect(isLookup(compare('eq', 'active', true))).toBe(false);
    expect(isLookup(compare('eq', 'meta'))).toBe(false);
  });

  it('needs one lookup among conditions that must all hold', () => {
    expect(isLookup({ kind: 'and', operands: [PREFIX, EQUAL] })).toBe(true);
    expect(isLookup({ kind: 'and', operands: [PREFIX] })).toBe(false);
    expect(isLookup({ kind: 'and', operands: [] })).toBe(false);
  });

  it('needs lookups only among alternatives', () => {
    expect(isLookup({ kind: 'or', operands: [EQUAL, EQUAL] })).toBe(true);
    expect(isLookup({ kind: 'or', operands: [EQUAL, PREFIX] })).toBe(false);
    expect(isLookup({ kind: 'or', operands: [] })).toBe(false);
  });

  it('takes nothing negated for a lookup', () => {
    expect(isLookup({ kind: 'not', operand: EQUAL })).toBe(false);
  });

  it('looks inside elements', () => {
    const attribute: AttributeReference = { path: ['emails'], type: 'complex', multiValued: true };

    expect(isLookup({ kind: 'element', attribute, filter: EQUAL })).toBe(true);
    expect(isLookup({ kind: 'element', attribute, filter: PREFIX })).toBe(false);
  });
});
