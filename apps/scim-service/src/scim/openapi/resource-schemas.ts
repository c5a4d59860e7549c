import type { SchemaObject, SchemasObject } from '@nestjs/swagger';
import {
  type AttributeDefinition,
  type AttributeType,
  RESOURCE_TYPES,
  type ResourceType,
  type SchemaDefinition,
} from '@palisade/domain';
import { schemaReference } from '@palisade/platform';
import {
  COMMON_ATTRIBUTES,
  createResourceSchema,
  ENTERPRISE_USER_SCHEMA,
  RESOURCE_TYPE_SCHEMA,
  type ResourceSchema,
  SCHEMA_SCHEMA,
  SERVICE_PROVIDER_CONFIG_SCHEMA,
} from '@palisade/scim';

const RESOURCES = RESOURCE_TYPES.map((type) => createResourceSchema(type));
const DISCOVERY_SCHEMAS = [SERVICE_PROVIDER_CONFIG_SCHEMA, RESOURCE_TYPE_SCHEMA, SCHEMA_SCHEMA];

/** The JSON Schema of every kind of resource by its name, made from the schemas that the service validates with. */
export function resourceSchemas(): SchemasObject {
  const { name, description, attributes } = ENTERPRISE_USER_SCHEMA;
  return {
    ...Object.fromEntries(RESOURCES.map((schema) => [schema.type, resourceSchema(schema)])),
    [name]: { ...objectSchema(attributes), description },
    ...Object.fromEntries(DISCOVERY_SCHEMAS.map((definition) => [definition.name, discoverySchema(definition)])),
  };
}

/** A user or group as it is answered: whatever attributes are asked for, the identifier is there (RFC 7643 §3.1). */
export function storedResource(type: ResourceType): SchemaObject {
  return { allOf: [schemaReference(type)], required: ['id'] };
}

function resourceSchema({ core, attributes, extensionAttributes }: ResourceSchema): SchemaObject {
  const own = attributes.filter((attribute) => !extensionAttributes.includes(attribute));
  const schema = withSchemas([core.id], objectSchema(own));
  return {
    ...schema,
    properties: { ...schema.properties, ...extensionProperties(extensionAttributes) },
    description: `${core.description} Extensions that the provider defines are properties too, named by their URN.`,
    additionalProperties: true,
  };
}

/** Those that every provider has: the enterprise extension of users. */
function extensionProperties(extensions: readonly AttributeDefinition[]): SchemasObject {
  return Object.fromEntries(
    extensions.map(({ name }) => [name, { allOf: [schemaReference(ENTERPRISE_USER_SCHEMA.name)] }]),
  );
}

function discoverySchema({ id, description, attributes }: SchemaDefinition): SchemaObject {
  const common = COMMON_ATTRIBUTES.filter(({ name }) => name === 'schemas' || name === 'meta');
  return { ...withSchemas([id], objectSchema([...common, ...attributes])), description };
}

// RFC 7643 §3: "schemas" is required in every representation.
function withSchemas(urns: readonly string[], schema: SchemaObject): SchemaObject {
  const { schemas, ...properties } = schema.properties ?? {};
  return {
    ...schema,
    properties: { schemas: { ...schemas, examples: [[...urns]] }, ...properties },
    required: ['schemas', ...(schema.required ?? [])],
  };
}

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
    ...(returned === 'request' ? ['Returned when asked for, and to a write that sets it.'] : []),
  ];
  return [description, ...notes].join(' ');
}
