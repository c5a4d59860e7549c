import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@palisade/domain';
import { defineAttribute } from '../schema/define-attribute.js';
import { changeAt } from './change-at.js';

const FIRST = defineAttribute({ name: 'first', description: '' });
const SECOND = defineAttribute({ name: 'second', description: '', required: true });
const OUTER = defineAttribute({ name: 'outer', description: '', type: 'complex', subAttributes: [FIRST, SECOND] });
const ATTRIBUTES = [FIRST, OUTER, SECOND];

describe(changeAt.name, () => {
  it('gives back the same object when the value stays the same', () => {
    const object = { outer: { first: 'a' } };

    expect(changeAt(object, ATTRIBUTES, [OUTER, FIRST], (before) => before)).toBe(object);
  });

  it('gives back the same object when what is unassigned stays so, however deep', () => {
    const object = { first: 'a' };

    expect(changeAt(object, ATTRIBUTES, [OUTER, FIRST], () => undefined)).toBe(object);
  });

  it('puts a new attribute where the schema has it', () => {
    expect(Object.keys(changeAt({ second: 'b', other: 1 }, ATTRIBUTES, [FIRST], () => 'a'))).toEqual([
      'first',
      'second',
      'other',
    ]);
  });

  it('shares what it does not change', () => {
    const outer = { first: 'a' };

    expect(changeAt({ outer }, ATTRIBUTES, [FIRST], () => 'x').outer).toBe(outer);
  });

  it('removes a complex attribute with its last sub-attribute', () => {
    expect(changeAt({ outer: { first: 'a' } }, ATTRIBUTES, [OUTER, FIRST], () => undefined)).toEqual({});
  });

  it('[RFC7644-3.5.2.2-6] fails with mutability when a required attribute would go', () => {
    expect(() => changeAt({ outer: { second: 'b' } }, ATTRIBUTES, [OUTER, SECOND], () => undefined)).toThrow(
      expect.objectContaining({ scimType: 'mutability' }),
    );
  });

  it('takes nothing from a prototype', () => {
    const object = Object.create({ first: 'inherited' }) as JsonObject;

    expect(changeAt(object, ATTRIBUTES, [FIRST], (before) => (before === undefined ? 'own' : 'seen'))).toEqual({
      first: 'own',
    });
  });
});
