import {
  ProviderNotFoundError,
  UniquenessError,
  type ChangeContext,
  type CreateOptions,
  type CreateResult,
  type GroupId,
  type ProviderId,
  type ResourceDraft,
  type ResourceId,
  type ResourceType,
  type StoredResourceOf,
} from '@palisade/domain';
import { CompiledQuery } from 'kysely';
import { resourceChanged } from '../../change-records.js';
import { recordInsert, recordParameter } from '../log/append-records.js';
import type { Connection, Connections } from '../connection/database.js';
import { prepared } from '../connection/prepared-statements.js';
import { addMembers } from './change-members.js';
import { countChange } from './resource-counts.js';
import { type ResourceIdentity, type ResourceRow, searchColumn, toResourceOf } from './resource-row.js';
import { conflictError, findConflicts, requireUniqueDisplayName } from './uniqueness.js';

/** How often to retry when a conflicting resource has been deleted by the time it is read. */
const MAX_ATTEMPTS = 10;

/** A provider that must be registered is locked against removal until the transaction ends. */
const INSERTED = `
  with registered as (
    select from providers where id = $1 and $10::boolean for key share
  ), inserted as (
    insert into resources
      (provider_id, resource_type, id, external_id, attributes, search, member_count, created_at, modified_at)
    select $1, $2, $3, $4, $5::json, $6::jsonb, $7::integer, $8::timestamptz, $8::timestamptz
    where not $10::boolean or exists (select from registered)
    on conflict do nothing
    returning provider_id, resource_type, sequence
  ), recorded as (
    ${recordInsert('inserted', 9)}
  )`;

const INSERT = {
  /** The only statement of its transaction. */
  counted: prepared(`${INSERTED}, counted as (${countChange('inserted', 1)}) select sequence from inserted`),
  /** To be followed by {@link COUNT}. */
  uncounted: prepared(`${INSERTED} select sequence from inserted`),
};

const COUNT = prepared(`
  with inserted (provider_id, resource_type, sequence) as (values ($1::text, $2::text, $3::bigint))
  ${countChange('inserted', 1)}`);

/** A group with members and a name that must be unique take several statements, anything else takes one. */
export async function createResource<T extends ResourceType>(
  connections: Connections,
  identity: ResourceIdentity & { readonly type: T },
  draft: ResourceDraft,
  change: ChangeContext,
  options: CreateOptions = {},
): Promise<CreateResult<StoredResourceOf<T>>> {
  const members = [...new Set(options.members)];
  const isOneStatement = members.length === 0 && !options.uniqueDisplayName;
  const { created, row } = isOneStatement
    ? await connections.run((connection) =>
        insertOrFind(connection, INSERT.counted, identity, draft, 0, change, options),
      )
    : await connections.transaction(async (transaction) => {
        const { length } = members;
        const result = await insertOrFind(transaction, INSERT.uncounted, identity, draft, length, change, options);
        if (result.created) {
          await completeGroup(transaction, identity, draft, members, options);
          await count(transaction, identity, result.sequence);
        }
        return result;
      });
  return { created, resource: toResourceOf<T>(row) };
}

async function completeGroup(
  transaction: Connection,
  identity: ResourceIdentity,
  draft: ResourceDraft,
  members: readonly ResourceId[],
  { uniqueDisplayName, unknownMembers }: CreateOptions,
): Promise<void> {
  if (uniqueDisplayName) {
    await requireUniqueDisplayName(transaction, identity, draft);
  }
  await addMembers(transaction, { provider: identity.provider, id: identity.id as GroupId }, members, unknownMembers);
}

type InsertResult =
  | { readonly created: true; readonly row: ResourceRow; readonly sequence: number }
  | { readonly created: false; readonly row: ResourceRow };

async function insertOrFind(
  connection: Connection,
  statement: string,
  identity: ResourceIdentity,
  draft: ResourceDraft,
  memberCount: number,
  change: ChangeContext,
  { registeredProvider = false }: CreateOptions,
): Promise<InsertResult> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const sequence = await insert(connection, statement, identity, draft, memberCount, change, registeredProvider);
    if (sequence !== undefined) {
      return { created: true, row: newRow(identity, draft, memberCount, change), sequence };
    }
    if (registeredProvider) {
      await requireProvider(connection, identity.provider);
    }
    const conflicts = await findConflicts(connection, identity, draft);
    const existing = conflicts.find(
      (row) => row.resource_type === identity.type && row.external_id === draft.externalId,
    );
    if (existing) {
      return { created: false, row: existing };
    }
    if (conflicts.length > 0) {
      throw conflictError(identity, draft, conflicts);
    }
  }
  throw new UniquenessError(identity.type, 'id', identity.id);
}

/** @throws {ProviderNotFoundError} */
async function requireProvider(connection: Connection, provider: ProviderId): Promise<void> {
  const row = await connection.selectFrom('providers').select('id').where('id', '=', provider).executeTakeFirst();
  if (row === undefined) {
    throw new ProviderNotFoundError(provider);
  }
}

/** The sequence of the new resource; undefined when another resource conflicts, or the provider has been removed. */
async function insert(
  connection: Connection,
  statement: string,
  { provider, type, id }: ResourceIdentity,
  draft: ResourceDraft,
  memberCount: number,
  change: ChangeContext,
  isProviderRequired: boolean,
): Promise<number | undefined> {
  const parameters = [
    provider,
    type,
    id,
    draft.externalId ?? null,
    JSON.stringify(draft.attributes),
    searchColumn(provider, draft),
    memberCount,
    change.at,
    recordParameter([resourceChanged(change, 'create', provider, id)]),
    isProviderRequired,
  ];
  const { rows } = await connection.executeQuery<{ sequence: number }>(CompiledQuery.raw(statement, parameters));
  return rows[0]?.sequence;
}

async function count(transaction: Connection, { provider, type }: ResourceIdentity, sequence: number): Promise<void> {
  await transaction.executeQuery(CompiledQuery.raw(COUNT, [provider, type, sequence]));
}

/** The row of a new resource. */
export function newRow(
  { provider, type, id }: ResourceIdentity,
  { externalId, attributes }: ResourceDraft,
  memberCount: number,
  { at }: ChangeContext,
): ResourceRow {
  return {
    provider_id: provider,
    resource_type: type,
    id,
    external_id: externalId ?? null,
    attributes,
    member_count: memberCount,
    version: 1,
    created_at: new Date(at),
    modified_at: new Date(at),
  };
}
