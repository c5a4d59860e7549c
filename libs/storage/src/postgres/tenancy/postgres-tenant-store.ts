import {
  type ChangeContext,
  type RegisterTenantResult,
  type ReplaceTenantOptions,
  type Tenant,
  type TenantChanges,
  type TenantDraft,
  type TenantId,
  type TenantQuery,
  type TenantSource,
  TenantStore,
} from '@palisade/domain';
import type { Database } from '../connection/database.js';
import { changeTenant, registerTenant, removeTenant } from './change-tenants.js';
import { readChanges } from './tenant-changes.js';
import { findTenant, toTenant } from './tenant-sql.js';

/** Changes are made one at a time across all processes; reading never waits. */
export class PostgresTenantStore extends TenantStore {
  constructor(private readonly database: Database) {
    super();
  }

  override register(
    id: TenantId,
    source: TenantSource,
    draft: TenantDraft,
    change: ChangeContext,
  ): Promise<RegisterTenantResult> {
    return registerTenant(this.database, id, source, draft, change);
  }

  override replace(
    id: TenantId,
    draft: TenantDraft,
    change: ChangeContext,
    options: ReplaceTenantOptions,
  ): Promise<Tenant> {
    return this.database.transaction((transaction) => changeTenant(transaction, id, draft, change, options));
  }

  override remove(id: TenantId, change: ChangeContext, options: Omit<ReplaceTenantOptions, 'drainMs'>): Promise<void> {
    return this.database.transaction((transaction) => removeTenant(transaction, id, change, options));
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
