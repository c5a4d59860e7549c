import {
  MAX_GROUP_DEPTH,
  MembershipCycleError,
  NestingTooDeepError,
  resourceTypeOf,
  type GroupId,
  type ResourceId,
} from '@palisade/domain';
import { sql } from 'kysely';
import type { Connection } from '../connection/database.js';
import type { GroupIdentity } from './resource-row.js';

/** First key of advisory locks on the nesting of groups; the second is a hash of the provider. */
const NESTING_LOCK = 1;

interface Nesting {
  /** Those of the added groups that contain the group. */
  readonly containing: readonly GroupId[];
  /** How many groups the longest way through the group and an added one passes. */
  readonly levels: number;
}

/**
 * Holds until the transaction ends: groups are nested one change at a time per provider, since of two changes that
 * together close a circle, or join long chains, each would see nothing wrong.
 *
 * @param added what the transaction has made members of the group
 * @throws {MembershipCycleError} {@link NestingTooDeepError} as `DirectoryStore.update` says
 */
export async function requireNesting(
  transaction: Connection,
  group: GroupIdentity,
  added: readonly ResourceId[],
): Promise<void> {
  const groups = added.filter((id): id is GroupId => resourceTypeOf(id) === 'Group');
  if (groups.length === 0) {
    return;
  }
  await sql`select pg_advisory_xact_lock(${NESTING_LOCK}, hashtext(${group.provider}))`.execute(transaction);
  const { containing, levels } = await findNesting(transaction, group, groups);
  const offending = groups.find((id) => containing.includes(id));
  if (offending !== undefined) {
    throw new MembershipCycleError(group.id, offending);
  }
  if (levels > MAX_GROUP_DEPTH) {
    throw new NestingTooDeepError(group.id, MAX_GROUP_DEPTH);
  }
}

/** A level is all that some way of its length leads to; their number is limited, so the walk ends in a circle as well. */
async function findNesting(
  transaction: Connection,
  { provider, id: group }: GroupIdentity,
  groups: readonly GroupId[],
): Promise<Nesting> {
  const { rows } = await sql<Nesting>`
    with recursive above(group_id, level) as (
      select ${group}::text collate "C", 1
      union
      select m.group_id, a.level + 1
      from above a join memberships m on m.provider_id = ${provider} and m.member_id = a.group_id
      where a.level < ${MAX_GROUP_DEPTH}
    ), below(group_id, level) as (
      select unnest(${groups}::text[]) collate "C", 1
      union
      select m.member_id, b.level + 1
      from below b join memberships m on m.provider_id = ${provider} and m.group_id = b.group_id
      where b.level < ${MAX_GROUP_DEPTH} and m.member_id >= 'group:' and m.member_id < 'group;'
    )
    select
      (select coalesce(json_agg(group_id), '[]') from above where group_id = any(${groups}::text[])) as containing,
      (select max(level) from above) + (select max(level) from below) as levels
  `.execute(transaction);
  return rows[0] ?? { containing: [], levels: 0 };
}
