import type { JsonObject } from '@palisade/domain';
import { RESOURCE_ENDPOINTS } from '../schema/create-resource-schema.js';
import type { ResourceSchema } from '../schema/resource-schema.js';
import { RESOURCE_TYPE_URN } from '../urns.js';

/**
 * The resource types (RFC 7643 §6), as `GET /ResourceTypes` lists them.
 *
 * @param baseUrl where the protocol's root is, without a trailing slash
 */
export function resourceTypeResources(schemas: readonly ResourceSchema[], baseUrl: string): JsonObject[] {
  return schemas.map(({ type, core, extensions }) => ({
    schemas: [RESOURCE_TYPE_URN],
    id: type,
    name: type,
    description: core.description,
    endpoint: `/${RESOURCE_ENDPOINTS[type]}`,
    schema: core.id,
    ...(extensions.length === 0
      ? {}
      : { schemaExtensions: extensions.map(({ schema, required }) => ({ schema: schema.id, required })) }),
    meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/${type}` },
  }));
}
