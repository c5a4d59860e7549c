import {
  ProviderExistsError,
  ProviderNotFoundError,
  type ChangeContext,
  type Provider,
  type ProviderDraft,
  type ProviderId,
} from '@palisade/domain';
import { sql } from 'kysely';
import { providerEvent } from '../../audit/change-event.js';
import { recordEvents } from '../audit/audit-sql.js';
import type { Connection } from '../connection/database.js';
import { deleteAllResources } from '../directory/delete-all-resources.js';
import { isSameJson } from '../same-json.js';
import { toProvider } from './provider-row.js';

/** Removing a provider with millions of users takes longer than any other statement may. */
const DELETE_TIMEOUT = '1h';

/** @throws {ProviderExistsError} */
export async function createProvider(
  transaction: Connection,
  id: ProviderId,
  draft: ProviderDraft,
  change: ChangeContext,
): Promise<Provider> {
  const row = await transaction
    .insertInto('providers')
    .values({ id, ...columnsOf(draft), created_at: change.at, modified_at: change.at })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!row) {
    throw new ProviderExistsError(id);
  }
  await recordEvents(transaction, [providerEvent(change, 'create', id)]);
  return toProvider(row);
}

/** A draft that equals what is stored changes nothing. @throws {ProviderNotFoundError} */
export async function updateProvider(
  transaction: Connection,
  id: ProviderId,
  draft: ProviderDraft,
  change: ChangeContext,
): Promise<Provider> {
  const query = transaction.selectFrom('providers').selectAll().where('id', '=', id);
  const current = await query.forNoKeyUpdate().executeTakeFirst();
  if (!current) {
    throw new ProviderNotFoundError(id);
  }
  const columns = columnsOf(draft);
  if (current.display_name === columns.display_name && isSameJson(current.settings, JSON.parse(columns.settings))) {
    return toProvider(current);
  }
  const row = await transaction
    .updateTable('providers')
    .set({ ...columns, modified_at: change.at })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordEvents(transaction, [providerEvent(change, 'update', id)]);
  return toProvider(row);
}

/** With its tokens, users, groups and memberships. @throws {ProviderNotFoundError} */
export async function deleteProvider(transaction: Connection, id: ProviderId, change: ChangeContext): Promise<void> {
  await sql`set local statement_timeout = ${sql.lit(DELETE_TIMEOUT)}`.execute(transaction);
  const { numDeletedRows } = await transaction.deleteFrom('providers').where('id', '=', id).executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) {
    throw new ProviderNotFoundError(id);
  }
  await recordEvents(transaction, [providerEvent(change, 'delete', id)]);
  await deleteAllResources(transaction, id);
}

function columnsOf({ displayName, settings }: ProviderDraft): { display_name: string | null; settings: string } {
  return { display_name: displayName ?? null, settings: JSON.stringify(settings) };
}
