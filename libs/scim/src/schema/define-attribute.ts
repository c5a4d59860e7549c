import type { AttributeDefinition } from '@palisade/domain';

/** An attribute with the default characteristics of RFC 7643 §2.2 where they are not given. */
export function defineAttribute(
  given: Pick<AttributeDefinition, 'name' | 'description'> & Partial<AttributeDefinition>,
): AttributeDefinition {
  return {
    type: 'string',
    multiValued: false,
    required: false,
    // RFC 7643 §2.3.6, §2.3.7: "A binary is case exact", "A reference is case exact".
    caseExact: given.type === 'reference' || given.type === 'binary',
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...given,
  };
}
