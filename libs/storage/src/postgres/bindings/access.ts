import {
  chainUpTo,
  type Grant,
  type GroupId,
  includesRelation,
  type NamespaceId,
  type NamespaceUser,
  type NamespaceUserQuery,
  type ProviderId,
  RELATIONS,
  type UserId,
} from '@palisade/domain';
import { CompiledQuery, sql } from 'kysely';
import type { Connection } from '../connection/database.js';
import { referenceParameters, RESOLVED_ID } from '../directory/find-resource.js';
import { type BindingRow, toBinding } from './list-bindings.js';

type Edge = readonly [member: UserId | GroupId, group: GroupId];

interface UserWithGroups {
  readonly id: UserId;
  /** Every membership on a way up from the user, in order of group. */
  readonly edges: readonly Edge[];
}

/** An active user with every membership on the way up; each once, however many ways there are. */
const GROUPS_ABOVE = `
  with recursive subject as (
    select r.id from resources r where r.provider_id = $1 and r.id = ${RESOLVED_ID} and r.active is not false
  ), edge(member_id, group_id) as (
    select m.member_id, m.group_id from subject s join memberships m on m.provider_id = $1 and m.member_id = s.id
    union
    select m.member_id, m.group_id from edge e join memberships m on m.provider_id = $1 and m.member_id = e.group_id
  )
  select s.id, (select coalesce(json_agg(json_build_array(member_id, group_id) order by group_id), '[]') from edge) as edges
  from subject s`;

export interface GrantsQuery {
  readonly provider: ProviderId;
  readonly reference: string;
  readonly namespace?: NamespaceId;
  /** Whether to give what suspended bindings would grant, instead of what the others do. */
  readonly isSuspended: boolean;
}

/** See `BindingStore.grantsOf` and `BindingStore.suspendedGrantsOf`. */
export async function grantsOf(
  connection: Connection,
  { provider, reference, namespace, isSuspended }: GrantsQuery,
): Promise<Grant[]> {
  const user = await findUserWithGroups(connection, provider, reference);
  if (!user || user.edges.length === 0) {
    return [];
  }
  const ways = shortestWays(user);
  const { rows } = await sql<BindingRow>`
    select * from bindings b
    where b.provider_id = ${provider} and b.bound_subject = any(${[...ways.keys()]}::text[])
      and b.is_suspended = ${isSuspended}
      and (${namespace ?? null}::text is null or b.namespace = ${namespace ?? null})
    order by b.namespace, b.bound_subject, b.relation
  `.execute(connection);
  return rows.map((row) => ({ groups: chainUpTo(row.bound_subject, ways), binding: toBinding(row) }));
}

async function findUserWithGroups(
  connection: Connection,
  provider: ProviderId,
  reference: string,
): Promise<UserWithGroups | undefined> {
  const parameters = referenceParameters(provider, 'User', reference);
  if (!parameters) {
    return undefined;
  }
  const { rows } = await connection.executeQuery<UserWithGroups>(CompiledQuery.raw(GROUPS_ABOVE, [...parameters]));
  return rows[0];
}

/**
 * Every group above the user with the next one on a shortest way down to them, undefined for a direct membership. Visits
 * each membership once, whatever the groups look like.
 */
function shortestWays({ id, edges }: UserWithGroups): Map<GroupId, GroupId | undefined> {
  const groupsOf = Map.groupBy(edges, ([member]) => member);
  const ways = new Map<GroupId, GroupId | undefined>();
  for (const [, group] of groupsOf.get(id) ?? []) {
    ways.set(group, undefined);
  }
  // A map's iteration also visits what is added meanwhile: breadth first.
  for (const below of ways.keys()) {
    for (const [, group] of groupsOf.get(below) ?? []) {
      if (!ways.has(group)) {
        ways.set(group, below);
      }
    }
  }
  return ways;
}

/** See `BindingStore.namespacesAbove`. */
export async function namespacesAbove(
  connection: Connection,
  provider: ProviderId,
  groups: readonly GroupId[],
  limit: number,
): Promise<NamespaceId[]> {
  const { rows } = await sql<{ readonly namespace: NamespaceId }>`
    with recursive above(group_id) as (
      select unnest(${[...groups]}::text[] collate "C")
      union
      select m.group_id from above a join memberships m on m.provider_id = ${provider} and m.member_id = a.group_id
    )
    select distinct b.namespace
    from above a join bindings b on b.provider_id = ${provider} and b.bound_subject = a.group_id and not b.is_suspended
    order by b.namespace
    limit ${limit}
  `.execute(connection);
  return rows.map(({ namespace }) => namespace);
}

interface NamespaceUserRow {
  readonly id: UserId;
  readonly user_name: string | null;
  /** Index of the strongest relation. */
  readonly strength: number;
}

/**
 * See `BindingStore.usersOf`. Reads no more members of each group, in order, than the page can hold: a user among the first
 * of all is among the first of every group that they are in.
 */
export async function usersOf(connection: Connection, query: NamespaceUserQuery): Promise<NamespaceUser[]> {
  const { namespace, relation, after, limit } = query;
  const sufficient = RELATIONS.filter((held) => includesRelation(held, relation));
  const { rows } = await sql<NamespaceUserRow>`
    with recursive reached(provider_id, group_id, strength) as (
      select b.provider_id, b.bound_subject, array_position(${[...RELATIONS]}::text[] collate "C", b.relation) - 1
      from bindings b
      where b.namespace = ${namespace} and b.relation = any(${sufficient}::text[]) and not b.is_suspended
      union
      select m.provider_id, m.member_id, i.strength
      from reached i join memberships m on m.provider_id = i.provider_id and m.group_id = i.group_id
      where m.member_id >= 'group:' and m.member_id < 'group;'
    ), strongest as (
      select provider_id, group_id, max(strength) as strength from reached group by provider_id, group_id
    )
    select u.id, u.user_name, max(s.strength) as strength
    from strongest s cross join lateral (
      select u.id, u.attributes ->> 'userName' as user_name
      from memberships m join resources u on u.provider_id = m.provider_id and u.id = m.member_id
      where m.provider_id = s.provider_id and m.group_id = s.group_id and m.member_id > ${after ?? 'user:'}
        and u.resource_type = 'User' and u.active is not false
      order by m.member_id
      limit ${limit}
    ) u
    group by u.id, u.user_name
    order by u.id
    limit ${limit}
  `.execute(connection);
  return rows.map(({ id, user_name, strength }) => ({
    id,
    userName: user_name ?? '',
    relation: RELATIONS[strength] ?? relation,
  }));
}
