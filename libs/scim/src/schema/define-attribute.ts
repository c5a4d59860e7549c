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

/** What tells one multi-valued attribute with the sub-attributes of RFC 7643 §2.4 from another. */
export interface MultiValuedDescription {
  readonly name: string;
  readonly description: string;
  /** The sub-attributes that carry the significant value, before `display`, `type` and `primary`. */
  readonly values: readonly AttributeDefinition[];
  readonly types?: readonly string[];
}

/** A multi-valued complex attribute with the default sub-attributes of RFC 7643 §2.4: `display`, `type` and `primary`. */
export function multiValuedAttribute({
  name,
  description,
  values,
  types,
}: MultiValuedDescription): AttributeDefinition {
  return defineAttribute({
    name,
    description,
    type: 'complex',
    multiValued: true,
    subAttributes: [
      ...values,
      defineAttribute({ name: 'display', description: 'The value in a form made for people to read.' }),
      defineAttribute({
        name: 'type',
        description: 'What the value is used for.',
        ...(types === undefined ? {} : { canonicalValues: types }),
      }),
      defineAttribute({
        name: 'primary',
        description: 'Whether this is the preferred value; true for one value at most.',
        type: 'boolean',
      }),
    ],
  });
}
