import {
  RELATIONS,
  includesRelation,
  type NamespaceUser,
  type NamespaceUserQuery,
  type UserId,
} from '@palisade/domain';
import { sql } from 'kysely';
import type { Connection } from '../connection/database.js';

interface NamespaceUserRow {
  readonly id: UserId;
  readonly user_name: string | null;
  /** Index of the strongest relation. */
  readonly strength: number;
}

/**
 * See `BindingStore.usersOf`. Reads of each group no more members than the page can hold, in order: a user among the
 * first of all is among the first of every group that they are in.
 */
export async function usersOf(connection: Connection, query: NamespaceUserQuery): Promise<NamespaceUser[]> {
  const { namespace, relation, after, limit } = query;
  const sufficient = RELATIONS.filter((held) => includesRelation(held, relation));
  const { rows } = await sql<NamespaceUserRow>`
    with recursive reached(provider_id, group_id, strength) as (
      select b.provider_id, b.bound_subject, array_position(${[...RELATIONS]}::text[] collate "C", b.relation) - 1
      from bindings b where b.namespace = ${namespace} and b.relation = any(${sufficient}::text[])
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
