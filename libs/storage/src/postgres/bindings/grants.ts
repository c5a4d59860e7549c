import type { Grant, GroupId, NamespaceId, ProviderId, UserId } from '@palisade/domain';
import { CompiledQuery, sql } from 'kysely';
import type { Connection } from '../connection/database.js';
import { RESOLVED_ID, referenceParameters } from '../directory/find-resource.js';
import { toBinding, type BindingRow } from './binding-row.js';

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

/** See `BindingStore.grantsOf`. */
export async function grantsOf(
  connection: Connection,
  provider: ProviderId,
  reference: string,
  namespace?: NamespaceId,
): Promise<Grant[]> {
  const user = await findUserWithGroups(connection, provider, reference);
  if (!user || user.edges.length === 0) {
    return [];
  }
  const ways = shortestWays(user);
  const { rows } = await sql<BindingRow>`
    select * from bindings b
    where b.provider_id = ${provider} and b.bound_subject = any(${[...ways.keys()]}::text[])
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

function chainUpTo(group: GroupId, ways: ReadonlyMap<GroupId, GroupId | undefined>): [GroupId, ...GroupId[]] {
  const downwards: [GroupId, ...GroupId[]] = [group];
  for (let below = ways.get(group); below !== undefined; below = ways.get(below)) {
    downwards.push(below);
  }
  return downwards.reverse() as [GroupId, ...GroupId[]];
}
