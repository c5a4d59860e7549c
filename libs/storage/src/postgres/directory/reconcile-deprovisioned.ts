import type { ChangeContext, GroupId, InactiveMembership, ProviderId, UserId } from '@palisade/domain';
import { sql } from 'kysely';
import { membershipRemoved } from '../../change-records.js';
import { sortMemberships } from '../../inactive-memberships.js';
import { appendRecords } from '../log/append-records.js';
import type { Connection } from '../connection/database.js';

interface Row {
  readonly group_id: GroupId;
  readonly group_display: string;
  readonly user_id: UserId;
  readonly external_id: string | null;
  readonly user_name: string;
  readonly user_display: string;
}

/** The columns of {@link Row}, from a membership `m`, its group `g` and its user `u`. */
const COLUMNS = sql.raw(`m.group_id, coalesce(g.label, '') as group_display, u.id as user_id, u.external_id,
  u.attributes ->> 'userName' as user_name, coalesce(u.label, '') as user_display`);

/** Every direct membership of an inactive user. */
export async function listInactiveMemberships(
  connection: Connection,
  provider: ProviderId,
): Promise<InactiveMembership[]> {
  const { rows } = await sql<Row>`
    select ${COLUMNS}
    from resources u
    join memberships m on m.provider_id = u.provider_id and m.member_id = u.id
    join resources g on g.provider_id = m.provider_id and g.id = m.group_id
    where u.provider_id = ${provider} and u.resource_type = 'User' and not u.active
  `.execute(connection);
  return sortMemberships(rows.map(toMembership));
}

/** The same, and ends those memberships: each is audited, and each group has a new version. */
export async function removeInactiveMemberships(
  transaction: Connection,
  provider: ProviderId,
  change: ChangeContext,
): Promise<InactiveMembership[]> {
  await lockGroupsOfInactiveUsers(transaction, provider);
  const { rows } = await sql<Row>`
    with removed as (
      delete from memberships m using resources u, resources g
      where m.provider_id = ${provider}
        and u.provider_id = m.provider_id and u.id = m.member_id and u.resource_type = 'User' and not u.active
        and g.provider_id = m.provider_id and g.id = m.group_id
      returning ${COLUMNS}
    ), touched as (
      update resources r
      set member_count = r.member_count - lost.members, version = r.version + 1, modified_at = ${change.at}
      from (select group_id, count(*) as members from removed group by group_id) lost
      where r.provider_id = ${provider} and r.id = lost.group_id
    )
    select * from removed
  `.execute(transaction);
  const removed = sortMemberships(rows.map(toMembership));
  const events = removed.map(({ groupId, userId }) => membershipRemoved(change, provider, groupId, userId));
  await appendRecords(transaction, events);
  return removed;
}

function toMembership(row: Row): InactiveMembership {
  return {
    groupId: row.group_id,
    groupDisplay: row.group_display,
    userId: row.user_id,
    ...(row.external_id !== null && { externalId: row.external_id }),
    userName: row.user_name,
    userDisplay: row.user_display,
  };
}

/** In order of id, as every change of several groups locks them. */
async function lockGroupsOfInactiveUsers(transaction: Connection, provider: ProviderId): Promise<void> {
  await sql`
    select 1 from resources r
    where r.provider_id = ${provider} and r.id in (
      select m.group_id
      from resources u join memberships m on m.provider_id = u.provider_id and m.member_id = u.id
      where u.provider_id = ${provider} and u.resource_type = 'User' and not u.active)
    order by r.id for no key update of r
  `.execute(transaction);
}
