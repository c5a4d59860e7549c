import type { SchemaObject } from '@nestjs/swagger';
import type { AttributeDefinition, AttributeType } from '@palisade/domain';

const SIMPLE_TYPES: Readonly<Record<Exclude<AttributeType, 'complex'>, SchemaObject>> = {
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  decimal: { type: 'number' },
  integer: { type: 'integer' },
  dateTime: { type: 'string', format: 'date-time' },
  binary: { type: 'string', format: 'byte' },
  reference: { type: 'string', format: 'uri-reference' },
};

/** Attributes of one level (RFC 7643 §7) as the JSON Schema of an object. */
export function objectSchema(attributes: readonly AttributeDefinition[]): SchemaObject {
  const required = attributes.filter((attribute) => attribute.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(attributes.map((attribute) => [attribute.name, attributeSchema(attribute)])),
    ...(required.length > 0 && { required }),
  };
}

/** An attribute with its characteristics as JSON Schema; canonical values are examples, because others are accepted. */
export function attributeSchema(attribute: AttributeDefinition): SchemaObject {
  const { type, canonicalValues, mutability, multiValued } = attribute;
  const value: SchemaObject = {
    ...(type === 'complex' ? objectSchema(attribute.subAttributes ?? []) : SIMPLE_TYPES[type]),
    ...(canonicalValues !== undefined && { examples: [...canonicalValues] }),
  };
  return {
    ...(multiValued ? { type: 'array', items: value } : value),
    description: describe(attribute),
    ...(mutability === 'readOnly' && { readOnly: true }),
    ...(mutability === 'writeOnly' && { writeOnly: true }),
  };
}

/** The description, and those characteristics that JSON Schema has no word for. */
function describe({ description, type, caseExact, mutability, uniqueness, returned }: AttributeDefinition): string {
  const notes = [
    ...(mutability === 'immutable' ? ['Immutable.'] : []),
    ...(uniqueness === 'none' ? [] : ['Unique within the provider.']),
    ...(caseExact && type === 'string' ? ['Case exact.'] : []),
    ...(returned === 'request' ? ['Returned only when asked for.'] : []),
  ];
  return [description, ...notes].join(' ');
}
