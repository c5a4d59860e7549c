import type { Filter, GroupId, JsonObject, JsonValue, ResourceId, UserId } from '@palisade/domain';
import { resourceTypeOf } from '@palisade/domain';
import { foldCase } from '@palisade/scim';
import { groupsOf } from './present-record.js';
import type { ProviderDirectory } from './provider-directory.js';
import { foldedDisplayOf, type ResourceRecord } from './resource-table.js';

type Derive = (directory: ProviderDirectory, record: ResourceRecord) => JsonValue | undefined;

/** What the store adds to the search document that a draft brings, by its name there. */
const DERIVED_ATTRIBUTES: ReadonlyMap<string, Derive> = new Map<string, Derive>([
  ['id', (_, { id }) => id],
  ['externalId', (_, { draft }) => draft.externalId],
  ['meta', (_, record) => metaOf(record)],
  ['groups', (directory, { type, id }) => (type === 'User' ? searchableGroups(directory, id as UserId) : undefined)],
  [
    'members',
    (directory, { type, id }) => (type === 'Group' ? searchableMembers(directory, id as GroupId) : undefined),
  ],
]);

/**
 * Gives the search document of any record of the directory, complete as far as the given root attributes go: only
 * what a filter or sort names is derived.
 */
export function searchDocuments(
  directory: ProviderDirectory,
  roots: ReadonlySet<string>,
): (record: ResourceRecord) => JsonObject {
  const derived = [...DERIVED_ATTRIBUTES].filter(([name]) => roots.has(name));
  if (derived.length === 0) {
    return ({ draft }) => draft.search;
  }
  return (record) => {
    const additions = derived.flatMap(([name, derive]) => {
      const value = derive(directory, record);
      return value === undefined ? [] : [[name, value] as const];
    });
    return { ...record.draft.search, ...Object.fromEntries(additions) };
  };
}

/** The root attributes that a filter names. */
export function rootsOf(filter: Filter, roots = new Set<string>()): Set<string> {
  switch (filter.kind) {
    case 'and':
    case 'or':
      filter.operands.forEach((operand) => rootsOf(operand, roots));
      return roots;
    case 'not':
      return rootsOf(filter.operand, roots);
    case 'compare':
    case 'present':
    case 'element':
      return roots.add(filter.attribute.path[0]);
    default:
      return filter satisfies never;
  }
}

/** A member as filters see it. */
export function searchableMember(directory: ProviderDirectory, id: ResourceId): JsonObject {
  const record = directory.findById(id);
  const display = record && foldedDisplayOf(record);
  return { value: id, type: resourceTypeOf(id).toLowerCase(), ...(display !== undefined && { display }) };
}

function searchableMembers(directory: ProviderDirectory, group: GroupId): JsonObject[] {
  return Array.from(directory.memberships.membersOf(group), (id) => searchableMember(directory, id));
}

function searchableGroups(directory: ProviderDirectory, user: UserId): JsonObject[] {
  return groupsOf(directory, user).map(({ id, display, direct }) => ({
    value: id,
    display: foldCase(display),
    type: direct ? 'direct' : 'indirect',
  }));
}

function metaOf({ type, createdAtMs, modifiedAtMs }: ResourceRecord): JsonObject {
  return {
    resourceType: type,
    created: new Date(createdAtMs).toISOString(),
    lastModified: new Date(modifiedAtMs).toISOString(),
  };
}
