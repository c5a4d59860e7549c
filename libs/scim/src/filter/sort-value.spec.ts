import { describe, expect, it } from '@jest/globals';
import type { AttributeReference, JsonObject } from '@palisade/domain';
import { sortValue } from './sort-value.js';

const USER_NAME: AttributeReference = { path: ['userName'], type: 'string', multiValued: false };
const EMAIL: AttributeReference = { path: ['emails', 'value'], type: 'string', multiValued: true };

describe(sortValue.name, () => {
  it('gives the value of a singular attribute', () => {
    expect(sortValue({ userName: 'bjensen' }, USER_NAME)).toBe('bjensen');
  });

  it('follows sub-attributes and extensions', () => {
    const department: AttributeReference = { path: ['urn:x', 'manager', 'value'], type: 'string', multiValued: false };
    expect(sortValue({ 'urn:x': { manager: { value: '26118915' } } }, department)).toBe('26118915');
  });

  it('[RFC7644-3.4.2.3] gives the value of the primary element', () => {
    expect(sortValue({ emails: [{ value: 'a' }, { value: 'b', primary: true }] }, EMAIL)).toBe('b');
  });

  it('[RFC7644-3.4.2.3] gives the first value when no element is primary', () => {
    expect(sortValue({ emails: [{ value: 'b' }, { value: 'a', primary: false }] }, EMAIL)).toBe('b');
  });

  it('gives the first value when the primary element has none', () => {
    expect(sortValue({ emails: [{ type: 'home' }, { value: 'b' }, { type: 'work', primary: true }] }, EMAIL)).toBe('b');
  });

  it('gives the first of several simple values', () => {
    expect(sortValue({ tags: [null, 'x', 'y'] }, { path: ['tags'], type: 'string', multiValued: true })).toBe('x');
  });

  it.each<JsonObject>([{}, { emails: [] }, { emails: null }, { emails: 'x' }, { emails: [{ value: { deep: 1 } }] }])(
    'gives null when there is no value: %j',
    (document) => {
      expect(sortValue(document, EMAIL)).toBeNull();
    },
  );

  it('keeps false and 0', () => {
    expect(sortValue({ active: false }, { path: ['active'], type: 'boolean', multiValued: false })).toBe(false);
    expect(sortValue({ rank: 0 }, { path: ['rank'], type: 'integer', multiValued: false })).toBe(0);
  });

  it('does not follow prototypes', () => {
    expect(sortValue({}, { path: ['constructor', 'name'], type: 'string', multiValued: false })).toBeNull();
  });
});
