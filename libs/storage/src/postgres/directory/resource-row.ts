import {
  MAX_FEW_MEMBERS,
  type CurrentResource,
  type GroupId,
  type Inclusion,
  type JsonObject,
  type Member,
  type ProviderId,
  type ResourceDraft,
  type ResourceId,
  type ResourceType,
  type StoredResource,
  type StoredResourceOf,
  type UserId,
} from '@palisade/domain';
import { GROUPS_ABOVE } from '../filter/memberships-sql.js';

/** Columns of `resources r`, as {@link ResourceRow} has them. */
export const RESOURCE_COLUMNS =
  'r.provider_id, r.resource_type, r.id, r.external_id, r.attributes, r.member_count, r.version, r.created_at, r.modified_at';

export interface ResourceRow {
  readonly provider_id: ProviderId;
  readonly resource_type: ResourceType;
  readonly id: ResourceId;
  readonly external_id: string | null;
  readonly attributes: JsonObject;
  readonly member_count: number;
  readonly version: number;
  readonly created_at: Date;
  readonly modified_at: Date;
  readonly groups?: readonly GroupEntry[];
  readonly members?: readonly MemberEntry[] | null;
}

export type MemberEntry = readonly [id: ResourceId, display: string | null];

export type GroupEntry = readonly [id: GroupId, display: string, direct: boolean];

export interface CurrentRow extends ResourceRow {
  /** The document itself, without the provider around it. */
  readonly search: JsonObject;
}

/** The groups of a user `r`, by id. */
const GROUPS = `(
  select coalesce(json_agg(json_build_array(g.id, coalesce(g.label, ''), a.direct) order by g.id), '[]'::json)
  from ${GROUPS_ABOVE} where r.resource_type = 'User'
)`;

/** Ids of the groups that a user `r` is a direct member of; null for none. */
const DIRECT_GROUPS = `(
  select json_agg(m.group_id) from memberships m
  where m.provider_id = r.provider_id and m.member_id = r.id and r.resource_type = 'User'
)`;

/** The members of a group `r` in the order in which they were added. */
const MEMBERS = `(
  select coalesce(json_agg(json_build_array(m.member_id, t.label) order by m.position), '[]'::json)
  from memberships m left join resources t on t.provider_id = m.provider_id and t.id = m.member_id
  where m.provider_id = r.provider_id and m.group_id = r.id and r.resource_type = 'Group'
)`;

/** The same, of groups that have few. */
const FEW_MEMBERS = `case when r.member_count <= ${MAX_FEW_MEMBERS} then ${MEMBERS} end`;

function membersColumn(members: Inclusion['members']): string {
  return members ? `, ${members === 'few' ? FEW_MEMBERS : MEMBERS} as members` : '';
}

/** What to select of one resource besides {@link RESOURCE_COLUMNS}; what is not included costs nothing. */
export function inclusionColumns({ groups, members }: Inclusion): string {
  return `${groups ? `, ${GROUPS} as groups` : ''}${membersColumn(members)}`;
}

/** The same for many resources, with direct groups only: the groups above are found for all resources together. */
export function pageInclusionColumns({ groups, members }: Inclusion): string {
  return `${groups ? `, ${DIRECT_GROUPS} as direct_groups` : ''}${membersColumn(members)}`;
}

export function toResource(row: ResourceRow): StoredResource {
  const base = {
    provider: row.provider_id,
    version: row.version,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
    attributes: row.attributes,
    ...(row.external_id !== null && { externalId: row.external_id }),
  };
  if (row.resource_type === 'User') {
    const groups = row.groups?.map(([id, display, direct]) => ({ id, display, direct }));
    return { type: 'User', id: row.id as UserId, ...base, ...(groups && { groups }) };
  }
  const members = row.members?.map(toMember);
  return { type: 'Group', id: row.id as GroupId, ...base, memberCount: row.member_count, ...(members && { members }) };
}

/** The same for a row whose type the caller asked for. */
export function toResourceOf<T extends ResourceType>(row: ResourceRow): StoredResourceOf<T> {
  return toResource(row) as StoredResourceOf<T>;
}

/** The state on which a revision is decided. */
export function toCurrent<T extends ResourceType>(row: CurrentRow): CurrentResource<T> {
  return { ...toResourceOf<T>(row), search: row.search };
}

export function toMember([id, display]: MemberEntry): Member {
  return { id, ...(display !== null && { display }) };
}

/** Which resource is being stored or changed. */
export interface ResourceIdentity {
  readonly provider: ProviderId;
  readonly type: ResourceType;
  readonly id: ResourceId;
}

export interface GroupIdentity {
  readonly provider: ProviderId;
  readonly id: GroupId;
}

export function identityOf(row: ResourceRow): ResourceIdentity {
  return { provider: row.provider_id, type: row.resource_type, id: row.id };
}

/** The search document as the column has it: under the provider, which makes every search in it provider-scoped. */
export function searchColumn(provider: ProviderId, { search }: ResourceDraft): string {
  return JSON.stringify({ [provider]: search });
}
