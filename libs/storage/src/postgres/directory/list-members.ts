import type { GroupId, MemberPage, ProviderId, ResourceId } from '@palisade/domain';
import { CompiledQuery } from 'kysely';
import type { Connection } from '../connection/database.js';
import { prepared } from '../connection/prepared-statements.js';
import { toMember, type MemberEntry } from './resource-row.js';

/** One more than the page holds, which tells whether another one follows. */
const MEMBERS_AFTER = prepared(`
  select json_build_array(m.member_id, t.label) as member
  from memberships m left join resources t on t.provider_id = m.provider_id and t.id = m.member_id
  where m.provider_id = $1 and m.group_id = $2 and m.member_id > $3
  order by m.member_id limit $4 + 1`);

/** See `DirectoryStore.listMembers`. */
export async function listMembers(
  connection: Connection,
  provider: ProviderId,
  group: GroupId,
  limit: number,
  after?: ResourceId,
): Promise<MemberPage> {
  const statement = CompiledQuery.raw(MEMBERS_AFTER, [provider, group, after ?? '', limit]);
  const { rows } = await connection.executeQuery<{ member: MemberEntry }>(statement);
  const items = rows.slice(0, limit).map(({ member }) => toMember(member));
  const last = items.at(-1);
  return rows.length > limit && last ? { items, next: last.id } : { items };
}
