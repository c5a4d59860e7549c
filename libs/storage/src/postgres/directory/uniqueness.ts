import { UniquenessError, type JsonObject, type ResourceDraft } from '@palisade/domain';
import { sql } from 'kysely';
import type { Connection } from '../connection/database.js';
import { violatedConstraint } from '../connection/store-error.js';
import { INDEXED_TEXT_LENGTH } from '../filter/columns.js';
import { RESOURCE_COLUMNS, type ResourceIdentity, type ResourceRow } from './resource-row.js';

/** First key of advisory locks on display names; the second is a hash of provider and name. */
const DISPLAY_NAME_LOCK = 2;

/** The resources, at most three, that conflict with storing this one under its identity. */
export async function findConflicts(
  connection: Connection,
  { provider, type, id }: ResourceIdentity,
  { externalId, search }: ResourceDraft,
): Promise<ResourceRow[]> {
  const userName = stringOf(search, 'userName');
  const { rows } = await sql<ResourceRow>`
    select ${sql.raw(RESOURCE_COLUMNS)} from resources r
    where r.provider_id = ${provider} and (
      r.id = ${id}
      or r.resource_type = ${type} and r.external_id = ${externalId ?? null}
      or r.user_name = left(${userName ?? null}, ${INDEXED_TEXT_LENGTH}))
  `.execute(connection);
  return rows;
}

/** The attribute in conflict with this resource, which has another external id than the draft. */
export function conflictError(
  { type, id }: ResourceIdentity,
  { attributes }: ResourceDraft,
  conflicts: readonly ResourceRow[],
): UniquenessError {
  return conflicts.some((row) => row.id === id)
    ? new UniquenessError(type, 'id', id)
    : new UniquenessError(type, 'userName', stringOf(attributes, 'userName') ?? '');
}

/** {@link UniquenessError} for a unique constraint that an update violated; any other error as it is. */
export function toUniquenessError(
  error: unknown,
  { type }: ResourceIdentity,
  { externalId, attributes }: ResourceDraft,
): unknown {
  switch (violatedConstraint(error)) {
    case 'resources_external_id_key':
      return new UniquenessError(type, 'externalId', externalId ?? '');
    case 'resources_user_name_key':
      return new UniquenessError(type, 'userName', stringOf(attributes, 'userName') ?? '');
    default:
      return error;
  }
}

/**
 * Holds until the transaction ends: the name is locked, so that of two groups that claim it at once one waits for the
 * other and then finds it.
 *
 * @throws {UniquenessError} when another group of the provider has the same folded displayName
 */
export async function requireUniqueDisplayName(
  transaction: Connection,
  { provider, type, id }: ResourceIdentity,
  { attributes, search }: ResourceDraft,
): Promise<void> {
  const name = stringOf(search, 'displayName');
  if (type !== 'Group' || name === undefined) {
    return;
  }
  await sql`
    select pg_advisory_xact_lock(${DISPLAY_NAME_LOCK}, hashtext(${JSON.stringify([provider, name])}))
  `.execute(transaction);
  const { rows } = await sql`
    select from resources r
    where r.provider_id = ${provider} and r.resource_type = 'Group' and r.id <> ${id}
      and r.display_name = left(${name}, ${INDEXED_TEXT_LENGTH})
      and r.search -> r.provider_id ->> 'displayName' = ${name}
    limit 1
  `.execute(transaction);
  if (rows.length > 0) {
    throw new UniquenessError(type, 'displayName', stringOf(attributes, 'displayName') ?? name);
  }
}

function stringOf(object: JsonObject, name: string): string | undefined {
  const value = object[name];
  return typeof value === 'string' ? value : undefined;
}
