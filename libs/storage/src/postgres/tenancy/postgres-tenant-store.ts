import {
  type ChangeContext,
  type RegisterTenantResult,
  type ReplaceTenantOptions,
  type Tenant,
  type TenantChanges,
  TenantConflictError,
  type TenantDraft,
  type TenantId,
  TenantNotFoundError,
  type TenantQuery,
  type TenantSource,
  TenantStore,
} from '@palisade/domain';
import type { Connection, Database } from '../connection/database.js';
import { readChanges } from './tenant-changes.js';
import { deleteTenant, findTenant, insertTenant, lockRegistry, toTenant, updateTenant } from './tenant-sql.js';
import { requireNoOverlap, requireRoomForWildcards } from './pattern-overlap.js';
import { appendRecords } from '../log/append-records.js';
import { tenantRegistered, tenantRemoved, tenantReplaced } from '../../change-records.js';
import { isRegisteredAs, newTenant, replaceTenant, requireChangeable } from '../../tenant-content.js';

/** Changes are made one at a time across all processes; reading never waits. */
export class PostgresTenantStore extends TenantStore {
  constructor(private readonly database: Database) {
    super();
  }

  /** A tenant that is registered already is found without waiting for other changes. */
  override async register(
    id: TenantId,
    source: TenantSource,
    draft: TenantDraft,
    change: ChangeContext,
  ): Promise<RegisterTenantResult> {
    const known = await this.database.run((connection) => findTenant(connection, id));
    if (known) {
      return registeredBefore(known, source, draft);
    }
    return this.database.transaction(async (transaction) => {
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

  override replace(
    id: TenantId,
    draft: TenantDraft,
    change: ChangeContext,
    options: ReplaceTenantOptions,
  ): Promise<Tenant> {
    return this.database.transaction(async (transaction) => {
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
    });
  }

  override remove(id: TenantId, change: ChangeContext, options: Omit<ReplaceTenantOptions, 'drainMs'>): Promise<void> {
    return this.database.transaction(async (transaction) => {
      const revision = await lockRegistry(transaction);
      const tenant = await getTenant(transaction, id);
      requireChangeable(tenant, options);
      await deleteTenant(transaction, id, revision + 1);
      await appendRecords(transaction, [tenantRemoved(change, tenant)]);
    });
  }

  override find(id: TenantId): Promise<Tenant | undefined> {
    return this.database.run((connection) => findTenant(connection, id));
  }

  override async list({ pool, after, limit }: TenantQuery): Promise<Tenant[]> {
    const rows = await this.database.run((connection) => {
      let query = connection.selectFrom('tenants').selectAll().orderBy('id').limit(limit);
      query = pool === undefined ? query : query.where('pool', '=', pool);
      return (after === undefined ? query : query.where('id', '>', after)).execute();
    });
    return rows.map(toTenant);
  }

  override async revision(): Promise<number> {
    const registry = await this.database.run((connection) =>
      connection.selectFrom('registry').select('revision').where('name', '=', 'tenants').executeTakeFirstOrThrow(),
    );
    return registry.revision;
  }

  override changesSince(revision: number, limit: number): Promise<TenantChanges> {
    return this.database.run((connection) => readChanges(connection, revision, limit));
  }
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
