import {
  ProviderBusyError,
  type CreateOptions,
  type ProviderId,
  type ResourceId,
  type StoredUser,
  type UserCreation,
} from '@palisade/domain';
import { CompiledQuery } from 'kysely';
import { DatabaseError } from 'pg';
import { resourceChanged } from '../../change-records.js';
import { recordInsertOfEach, recordParameter } from '../log/append-records.js';
import type { Connection, Connections } from '../connection/database.js';
import { prepared } from '../connection/prepared-statements.js';
import { newRow } from './create-resource.js';
import { countChange } from './resource-counts.js';
import { searchColumn, toResourceOf } from './resource-row.js';

/** First key of advisory locks on creating users together; the second is a hash of the provider. */
const CREATE_USERS_LOCK = 3;

/**
 * The only statement of its transaction. While it waits for one identifier or name it holds others, so two of them with
 * the same names in another order would wait for each other: they run one after the other. A user who is being renamed
 * to one of the names, and is also among those to be created, can still be waited for in a circle; the database ends
 * it and the statement is repeated.
 */
const INSERT = prepared(`
  with turn as materialized (
    select pg_advisory_xact_lock(${CREATE_USERS_LOCK}, hashtext($1::text))
  ), registered as (
    select from providers where id = $1 and $8::boolean for key share
  ), inserted as (
    insert into resources (provider_id, resource_type, id, external_id, attributes, search, created_at, modified_at)
    select $1, 'User', u.id, u.external_id, u.attributes::json, u.search::jsonb, u.at, u.at
    from turn cross join
      unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])
      with ordinality as u(id, external_id, attributes, search, at, place)
    where not $8::boolean or exists (select from registered)
    order by u.place
    on conflict do nothing
    returning provider_id, resource_type, sequence, id
  ), recorded as (
    ${recordInsertOfEach('inserted', 7)}
  ), counted as (
    ${countChange('inserted', 1)}
  )
  select id from inserted`);

/** One statement, whatever their number. */
export async function createUsers(
  connections: Connections,
  provider: ProviderId,
  users: readonly UserCreation[],
  options: Pick<CreateOptions, 'registeredProvider'> = {},
): Promise<readonly (StoredUser | undefined)[]> {
  const candidates = new Map(users.toReversed().map((user) => [user.id, user]));
  const isCandidate = (user: UserCreation): boolean => candidates.get(user.id) === user;
  const created = await insert(connections, provider, users.filter(isCandidate), options);
  return users.map((user) => (isCandidate(user) && created.has(user.id) ? toStoredUser(provider, user) : undefined));
}

/** Identifiers of those that were stored. */
async function insert(
  connections: Connections,
  provider: ProviderId,
  users: readonly UserCreation[],
  { registeredProvider = false }: Pick<CreateOptions, 'registeredProvider'>,
): Promise<ReadonlySet<ResourceId>> {
  const parameters = [
    provider,
    users.map(({ id }) => id),
    users.map(({ draft }) => draft.externalId ?? null),
    users.map(({ draft }) => JSON.stringify(draft.attributes)),
    users.map(({ draft }) => searchColumn(provider, draft)),
    users.map(({ change }) => change.at),
    recordParameter(users.map(({ id, change }) => resourceChanged(change, 'create', provider, id))),
    registeredProvider,
  ];
  const run = (connection: Connection): Promise<{ rows: { id: ResourceId }[] }> =>
    connection.executeQuery<{ id: ResourceId }>(CompiledQuery.raw(INSERT, parameters));
  try {
    const { rows } = await connections.run(run);
    return new Set(rows.map(({ id }) => id));
  } catch (error) {
    // The server rejected the statement, or the provider was given no connection for it: nothing was stored.
    if (error instanceof DatabaseError || error instanceof ProviderBusyError) {
      return new Set();
    }
    throw error;
  }
}

function toStoredUser(provider: ProviderId, { id, draft, change }: UserCreation): StoredUser {
  return toResourceOf<'User'>(newRow({ provider, type: 'User', id }, draft, 0, change));
}
