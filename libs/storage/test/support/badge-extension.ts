import type { AttributeDefinition, SchemaExtension } from '@palisade/domain';

export const BADGE_URN = 'urn:example:palisade:1.0:Badge';

function attribute(name: string, characteristics: Partial<AttributeDefinition>): AttributeDefinition {
  return {
    name,
    type: 'string',
    multiValued: false,
    description: name,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...characteristics,
  };
}

/** A schema extension for users with an attribute of every type, single- and multi-valued. */
export const BADGE_EXTENSION: SchemaExtension = {
  resourceType: 'User',
  required: false,
  schema: {
    id: BADGE_URN,
    name: 'Badge',
    description: 'What a door knows about a user.',
    attributes: [
      attribute('label', {}),
      attribute('code', { caseExact: true }),
      attribute('level', { type: 'integer' }),
      attribute('weight', { type: 'decimal' }),
      attribute('lost', { type: 'boolean' }),
      attribute('issued', { type: 'dateTime' }),
      attribute('photo', { type: 'binary', caseExact: true }),
      attribute('page', { type: 'reference', caseExact: true, referenceTypes: ['external'] }),
      attribute('tags', { multiValued: true }),
      attribute('floors', { type: 'integer', multiValued: true }),
      attribute('visits', {
        type: 'complex',
        multiValued: true,
        subAttributes: [
          attribute('value', {}),
          attribute('at', { type: 'dateTime' }),
          attribute('minutes', { type: 'integer' }),
          attribute('primary', { type: 'boolean' }),
        ],
      }),
    ],
  },
};
