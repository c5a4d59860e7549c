import {
  BindingConflictError,
  UnknownSubjectError,
  type AddBindingOptions,
  type AddBindingResult,
  type BindingKey,
  type ChangeContext,
  type NamespaceBinding,
  type ProviderId,
} from '@palisade/domain';
import { sql } from 'kysely';
import { bindingChanged } from '../../change-records.js';
import { appendRecords } from '../log/append-records.js';
import type { Connection } from '../connection/database.js';
import { findBinding, keyOf } from './list-bindings.js';

/** How often to retry when an existing binding has been removed by the time it is read. */
const MAX_ATTEMPTS = 10;

/**
 * See `BindingStore.add`.
 *
 * @param provider the one that the bound group belongs to
 */
export async function addBinding(
  transaction: Connection,
  provider: ProviderId,
  binding: Omit<NamespaceBinding, 'createdAt'>,
  change: ChangeContext,
  { pending }: AddBindingOptions,
): Promise<AddBindingResult> {
  await waitForDeletion(transaction, provider);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const added = await insertBinding(transaction, provider, binding, change);
    const found = await findBinding(transaction, provider, binding);
    if (found && added) {
      if (found.state === 'dangling' && !pending) {
        throw new UnknownSubjectError(binding.boundSubject);
      }
      await appendRecords(transaction, [bindingChanged(change, 'add', provider, binding)]);
    }
    if (found && found.source !== binding.source) {
      throw new BindingConflictError(keyOf(binding), found.source);
    }
    if (found) {
      return { added, binding: found };
    }
  }
  throw new BindingConflictError(keyOf(binding), binding.source);
}

/** False when there was none. */
export async function removeBinding(
  transaction: Connection,
  provider: ProviderId,
  key: BindingKey,
  change: ChangeContext,
): Promise<boolean> {
  const { namespace, boundSubject, relation } = key;
  const { numAffectedRows } = await sql`
    delete from bindings
    where provider_id = ${provider} and bound_subject = ${boundSubject}
      and namespace = ${namespace} and relation = ${relation}
  `.execute(transaction);
  const isRemoved = numAffectedRows === 1n;
  if (isRemoved) {
    await appendRecords(transaction, [bindingChanged(change, 'remove', provider, key)]);
  }
  return isRemoved;
}

/** Suspends every binding of a provider that is being deleted; its row is locked already. */
export async function suspendBindings(transaction: Connection, provider: ProviderId): Promise<void> {
  await sql`update bindings set is_suspended = true where provider_id = ${provider}`.execute(transaction);
}

/** A binding is added either before its provider is deleted, which suspends it, or after. */
async function waitForDeletion(transaction: Connection, provider: ProviderId): Promise<void> {
  await sql`select 1 from providers where id = ${provider} for key share`.execute(transaction);
}

/** False when there is such a binding already, unless that is suspended: a new approval replaces it. */
async function insertBinding(
  transaction: Connection,
  provider: ProviderId,
  { namespace, boundSubject, relation, source, approvedBy }: Omit<NamespaceBinding, 'createdAt'>,
  change: ChangeContext,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into bindings (provider_id, bound_subject, namespace, relation, source, approved_by, created_at)
    values (${provider}, ${boundSubject}, ${namespace}, ${relation}, ${source}, ${approvedBy}, ${change.at})
    on conflict (provider_id, bound_subject, namespace, relation) do update
    set source = excluded.source, approved_by = excluded.approved_by, created_at = excluded.created_at,
      is_suspended = false
    where bindings.is_suspended
  `.execute(transaction);
  return numAffectedRows === 1n;
}
