import type { SchemaObject, SchemasObject } from '@nestjs/swagger';
import { RESOURCE_TYPES, type AttributeDefinition, type SchemaDefinition } from '@palisade/domain';
import { ENTERPRISE_USER_SCHEMA, createResourceSchema, schemaResources, type ResourceSchema } from '@palisade/scim';
import { schemaReference } from '../references.js';
import { objectSchema } from './attribute-schema.js';

const RESOURCES = RESOURCE_TYPES.map((type) => createResourceSchema(type));

/** The JSON Schema of every kind of resource by its name, made from the schemas that the service validates with. */
export function resourceSchemas(): SchemasObject {
  const { name, description, attributes } = ENTERPRISE_USER_SCHEMA;
  return {
    ...Object.fromEntries(RESOURCES.map((schema) => [schema.type, resourceSchema(schema)])),
    [name]: { ...objectSchema(attributes), description },
    ...Object.fromEntries(discoveryDefinitions().map((definition) => [definition.name, discoverySchema(definition)])),
  };
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

/** The definitions of the discovery resources, which `GET /Schemas` describes in the same form as all others. */
function discoveryDefinitions(): SchemaDefinition[] {
  const ofResources = new Set(RESOURCES.flatMap(({ schemas }) => schemas.map(({ id }) => id)));
  const documents = schemaResources(RESOURCES, '') as unknown as readonly SchemaDefinition[];
  return documents.filter(({ id }) => !ofResources.has(id));
}

function discoverySchema({ id, description, attributes }: SchemaDefinition): SchemaObject {
  const common = commonAttributes().filter(({ name }) => name === 'schemas' || name === 'meta');
  return { ...withSchemas([id], objectSchema([...common, ...attributes])), description };
}

/** The first resource's attributes without those of its schemas (RFC 7643 §3.1). */
function commonAttributes(): readonly AttributeDefinition[] {
  const [{ attributes, core, extensionAttributes }] = RESOURCES as [ResourceSchema];
  return attributes.filter(
    (attribute) => !core.attributes.includes(attribute) && !extensionAttributes.includes(attribute),
  );
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
