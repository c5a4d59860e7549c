import { describe, expect, it } from '@jest/globals';
import { defineAttribute } from './define-attribute.js';

describe(defineAttribute.name, () => {
  it('[RFC7643-2.2] gives the default characteristics', () => {
    expect(defineAttribute({ name: 'title', description: 'Job title.' })).toEqual({
      name: 'title',
      description: 'Job title.',
      type: 'string',
      multiValued: false,
      required: false,
      caseExact: false,
      mutability: 'readWrite',
      returned: 'default',
      uniqueness: 'none',
    });
  });

  it('[RFC7643-2.3.6] makes a binary case exact', () => {
    expect(defineAttribute({ name: 'value', description: '', type: 'binary' }).caseExact).toBe(true);
  });

  it('[RFC7643-2.3.7] makes a reference case exact', () => {
    expect(defineAttribute({ name: 'value', description: '', type: 'reference' }).caseExact).toBe(true);
  });
});
