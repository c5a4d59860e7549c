import type { AttributeDefinition, SchemaExtension } from '@palisade/domain';

export const DEVICE_URN = 'urn:example:params:scim:schemas:extension:device:2.0:User';

/** An extension of User with the types and characteristics that the core schemas do not use. */
export const DEVICE_EXTENSION: SchemaExtension = {
  resourceType: 'User',
  required: false,
  schema: {
    id: DEVICE_URN,
    name: 'Device',
    description: 'The device that a user was given.',
    attributes: [
      attribute('serial', { mutability: 'immutable', caseExact: true }),
      attribute('issued', { type: 'dateTime' }),
      attribute('slots', { type: 'integer' }),
      attribute('weight', { type: 'decimal' }),
      attribute('key', { type: 'binary', caseExact: true }),
      attribute('manual', { type: 'reference', referenceTypes: ['external'], caseExact: true }),
      attribute('location', { returned: 'request' }),
      attribute('model', { returned: 'always' }),
      attribute('stickers', { multiValued: true }),
    ],
  },
};

export function attribute(name: string, given: Partial<AttributeDefinition>): AttributeDefinition {
  return {
    name,
    description: `The ${name} of the device.`,
    type: 'string',
    multiValued: false,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...given,
  };
}
