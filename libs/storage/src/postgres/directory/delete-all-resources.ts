import type { ProviderId } from '@palisade/domain';
import { sql } from 'kysely';
import type { Connection } from '../connection/database.js';
import { countChange } from './resource-counts.js';

/**
 * Removes what a provider has in the directory. Resources that are created at the same time may stay; whatever stays is
 * counted. Locks counts, so it should come last in its transaction.
 */
export async function deleteAllResources(transaction: Connection, provider: ProviderId): Promise<void> {
  await transaction.deleteFrom('memberships').where('provider_id', '=', provider).execute();
  await sql`
    with deleted as (
      delete from resources where provider_id = ${provider} returning provider_id, resource_type, sequence
    )
    ${sql.raw(countChange('deleted', -1))}
  `.execute(transaction);
  // A row that a resource is added to meanwhile is looked at again once that is committed, and stays.
  await transaction.deleteFrom('resource_counts').where('provider_id', '=', provider).where('count', '=', 0).execute();
}
