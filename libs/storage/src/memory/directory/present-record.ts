import {
  MAX_FEW_MEMBERS,
  type MemberPage,
  type ResourceId,
  type CurrentResource,
  type GroupId,
  type GroupMembership,
  type Inclusion,
  type Member,
  type ResourceType,
  type StoredResource,
  type StoredResourceOf,
  type UserId,
} from '@palisade/domain';
import { compareValues } from '@palisade/scim';
import type { ProviderDirectory } from './provider-directory.js';
import { displayOf, type ResourceRecord } from './resource-table.js';

/** A record as the caller sees it: a copy that later changes of the store do not affect. */
export function presentRecord(
  directory: ProviderDirectory,
  record: ResourceRecord,
  include: Inclusion = {},
): StoredResource {
  const { provider, version, draft } = record;
  const base = {
    provider,
    version,
    createdAt: new Date(record.createdAtMs),
    modifiedAt: new Date(record.modifiedAtMs),
    attributes: draft.attributes,
    ...(draft.externalId !== undefined && { externalId: draft.externalId }),
  };
  if (record.type === 'User') {
    const id = record.id as UserId;
    return { type: 'User', id, ...base, ...(include.groups && { groups: groupsOf(directory, id) }) };
  }
  const id = record.id as GroupId;
  const memberCount = directory.memberships.membersOf(id).size;
  const hasMembers = include.members === 'few' ? memberCount <= MAX_FEW_MEMBERS : include.members;
  return { type: 'Group', id, ...base, memberCount, ...(hasMembers && { members: membersOf(directory, id) }) };
}

/** The same for a record whose type the caller named. */
export function presentAs<T extends ResourceType>(
  directory: ProviderDirectory,
  record: ResourceRecord,
  include?: Inclusion,
): StoredResourceOf<T> {
  return presentRecord(directory, record, include) as StoredResourceOf<T>;
}

/** The state on which a revision of the record is decided. */
export function presentCurrent<T extends ResourceType>(
  directory: ProviderDirectory,
  record: ResourceRecord,
): CurrentResource<T> {
  return { ...presentAs<T>(directory, record), search: record.draft.search };
}

/** Direct and inherited ones, by id. */
export function groupsOf(directory: ProviderDirectory, user: UserId): GroupMembership[] {
  const groups = [...directory.memberships.groupsAbove(user)].map(([id, via]) => {
    const record = directory.findById(id);
    return { id, display: (record && displayOf(record)) ?? '', direct: via === undefined };
  });
  return groups.sort((a, b) => compareValues(a.id, b.id));
}

function membersOf(directory: ProviderDirectory, group: GroupId): Member[] {
  return Array.from(directory.memberships.membersOf(group), (id) => presentMember(directory, id));
}

/** See `DirectoryStore.listMembers`. */
export function listMembers(
  directory: ProviderDirectory,
  group: GroupId,
  limit: number,
  after: ResourceId | undefined,
): MemberPage {
  const ids = [...directory.memberships.membersOf(group)].filter((id) => after === undefined || id > after);
  const page = ids.sort(compareValues).slice(0, limit);
  const items = page.map((id) => presentMember(directory, id));
  return ids.length > limit ? { items, next: page.at(-1) } : { items };
}

function presentMember(directory: ProviderDirectory, id: ResourceId): Member {
  const record = directory.findById(id);
  const display = record && displayOf(record);
  return { id, ...(display !== undefined && { display }) };
}
