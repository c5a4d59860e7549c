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
