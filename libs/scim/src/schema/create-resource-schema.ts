import type { ResourceType, SchemaDefinition, SchemaExtension } from '@palisade/domain';
import { GROUP_SCHEMA } from './group.schema.js';
import { ResourceSchema } from './resource-schema.js';
import { ENTERPRISE_USER_SCHEMA, USER_SCHEMA } from './user.schema.js';

/** Where the resources of a type are, relative to the protocol's root. */
export const RESOURCE_ENDPOINTS: Readonly<Record<ResourceType, string>> = { User: 'Users', Group: 'Groups' };

const CORE_SCHEMAS: Readonly<Record<ResourceType, SchemaDefinition>> = { User: USER_SCHEMA, Group: GROUP_SCHEMA };

const WITHOUT_PROVIDER_EXTENSIONS: Readonly<Record<ResourceType, ResourceSchema>> = {
  User: create('User', []),
  Group: create('Group', []),
};

/**
 * The schema of a resource type with those of a provider's extensions that are for this type; users have the
 * enterprise extension in any case.
 *
 * @throws {ScimError} 400 invalidValue when two of the extensions have the same URN, or one's path is the other's URN
 */
export function createResourceSchema(type: ResourceType, extensions: readonly SchemaExtension[] = []): ResourceSchema {
  const own = extensions.filter(({ resourceType }) => resourceType === type);
  return own.length === 0 ? WITHOUT_PROVIDER_EXTENSIONS[type] : create(type, own);
}

function create(type: ResourceType, extensions: readonly SchemaExtension[]): ResourceSchema {
  const standard = type === 'User' ? [{ schema: ENTERPRISE_USER_SCHEMA, required: false }] : [];
  return new ResourceSchema(type, CORE_SCHEMAS[type], [...standard, ...extensions]);
}
