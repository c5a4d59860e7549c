import {
  ResourceNotFoundError,
  type ChangeContext,
  type ProviderId,
  type ResourceType,
  type StoredResource,
} from '@palisade/domain';
import { CompiledQuery } from 'kysely';
import { resourceChanged } from '../../change-records.js';
import { recordInsert, recordParameter } from '../log/append-records.js';
import type { Connection } from '../connection/database.js';
import { prepared } from '../connection/prepared-statements.js';
import { RESOLVED_ID, lockRow, referenceParameters } from './find-resource.js';
import { countChange } from './resource-counts.js';
import { toResource } from './resource-row.js';

const LOCK_GROUPS = prepared(`
  select 1 from resources r
  where r.provider_id = $1
    and r.id in (select m.group_id from memberships m where m.provider_id = $1 and m.member_id = ${RESOLVED_ID})
  order by r.id
  for no key update of r`);

/** `finished` makes counting come last, behind what may have to wait for the rows of others. */
const DELETE = prepared(`
  with deleted as (
    delete from resources where provider_id = $1 and id = $2
    returning provider_id, resource_type, sequence
  ), emptied as (
    delete from memberships where provider_id = $1 and group_id = $2 returning 1
  ), lost as (
    delete from memberships where provider_id = $1 and member_id = $2 returning group_id
  ), touched as (
    update resources r set member_count = r.member_count - 1, version = r.version + 1, modified_at = $3
    from lost where r.provider_id = $1 and r.id = lost.group_id returning 1
  ), finished as (
    select deleted.* from deleted, (select count(*) from emptied) e, (select count(*) from touched) t
  ), counted as (
    ${countChange('finished', -1)}
  ), recorded as (
    ${recordInsert('deleted', 4)}
  )
  select 1`);

/** See `DirectoryStore.delete`. */
export async function deleteResource(
  transaction: Connection,
  provider: ProviderId,
  type: ResourceType,
  reference: string,
  change: ChangeContext,
  check?: (current: StoredResource) => void,
): Promise<void> {
  await lockGroupsOf(transaction, provider, type, reference);
  const row = await lockRow(transaction, provider, type, reference, 'delete');
  if (!row) {
    throw new ResourceNotFoundError(provider, type, reference);
  }
  check?.(toResource(row));
  const event = resourceChanged(change, 'delete', provider, row.id);
  await transaction.executeQuery(CompiledQuery.raw(DELETE, [provider, row.id, change.at, recordParameter([event])]));
}

/**
 * Locks groups before their member, as a change of members does: otherwise removing a user while they are added to one
 * of these groups would be a deadlock. (A group that comes in between the two locks can still be one, and is repeated.)
 */
async function lockGroupsOf(
  transaction: Connection,
  provider: ProviderId,
  type: ResourceType,
  reference: string,
): Promise<void> {
  const parameters = referenceParameters(provider, type, reference);
  if (parameters) {
    await transaction.executeQuery(CompiledQuery.raw(LOCK_GROUPS, [...parameters]));
  }
}
