import { literalPrefix, patternShape, type Tenant } from '@palisade/domain';
import type { Selectable } from 'kysely';
import type { TenantsTable } from '../schema/tables.js';

export type TenantRow = Selectable<TenantsTable>;

export function toTenant(row: TenantRow): Tenant {
  return {
    id: row.id,
    namespacePatterns: row.namespace_patterns,
    ...(row.pool !== null && { pool: row.pool }),
    ...(row.isolation_level !== null && { isolationLevel: row.isolation_level }),
    ...(row.tier !== null && { tier: row.tier }),
    ...(row.annual_revenue !== null && { annualRevenue: row.annual_revenue }),
    ...(row.connection_pools && { connectionPools: row.connection_pools }),
    source: row.source,
    version: row.version,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
    ...(row.draining_pool !== null &&
      row.draining_until && { draining: { pool: row.draining_pool, until: row.draining_until } }),
  };
}

/** What a statement that stores a tenant has as its first parameters, in the order of {@link TENANT_COLUMNS}. */
export function tenantParameters(tenant: Tenant, revision: number): readonly unknown[] {
  return [
    tenant.id,
    revision,
    tenant.source,
    tenant.namespacePatterns,
    tenant.pool,
    tenant.isolationLevel,
    tenant.tier,
    tenant.annualRevenue,
    tenant.connectionPools && JSON.stringify(tenant.connectionPools),
    tenant.draining?.pool,
    tenant.draining?.until,
    tenant.version,
    tenant.createdAt,
    tenant.modifiedAt,
  ];
}

export const TENANT_COLUMNS =
  'id, revision, source, namespace_patterns, pool, isolation_level, tier, annual_revenue, connection_pools, draining_pool, draining_until, version, created_at, modified_at';

/** Two parameters for the tenant's `tenant_patterns`, beside the patterns themselves. */
export function patternParameters({ namespacePatterns }: Tenant): readonly unknown[] {
  return [namespacePatterns.map(literalPrefix), namespacePatterns.map(patternShape)];
}
