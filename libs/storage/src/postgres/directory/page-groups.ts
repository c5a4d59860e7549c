import { MAX_GROUPS_PER_PAGE, type GroupId, type ProviderId } from '@palisade/domain';
import { CompiledQuery } from 'kysely';
import type { Connection } from '../connection/database.js';
import { prepared } from '../connection/prepared-statements.js';
import { GroupHierarchy, type GroupAbove } from './group-hierarchy.js';
import type { ResourceOnPage } from './page-sql.js';

/** What follows is looked up by key: "offset 0" keeps the planner from reading a whole table when there are many keys. */
const PARENTS = `
  select m.group_id from memberships m where m.provider_id = $1 and m.member_id = a.id offset 0`;
const GROUP = `
  select g.id, coalesce(g.label, '') as display from resources g where g.provider_id = $1 and g.id = a.id offset 0`;

/**
 * The groups of parameter 2 and all that contain them, in order of id, with the places of their parents. `union` drops
 * what was visited before, so the walk looks at each group once. With each group as its own parent beside the others,
 * every group is a parent, so the rank among these is its place.
 */
const HIERARCHY = prepared(`
  with recursive above(id) as (
    select g.id from unnest($2::text[]) a(id) cross join lateral (${GROUP}) g
    union
    select m.group_id from above a cross join lateral (${PARENTS}) m
  ), edges(id, parent) as (
    select a.id, m.group_id from above a cross join lateral (${PARENTS}) m
    union all
    select id, id from above
  ), ranked as (
    select id, parent, dense_rank() over (order by parent) - 1 as place from edges
  )
  select a.id, g.display, a.parents
  from (
    select id, coalesce(json_agg(place) filter (where parent <> id), '[]') as parents from ranked group by id
  ) a
  cross join lateral (${GROUP}) g
  order by a.id`);

/**
 * The rows with the groups of each user, where their direct groups were read: as many rows, at least one if there is
 * any, as have no more than `MAX_GROUPS_PER_PAGE` groups together. One statement for all, none when nobody is in a group.
 */
export async function withGroups(
  connection: Connection,
  provider: ProviderId,
  rows: readonly ResourceOnPage[],
): Promise<ResourceOnPage[]> {
  const directGroups = new Set(rows.flatMap(({ direct_groups: direct }) => direct ?? []));
  const hierarchy = await readHierarchy(connection, provider, [...directGroups]);
  const complete: ResourceOnPage[] = [];
  let groupsSoFar = 0;
  for (const row of rows) {
    const groups = row.direct_groups === undefined ? undefined : hierarchy.expand(row.direct_groups ?? []);
    groupsSoFar += groups?.length ?? 0;
    if (complete.length > 0 && groupsSoFar > MAX_GROUPS_PER_PAGE) {
      break;
    }
    complete.push({ ...row, groups });
  }
  return complete;
}

async function readHierarchy(
  connection: Connection,
  provider: ProviderId,
  groups: readonly GroupId[],
): Promise<GroupHierarchy> {
  if (groups.length === 0) {
    return new GroupHierarchy([]);
  }
  const { rows } = await connection.executeQuery<GroupAbove>(CompiledQuery.raw(HIERARCHY, [provider, groups]));
  return new GroupHierarchy(rows);
}
