import {
  type ChangeContext,
  type RegisterTenantResult,
  type ReplaceTenantOptions,
  type Tenant,
  TenantConflictError,
  type TenantDraft,
  type TenantId,
  TenantNotFoundError,
  type TenantSource,
} from '@palisade/domain';
import { tenantRegistered, tenantRemoved, tenantReplaced } from '../../change-records.js';
import { isRegisteredAs, newTenant, replaceTenant, requireChangeable } from '../../tenant-content.js';
import { appendRecords } from '../log/append-records.js';
import type { Connection, Database } from '../connection/database.js';
import { requireNoOverlap, requireRoomForWildcards } from './pattern-overlap.js';
import { deleteTenant, findTenant, insertTenant, lockRegistry, updateTenant } from './tenant-sql.js';

/** A tenant that is registered already is found without waiting for other changes. */
export async function registerTenant(
  database: Database,
  id: TenantId,
  source: TenantSource,
  draft: TenantDraft,
  change: ChangeContext,
): Promise<RegisterTenantResult> {
  const known = await database.run((connection) => findTenant(connection, id));
  if (known) {
    return registeredBefore(known, source, draft);
  }
  return database.transaction(async (transaction) => {
    const revision = await lockRegistry(transaction);
    const current = await findTenant(transaction, id);
    if (current) {
      return registeredBefore(current, source, draft);
    }
    const tenant = newTenant(id, source, draft, change);
    await requireRoomForWildcards(transaction, id, tenant.namespacePatterns);
    await requireNoOverlap(transaction, id, tenant.namespacePatterns);
    await insertTenant(transaction, tenant, revision + 1);
    await appendRecords(transaction, [tenantRegistered(change, tenant)]);
    return { registered: true, tenant };
  });
}

export async function changeTenant(
  transaction: Connection,
  id: TenantId,
  draft: TenantDraft,
  change: ChangeContext,
  options: ReplaceTenantOptions,
): Promise<Tenant> {
  const revision = await lockRegistry(transaction);
  const current = await getTenant(transaction, id);
  const tenant = replaceTenant(current, draft, change, options);
  if (tenant === current) {
    return current;
  }
  await requireRoomForWildcards(transaction, id, tenant.namespacePatterns);
  await requireNoOverlap(transaction, id, tenant.namespacePatterns);
  await updateTenant(transaction, tenant, revision + 1);
  await appendRecords(transaction, [tenantReplaced(change, current, tenant)]);
  return tenant;
}

export async function removeTenant(
  transaction: Connection,
  id: TenantId,
  change: ChangeContext,
  options: Omit<ReplaceTenantOptions, 'drainMs'>,
): Promise<void> {
  const revision = await lockRegistry(transaction);
  const tenant = await getTenant(transaction, id);
  requireChangeable(tenant, options);
  await deleteTenant(transaction, id, revision + 1);
  await appendRecords(transaction, [tenantRemoved(change, tenant)]);
}

/** @throws {TenantNotFoundError} */
async function getTenant(transaction: Connection, id: TenantId): Promise<Tenant> {
  const tenant = await findTenant(transaction, id);
  if (!tenant) {
    throw new TenantNotFoundError(id);
  }
  return tenant;
}

/** @throws {TenantConflictError} */
function registeredBefore(tenant: Tenant, source: TenantSource, draft: TenantDraft): RegisterTenantResult {
  if (!isRegisteredAs(tenant, source, draft)) {
    throw new TenantConflictError(tenant.id);
  }
  return { registered: false, tenant };
}
