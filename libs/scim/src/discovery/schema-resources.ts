import type { AttributeDefinition, JsonObject, SchemaDefinition } from '@palisade/domain';
import type { ResourceSchema } from '../schema/resource-schema.js';
import {
  RESOURCE_TYPE_SCHEMA,
  SCHEMA_SCHEMA,
  SERVICE_PROVIDER_CONFIG_SCHEMA,
} from '../schema/service-provider.schemas.js';
import { SCHEMA_URN } from '../urns.js';

/**
 * Every schema that resources use, extensions included, and those of the discovery resources themselves (RFC 7643 §7),
 * each once, as `GET /Schemas` lists them. Nothing in them is null: Entra ID fails on that.
 *
 * @param baseUrl where the protocol's root is, without a trailing slash
 */
export function schemaResources(schemas: readonly ResourceSchema[], baseUrl: string): JsonObject[] {
  const definitions = new Map(
    [
      ...schemas.flatMap((schema) => schema.schemas),
      SERVICE_PROVIDER_CONFIG_SCHEMA,
      RESOURCE_TYPE_SCHEMA,
      SCHEMA_SCHEMA,
    ].map((definition) => [definition.id, definition]),
  );
  return [...definitions.values()].map((definition) => schemaResource(definition, baseUrl));
}

function schemaResource({ id, name, description, attributes }: SchemaDefinition, baseUrl: string): JsonObject {
  return {
    schemas: [SCHEMA_URN],
    id,
    name,
    description,
    attributes: attributes.map(attributeResource),
    meta: { resourceType: 'Schema', location: `${baseUrl}/Schemas/${id}` },
  };
}

// RFC 7643 §7. Complex attributes are nested two deep at most, in the schema of schemas.
function attributeResource(attribute: AttributeDefinition): JsonObject {
  const { canonicalValues, referenceTypes, subAttributes } = attribute;
  return {
    name: attribute.name,
    type: attribute.type,
    multiValued: attribute.multiValued,
    description: attribute.description,
    required: attribute.required,
    ...(canonicalValues === undefined ? {} : { canonicalValues }),
    caseExact: attribute.caseExact,
    mutability: attribute.mutability,
    returned: attribute.returned,
    uniqueness: attribute.uniqueness,
    ...(referenceTypes === undefined ? {} : { referenceTypes }),
    ...(subAttributes === undefined ? {} : { subAttributes: subAttributes.map(attributeResource) }),
  };
}
