import { candidateIds, type Inclusion, type ProviderId, type ResourceType } from '@palisade/domain';
import { CompiledQuery } from 'kysely';
import type { Connection } from '../connection/database.js';
import { prepared } from '../connection/prepared-statements.js';
import { RESOURCE_COLUMNS, inclusionColumns, type CurrentRow, type ResourceRow } from './resource-row.js';

/**
 * The id that a reference means: the better candidate identifier, else the other one, else the resource that has it as
 * external id. `coalesce` evaluates each only when the one before found nothing. Parameters as {@link referenceParameters}.
 */
export const RESOLVED_ID = `coalesce(
  (select c.id from resources c where c.provider_id = $1 and c.id = $2),
  (select c.id from resources c where c.provider_id = $1 and c.id = $3),
  (select c.id from resources c where c.provider_id = $1 and c.resource_type = $4 and c.external_id = $5))`;

const FROM_REFERENCE = `from resources r where r.provider_id = $1 and r.id = ${RESOLVED_ID}`;

const FIND = {
  plain: prepared(`select ${RESOURCE_COLUMNS} ${FROM_REFERENCE}`),
  groups: prepared(`select ${RESOURCE_COLUMNS} ${inclusionColumns({ groups: true })} ${FROM_REFERENCE}`),
  members: prepared(`select ${RESOURCE_COLUMNS} ${inclusionColumns({ members: true })} ${FROM_REFERENCE}`),
  fewMembers: prepared(`select ${RESOURCE_COLUMNS} ${inclusionColumns({ members: 'few' })} ${FROM_REFERENCE}`),
};

/**
 * `update` does not keep others from adding the resource to a group at the same time (which locks for key share),
 * `delete` does.
 */
const LOCK = {
  update: prepared(
    `select ${RESOURCE_COLUMNS}, r.search -> r.provider_id as search ${FROM_REFERENCE} for no key update of r`,
  ),
  delete: prepared(`select ${RESOURCE_COLUMNS}, r.search -> r.provider_id as search ${FROM_REFERENCE} for update of r`),
};

/** Parameters 1 to 5 of a statement that resolves a reference; undefined when no resource can have it. */
export function referenceParameters(
  provider: ProviderId,
  type: ResourceType,
  reference: string,
): readonly (string | null)[] | undefined {
  const [first, second = null] = candidateIds(type, provider, reference);
  return first === undefined ? undefined : [provider, first, second, type, reference];
}

export async function findRow(
  connection: Connection,
  provider: ProviderId,
  type: ResourceType,
  reference: string,
  include: Inclusion = {},
): Promise<ResourceRow | undefined> {
  return selectOne(connection, FIND[variantOf(type, include)], referenceParameters(provider, type, reference));
}

function variantOf(type: ResourceType, { groups, members }: Inclusion): keyof typeof FIND {
  if (type === 'User') {
    return groups ? 'groups' : 'plain';
  }
  return members === 'few' ? 'fewMembers' : members ? 'members' : 'plain';
}

/** Locks the resource until the transaction ends; waits for other transactions that hold it. */
export async function lockRow(
  connection: Connection,
  provider: ProviderId,
  type: ResourceType,
  reference: string,
  purpose: keyof typeof LOCK,
): Promise<CurrentRow | undefined> {
  return selectOne(connection, LOCK[purpose], referenceParameters(provider, type, reference));
}

async function selectOne<Row>(
  connection: Connection,
  statement: string,
  parameters: readonly unknown[] | undefined,
): Promise<Row | undefined> {
  if (!parameters) {
    return undefined;
  }
  const { rows } = await connection.executeQuery<Row>(CompiledQuery.raw(statement, [...parameters]));
  return rows[0];
}
