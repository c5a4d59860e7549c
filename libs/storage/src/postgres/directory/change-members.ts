import {
  MAX_GROUP_MEMBERS,
  TooManyMembersError,
  UnknownMemberError,
  parseResourceId,
  type Filter,
  type MembershipChange,
  type ResourceId,
} from '@palisade/domain';
import { CompiledQuery, sql } from 'kysely';
import type { MembershipCounts } from '../../change-records.js';
import type { Connection } from '../connection/database.js';
import { prepared } from '../connection/prepared-statements.js';
import { elementCondition } from '../filter/element-test.js';
import { MEMBER_FIELDS } from '../filter/memberships-sql.js';
import { isStorable } from '../../storable-text.js';
import { requireNesting } from './nesting.js';
import type { GroupIdentity } from './resource-row.js';

/**
 * Gives those that were not members before, and again, with `exists`, those of them that exist. The latter are locked
 * against deletion until the transaction ends, so that none is gone when the membership is committed.
 */
const INSERT = prepared(`
  with added as (
    insert into memberships (provider_id, group_id, member_id)
    select $1, $2, member.id
    from unnest($3::text[]) with ordinality as member(id, place) order by member.place
    on conflict do nothing
    returning member_id
  ), existing as (
    select r.id from resources r where r.provider_id = $1 and r.id in (select member_id from added)
    order by r.id for key share
  )
  select member_id as id, false as exists from added union all select id, true from existing`);

const DELETE = {
  those: prepared(`
    delete from memberships m where m.provider_id = $1 and m.group_id = $2 and m.member_id = any($3::text[])`),
  /** Planned afresh each time, since there may be few or very many. */
  others: `
    delete from memberships m where m.provider_id = $1 and m.group_id = $2
      and not exists (select from unnest($3::text[]) as w(id) where w.id = m.member_id)`,
};

type UnknownMembers = 'reject' | 'accept';

interface AddedMembers {
  readonly added: readonly ResourceId[];
  /** The first of them that does not exist. */
  readonly missing: ResourceId | undefined;
}

/** The net effect of a series of steps on the members that it names, and on all others. */
interface MembershipPlan {
  /** Whether the member is to be in the group in the end. */
  readonly wanted: Map<ResourceId, boolean>;
  readonly keepsOthers: boolean;
}

/**
 * Changes the members of a group whose row the transaction has locked. The cost depends on how many members the steps name,
 * not on the size of the group. Does not touch the group's own row.
 *
 * @param memberCount how many members the group has before
 * @throws {UnknownMemberError} {@link MembershipCycleError} {@link NestingTooDeepError} {@link TooManyMembersError} as
 * `DirectoryStore.update` says
 */
export async function changeMembers(
  transaction: Connection,
  group: GroupIdentity,
  memberCount: number,
  steps: readonly MembershipChange[],
  unknownMembers?: UnknownMembers,
): Promise<MembershipCounts> {
  const plan = await planChanges(transaction, group, steps);
  const wantedIds = [...plan.wanted].filter(([, isWanted]) => isWanted).map(([id]) => id);
  const removed = await removeMembers(transaction, group, plan, wantedIds);
  const added = await addMembers(transaction, group, wantedIds, unknownMembers);
  if (memberCount - removed + added > MAX_GROUP_MEMBERS) {
    throw new TooManyMembersError(group.id, MAX_GROUP_MEMBERS);
  }
  return { added, removed };
}

/**
 * Adds those that are not members yet, in this order; gives their number.
 *
 * @throws {UnknownMemberError} {@link MembershipCycleError} {@link NestingTooDeepError} {@link TooManyMembersError}
 */
export async function addMembers(
  transaction: Connection,
  group: GroupIdentity,
  ids: readonly ResourceId[],
  unknownMembers: UnknownMembers = 'reject',
): Promise<number> {
  if (ids.length > MAX_GROUP_MEMBERS) {
    throw new TooManyMembersError(group.id, MAX_GROUP_MEMBERS);
  }
  const foreign = ids.find((id) => parseResourceId(id)?.providerId !== group.provider);
  if (foreign !== undefined) {
    throw new UnknownMemberError(group.id, foreign);
  }
  if (ids.length === 0) {
    return 0;
  }
  const { added, missing } = await insertMemberships(transaction, group, ids);
  await requireNesting(transaction, group, added);
  if (missing !== undefined && unknownMembers === 'reject') {
    throw new UnknownMemberError(group.id, missing);
  }
  return added.length;
}

async function planChanges(
  transaction: Connection,
  group: GroupIdentity,
  steps: readonly MembershipChange[],
): Promise<MembershipPlan> {
  let plan: MembershipPlan = { wanted: new Map(), keepsOthers: true };
  for (const step of steps) {
    switch (step.kind) {
      case 'add':
        step.ids.forEach((id) => plan.wanted.set(id, true));
        break;
      case 'remove':
        step.ids.forEach((id) => plan.wanted.set(id, false));
        break;
      case 'removeMatching': {
        const matching = await findMatching(transaction, group, plan, step.filter);
        matching.forEach((id) => plan.wanted.set(id, false));
        break;
      }
      case 'replace':
        plan = { wanted: new Map(step.ids.map((id) => [id, true])), keepsOthers: false };
        break;
      default:
        step satisfies never;
    }
  }
  return plan;
}

/** The members, after the steps so far, that a filter selects. */
async function findMatching(
  transaction: Connection,
  { provider, id: group }: GroupIdentity,
  { wanted, keepsOthers }: MembershipPlan,
  filter: Filter,
): Promise<ResourceId[]> {
  const pending = [...wanted.keys()].filter((id) => wanted.get(id) && isStorable(id));
  const { rows } = await sql<{ member_id: ResourceId }>`
    select m.member_id
    from (
      select x.member_id from memberships x
      where x.provider_id = ${provider} and x.group_id = ${group} and ${keepsOthers}::boolean
      union
      select pending.id from unnest(${pending}::text[]) as pending(id)
    ) m
    left join resources t on t.provider_id = ${provider} and t.id = m.member_id
    where ${elementCondition(filter, MEMBER_FIELDS)}
  `.execute(transaction);
  return rows.map((row) => row.member_id);
}

async function removeMembers(
  transaction: Connection,
  { provider, id: group }: GroupIdentity,
  { wanted, keepsOthers }: MembershipPlan,
  wantedIds: readonly ResourceId[],
): Promise<number> {
  const unwantedIds = [...wanted.keys()].filter((id) => !wanted.get(id) && isStorable(id));
  if (keepsOthers && unwantedIds.length === 0) {
    return 0;
  }
  const statement = keepsOthers
    ? CompiledQuery.raw(DELETE.those, [provider, group, unwantedIds])
    : CompiledQuery.raw(DELETE.others, [provider, group, wantedIds.filter(isStorable)]);
  const { numAffectedRows } = await transaction.executeQuery(statement);
  return Number(numAffectedRows ?? 0);
}

/** The members that were not members before. */
async function insertMemberships(
  transaction: Connection,
  { provider, id: group }: GroupIdentity,
  ids: readonly ResourceId[],
): Promise<AddedMembers> {
  const statement = CompiledQuery.raw(INSERT, [provider, group, ids]);
  const { rows } = await transaction.executeQuery<{ id: ResourceId; exists: boolean }>(statement);
  const existing = new Set(rows.filter(({ exists }) => exists).map(({ id }) => id));
  const added = rows.filter(({ exists }) => !exists).map(({ id }) => id);
  return { added, missing: added.find((id) => !existing.has(id)) };
}
