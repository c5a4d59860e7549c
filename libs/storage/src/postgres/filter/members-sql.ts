import { sql } from 'kysely';
import type { Condition, Expression } from './condition.js';
import {
  listCondition,
  type ElementField,
  type ElementFields,
  type ElementTest,
  type LeafFilter,
} from './element-test.js';

/** Of a membership `m`, with the member `t` joined if there is one: a user is displayed by userName without a displayName. */
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
