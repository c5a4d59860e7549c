import { describe, expect, it } from '@jest/globals';
import type { AttributeDefinition } from '@palisade/domain';
import { defineAttribute } from '@palisade/scim';
import { attributeSchema, objectSchema } from './resource-schemas.js';

function attribute(given: Partial<AttributeDefinition>): AttributeDefinition {
  return defineAttribute({ name: 'size', description: 'How big.', ...given });
}

describe(attributeSchema.name, () => {
  it.each([
    ['string', { type: 'string' }],
    ['boolean', { type: 'boolean' }],
    ['integer', { type: 'integer' }],
    ['decimal', { type: 'number' }],
    ['dateTime', { type: 'string', format: 'date-time' }],
    ['binary', { type: 'string', format: 'byte' }],
    ['reference', { type: 'string', format: 'uri-reference' }],
  ] as const)('describes %s', (type, expected) => {
    expect(attributeSchema(attribute({ type }))).toEqual({ ...expected, description: 'How big.' });
  });

  it('describes several values as a list', () => {
    expect(attributeSchema(attribute({ multiValued: true }))).toEqual({
      type: 'array',
      items: { type: 'string' },
      description: 'How big.',
    });
  });

  it('shows canonical values as examples, as others are accepted', () => {
    expect(attributeSchema(attribute({ canonicalValues: ['S', 'M'] }))).toMatchObject({ examples: ['S', 'M'] });
  });

  it.each([
    ['readOnly', { readOnly: true }],
    ['writeOnly', { writeOnly: true }],
  ] as const)('marks what is %s', (mutability, expected) => {
    expect(attributeSchema(attribute({ mutability }))).toMatchObject(expected);
  });

  it('tells in words what JSON Schema has no word for', () => {
    const given = attribute({ mutability: 'immutable', uniqueness: 'server', caseExact: true, returned: 'request' });
    expect(attributeSchema(given).description).toBe(
      'How big. Immutable. Unique within the provider. Case exact. Returned when asked for, and to a write that sets it.',
    );
  });
});

describe(objectSchema.name, () => {
  it('lists what is required, at each level', () => {
    const inner = attribute({ name: 'unit', required: true });
    const outer = attribute({ type: 'complex', required: true, subAttributes: [inner, attribute({ name: 'amount' })] });
    expect(objectSchema([outer])).toMatchObject({ required: ['size'], properties: { size: { required: ['unit'] } } });
  });

  it('says nothing of requirements where there are none', () => {
    expect(objectSchema([attribute({})])).not.toHaveProperty('required');
  });
});
