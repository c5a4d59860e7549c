import type { ProviderId } from '@palisade/domain';
import { sql } from 'kysely';
import { GROUPS_ABOVE } from '../directory/groups-above.js';
import type { Condition, Expression } from './condition.js';
import {
  listCondition,
  type ElementField,
  type ElementFields,
  type ElementTest,
  type LeafFilter,
} from './element-test.js';

/** Of a group `g` that contains a user, and of the way `a` in which it does. */
const GROUP_FIELDS: ElementFields = {
  value: sql`g.id`,
  type: sql`(case when a.direct then 'direct' else 'indirect' end) collate "C"`,
  display: sql`coalesce(g.search -> g.provider_id ->> 'displayName', '') collate "C"`,
};

/** A filter on the `groups` of a user `r`: those that the user is in directly or through other groups. */
export function groupsCondition(filter: LeafFilter, provider: ProviderId): Condition {
  return listCondition(filter, (test) => (test.uses('type') ? anyGroupAbove(test) : anyGroup(test, provider)));
}

/** From the groups down: everybody in any group that passes. Worked out once for all users. */
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

/** From each user up, because only the way tells whether a membership is direct. */
function anyGroupAbove(test: ElementTest): Condition {
  return sql`exists (select 1 from ${sql.raw(GROUPS_ABOVE)} where ${test.condition(GROUP_FIELDS)})`;
}

/** The first value of a sub-attribute among the groups of a user `r`, in order of id. */
export function firstGroupValue(name: ElementField): Expression {
  return sql`(select ${GROUP_FIELDS[name]} from ${sql.raw(GROUPS_ABOVE)} order by g.id limit 1)`;
}
