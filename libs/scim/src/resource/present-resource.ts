import {
  isObject,
  resourceTypeOf,
  type GroupMembership,
  type JsonObject,
  type JsonValue,
  type Member,
  type ResourceType,
  type StoredResource,
} from '@palisade/domain';
import { RESOURCE_ENDPOINTS } from '../schema/create-resource-schema.js';
import type { ResourceSchema } from '../schema/resource-schema.js';
import { isList } from '../values/document-values.js';
import type { Projection, ProjectionRule } from './projection.js';
import { formatVersion } from './version.js';

/**
 * The URI of a resource: its full identifier below the endpoint of its type. Colons stay as they are (RFC 3986 §3.3 allows
 * them in a segment), because clients take the last segment for the id.
 */
export function resourceLocation(type: ResourceType, id: string, baseUrl: string): string {
  return `${baseUrl}/${RESOURCE_ENDPOINTS[type]}/${encodeURIComponent(id).replaceAll('%3A', ':')}`;
}

/**
 * The representation of a resource (RFC 7643 §3) as far as the projection goes. Stored data that no schema of the
 * resource type defines any more is not shown. A user without groups has no `groups`, a group without members no
 * `members` (RFC 7643 §2.5).
 *
 * @param baseUrl where the protocol's root is, without a trailing slash
 */
export function presentResource(
  resource: StoredResource,
  schema: ResourceSchema,
  projection: Projection,
  baseUrl: string,
): JsonObject {
  const { rules } = projection;
  const { attributes, externalId } = resource;
  // RFC 7643 §3: "schemas" and "id" are part of every representation.
  const presented: Record<string, JsonValue> = { schemas: [], id: resource.id };
  if (externalId !== undefined && rules.has('externalId')) {
    presented.externalId = externalId;
  }
  for (const name of Object.keys(attributes)) {
    put(presented, name, attributes[name], rules.get(name));
  }
  if (resource.type === 'User') {
    put(presented, 'groups', presentGroups(resource.groups, baseUrl), rules.get('groups'));
  } else {
    put(presented, 'members', presentMembers(resource.members, baseUrl), rules.get('members'));
  }
  presented.schemas = usedSchemas(schema, presented);
  put(presented, 'meta', presentMeta(resource, baseUrl), rules.get('meta'));
  return presented;
}

// RFC 7643 §3: "the namespaces of the SCIM schemas that define the attributes present in the current JSON structure".
function usedSchemas(schema: ResourceSchema, presented: JsonObject): string[] {
  const urns = [schema.core.id];
  for (const { name } of schema.extensionAttributes) {
    if (presented[name] !== undefined) {
      urns.push(name);
    }
  }
  return urns;
}

function presentGroups(groups: readonly GroupMembership[] = [], baseUrl: string): JsonValue | undefined {
  return groups.length === 0
    ? undefined
    : groups.map(({ id, display, direct }) => ({
        value: id,
        $ref: resourceLocation('Group', id, baseUrl),
        display,
        type: direct ? 'direct' : 'indirect',
      }));
}

/** The members of one page as the representation of their group shows them. */
export function presentMemberPage(
  members: readonly Member[],
  rule: ProjectionRule,
  baseUrl: string,
): readonly JsonValue[] {
  const presented = members.map((member) => project(presentMember(member, baseUrl), rule));
  return presented.filter((member) => member !== undefined);
}

function presentMembers(members: readonly Member[] = [], baseUrl: string): JsonValue | undefined {
  return members.length === 0 ? undefined : members.map((member) => presentMember(member, baseUrl));
}

function presentMember({ id, display }: Member, baseUrl: string): JsonObject {
  const type = resourceTypeOf(id);
  const $ref = resourceLocation(type, id, baseUrl);
  return display === undefined ? { value: id, $ref, type } : { value: id, $ref, type, display };
}

function presentMeta(resource: StoredResource, baseUrl: string): JsonObject {
  return {
    resourceType: resource.type,
    created: resource.createdAt.toISOString(),
    lastModified: resource.modifiedAt.toISOString(),
    location: resourceLocation(resource.type, resource.id, baseUrl),
    version: formatVersion(resource),
  };
}

function put(
  target: Record<string, JsonValue>,
  name: string,
  value: JsonValue | undefined,
  rule: ProjectionRule | undefined,
): void {
  const projected = rule === undefined || value === undefined ? undefined : project(value, rule);
  if (projected !== undefined) {
    target[name] = projected;
  }
}

/** The part of a value that a rule lets through; undefined when nothing is left. */
function project(value: JsonValue, rule: ProjectionRule): JsonValue | undefined {
  if (rule === 'whole') {
    return value;
  }
  if (isList(value)) {
    const elements = value.map((element) => project(element, rule)).filter((element) => element !== undefined);
    return elements.length === 0 ? undefined : elements;
  }
  if (!isObject(value)) {
    return undefined;
  }
  const part: Record<string, JsonValue> = {};
  for (const name of Object.keys(value)) {
    put(part, name, value[name], rule.get(name));
  }
  return Object.keys(part).length === 0 ? undefined : part;
}
