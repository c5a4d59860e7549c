import type { SchemaObject, SchemasObject } from '@nestjs/swagger';
import { RESOURCE_TYPES, type AttributeDefinition, type ResourceType, type SchemaDefinition } from '@palisade/domain';
import {
  COMMON_ATTRIBUTES,
  ENTERPRISE_USER_SCHEMA,
  RESOURCE_TYPE_SCHEMA,
  SCHEMA_SCHEMA,
  SERVICE_PROVIDER_CONFIG_SCHEMA,
  createResourceSchema,
  type ResourceSchema,
} from '@palisade/scim';
import { schemaReference } from '@palisade/platform';
import { objectSchema } from './attribute-schema.js';

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
