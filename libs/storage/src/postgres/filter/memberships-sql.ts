import type { ProviderId } from '@palisade/domain';
import { sql } from 'kysely';
import type { Condition, Expression } from './condition.js';
import {
  type ElementField,
  type ElementFields,
  type ElementTest,
  type LeafFilter,
  listCondition,
} from './element-test.js';

/**
 * A from clause: every group `g` that a user `r` is in, directly or through others, each once; `a.direct` tells which.
 * `union` drops what was visited before, so the walk ends whatever the groups look like.
 */
export const GROUPS_ABOVE = `(
    with recursive above(group_id, direct) as (
      select m.group_id, true from memberships m where m.provider_id = r.provider_id and m.member_id = r.id
      union
      select m.group_id, false
      from above x join memberships m on m.provider_id = r.provider_id and m.member_id = x.group_id
    )
    select group_id, bool_or(direct) as direct from above group by group_id
  ) a join resources g on g.provider_id = r.provider_id and g.id = a.group_id`;

/** Fields of a group `g` that contains a user, joined with `a`, which tells whether directly. */
const GROUP_FIELDS: ElementFields = {
  value: sql`g.id`,
  type: sql`(case when a.direct then 'direct' else 'indirect' end) collate "C"`,
  display: sql`coalesce(g.search -> g.provider_id ->> 'displayName', '') collate "C"`,
};

/** A filter on the `groups` of a user `r`: those that the user is in directly or through other groups. */
export function groupsCondition(filter: LeafFilter, provider: ProviderId): Condition {
  return listCondition(filter, (test) => (test.uses('type') ? anyGroupAbove(test) : anyGroup(test, provider)));
}

/** From the groups down: everybody in any matching group, computed once for all users. */
function anyGroup(test: ElementTest, provider: ProviderId): Condition {
  return sql`r.id in (
    with recursive inside(member_id) as (
      select m.member_id
      from resources g join memberships m on m.provider_id = g.provider_id and m.group_id = g.id
      where g.provider_id = ${provider} and g.resource_type = 'Group' and ${test.condition(GROUP_FIELDS)}
      union
      select m.member_id
      from inside i join memberships m on m.provider_id = ${provider} and m.group_id = i.member_id
      where i.member_id >= 'group:' and i.member_id < 'group;'
    )
    select member_id from inside)`;
}

/** From each user up, because only the path tells whether a membership is direct. */
function anyGroupAbove(test: ElementTest): Condition {
  return sql`exists (select 1 from ${sql.raw(GROUPS_ABOVE)} where ${test.condition(GROUP_FIELDS)})`;
}

/** The first value of a sub-attribute among the groups of a user `r`, in order of id. */
export function firstGroupValue(name: ElementField): Expression {
  return sql`(select ${GROUP_FIELDS[name]} from ${sql.raw(GROUPS_ABOVE)} order by g.id limit 1)`;
}

/** Fields of a membership `m` joined with the member `t`, if it exists; a user without displayName is displayed by userName. */
export const MEMBER_FIELDS: ElementFields = {
  value: sql`m.member_id`,
  type: sql`(case when starts_with(m.member_id, 'user:') then 'user' else 'group' end) collate "C"`,
  display: sql`coalesce(
    t.search -> t.provider_id ->> 'displayName', t.search -> t.provider_id ->> 'userName') collate "C"`,
};

/** A filter on the `members` of a group `r`. Equality of `members.value` reads the index of memberships by member. */
export function membersCondition(filter: LeafFilter): Condition {
  return listCondition(filter, anyMember);
}

function anyMember(test: ElementTest): Condition {
  const member = test.uses('display')
    ? sql`left join resources t on t.provider_id = m.provider_id and t.id = m.member_id`
    : sql``;
  return sql`exists (
    select 1 from memberships m ${member}
    where m.provider_id = r.provider_id and m.group_id = r.id and ${test.condition(MEMBER_FIELDS)})`;
}

/** The first value of a sub-attribute among the members of a group `r`, in the order in which they were added. */
export function firstMemberValue(name: ElementField): Expression {
  const field = MEMBER_FIELDS[name];
  return sql`(
    select ${field} from memberships m left join resources t on t.provider_id = m.provider_id and t.id = m.member_id
    where m.provider_id = r.provider_id and m.group_id = r.id and ${field} is not null
    order by m.position limit 1)`;
}
