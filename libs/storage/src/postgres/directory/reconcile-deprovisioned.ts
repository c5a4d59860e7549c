import type { ChangeContext, GroupId, ProviderId, ResourceId } from '@palisade/domain';
import { sql } from 'kysely';
import { membershipRemoved } from '../../change-records.js';
import { appendRecords } from '../log/append-records.js';
import type { Connection } from '../connection/database.js';

/** `<group_display_name>:<user_external_id>`; the identifier's last part follows `user:scim:<provider>:`. */
const REPORT_LINE = sql.raw(`(coalesce(g.label, '') || ':' || coalesce(
  u.external_id, substr(u.id, length('user:scim:' || u.provider_id || ':') + 1))) collate "C"`);

/** One line for every direct membership of an inactive user, sorted by code point. */
export async function listInactiveMemberships(connection: Connection, provider: ProviderId): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select ${REPORT_LINE} as line
    from resources u
    join memberships m on m.provider_id = u.provider_id and m.member_id = u.id
    join resources g on g.provider_id = m.provider_id and g.id = m.group_id
    where u.provider_id = ${provider} and u.resource_type = 'User' and not u.active
    order by line
  `.execute(connection);
  return rows.map(({ line }) => line);
}

interface RemovedMembership {
  readonly group_id: GroupId;
  readonly member_id: ResourceId;
  readonly line: string;
}

/** The same, and ends those memberships: each is audited, and each group has a new version. */
export async function removeInactiveMemberships(
  transaction: Connection,
  provider: ProviderId,
  change: ChangeContext,
): Promise<string[]> {
  await lockGroupsOfInactiveUsers(transaction, provider);
  const { rows } = await sql<RemovedMembership>`
    with removed as (
      delete from memberships m using resources u, resources g
      where m.provider_id = ${provider}
        and u.provider_id = m.provider_id and u.id = m.member_id and u.resource_type = 'User' and not u.active
        and g.provider_id = m.provider_id and g.id = m.group_id
      returning m.group_id, m.member_id, ${REPORT_LINE} as line
    ), touched as (
      update resources r
      set member_count = r.member_count - lost.members, version = r.version + 1, modified_at = ${change.at}
      from (select group_id, count(*) as members from removed group by group_id) lost
      where r.provider_id = ${provider} and r.id = lost.group_id
    )
    select group_id, member_id, line from removed order by line
  `.execute(transaction);
  const events = rows.map((row) => membershipRemoved(change, provider, row.group_id, row.member_id));
  await appendRecords(transaction, events);
  return rows.map(({ line }) => line);
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
