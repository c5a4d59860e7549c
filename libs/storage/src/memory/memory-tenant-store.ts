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
import { compareValues } from '@palisade/scim';
import { tenantRegistered, tenantRemoved, tenantReplaced } from '../change-records.js';
import { isRegisteredAs, newTenant, replaceTenant, requireChangeable } from '../tenant-content.js';
import type { MemoryState } from './memory-state.js';

export class MemoryTenantStore extends TenantStore {
  constructor(private readonly state: () => MemoryState) {
    super();
  }

  override async register(
    id: TenantId,
    source: TenantSource,
    draft: TenantDraft,
    change: ChangeContext,
  ): Promise<RegisterTenantResult> {
    const current = this.state().tenants.find(id);
    if (current && !isRegisteredAs(current, source, draft)) {
      throw new TenantConflictError(id);
    }
    const tenant = current ?? newTenant(id, source, draft, change);
    if (!current) {
      this.state().tenants.set(tenant);
      this.state().log.append([tenantRegistered(change, tenant)]);
    }
    return { registered: !current, tenant: copyTenant(tenant) };
  }

  override async replace(
    id: TenantId,
    draft: TenantDraft,
    change: ChangeContext,
    options: ReplaceTenantOptions,
  ): Promise<Tenant> {
    const current = this.requireTenant(id);
    const tenant = replaceTenant(current, draft, change, options);
    if (tenant !== current) {
      this.state().tenants.set(tenant);
      this.state().log.append([tenantReplaced(change, current, tenant)]);
    }
    return copyTenant(tenant);
  }

  override async remove(
    id: TenantId,
    change: ChangeContext,
    options: Omit<ReplaceTenantOptions, 'drainMs'>,
  ): Promise<void> {
    const tenant = this.requireTenant(id);
    requireChangeable(tenant, options);
    this.state().tenants.delete(id);
    this.state().log.append([tenantRemoved(change, tenant)]);
  }

  override async find(id: TenantId): Promise<Tenant | undefined> {
    const tenant = this.state().tenants.find(id);
    return tenant && copyTenant(tenant);
  }

  override async list({ pool, after, limit }: TenantQuery): Promise<Tenant[]> {
    return this.state()
      .tenants.tenants()
      .filter((tenant) => pool === undefined || tenant.pool === pool)
      .filter(({ id }) => after === undefined || compareValues(id, after) > 0)
      .sort((a, b) => compareValues(a.id, b.id))
      .slice(0, limit)
      .map(copyTenant);
  }

  override async revision(): Promise<number> {
    return this.state().tenants.revision;
  }

  override async changesSince(revision: number, limit: number): Promise<TenantChanges> {
    const changes = this.state().tenants.changesSince(revision, limit);
    return { ...changes, changed: changes.changed.map(copyTenant) };
  }

  private requireTenant(id: TenantId): Tenant {
    const tenant = this.state().tenants.find(id);
    if (!tenant) {
      throw new TenantNotFoundError(id);
    }
    return tenant;
  }
}

/** The tenant's content is frozen and shared; dates have to be copied. */
function copyTenant(tenant: Tenant): Tenant {
  const { createdAt, modifiedAt, draining } = tenant;
  return {
    ...tenant,
    createdAt: new Date(createdAt),
    modifiedAt: new Date(modifiedAt),
    ...(draining && { draining: { ...draining, until: new Date(draining.until) } }),
  };
}
