import { literalPrefix, patternShape, type Tenant, type TenantId } from '@palisade/domain';
import { CompiledQuery, type Selectable } from 'kysely';
import type { Connection } from '../connection/database.js';
import { prepared } from '../connection/prepared-statements.js';
import type { TenantsTable } from '../connection/tables.js';

export type TenantRow = Selectable<TenantsTable>;

export function toTenant(row: TenantRow): Tenant {
  const isChanged = row.modified_at.getTime() !== row.created_at.getTime();
  return {
    id: row.id,
    // A copy has room for these only; the driver's array has room for seventeen.
    namespacePatterns: row.namespace_patterns.slice(),
    ...(row.pool !== null && { pool: row.pool }),
    ...(row.isolation_level !== null && { isolationLevel: row.isolation_level }),
    ...(row.tier !== null && { tier: row.tier }),
    ...(row.annual_revenue !== null && { annualRevenue: row.annual_revenue }),
    ...(row.connection_pools && { connectionPools: row.connection_pools }),
    ...(row.resource_limits && { resourceLimits: row.resource_limits }),
    source: row.source,
    version: row.version,
    createdAt: row.created_at,
    modifiedAt: isChanged ? row.modified_at : row.created_at,
    ...(row.draining_pool !== null &&
      row.draining_until && { draining: { pool: row.draining_pool, until: row.draining_until } }),
  };
}

/** The first parameters of a statement that stores a tenant, in the order of {@link TENANT_COLUMNS}. */
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
    tenant.resourceLimits && JSON.stringify(tenant.resourceLimits),
  ];
}

export const TENANT_COLUMNS =
  'id, revision, source, namespace_patterns, pool, isolation_level, tier, annual_revenue, connection_pools, draining_pool, draining_until, version, created_at, modified_at, resource_limits';

/** Two parameters for the tenant's `tenant_patterns`, besides the patterns themselves. */
export function patternParameters({ namespacePatterns }: Tenant): readonly unknown[] {
  return [namespacePatterns.map(literalPrefix), namespacePatterns.map(patternShape)];
}

const LOCK_REGISTRY = prepared(`select revision from registry where name = 'tenants' for no key update`);

const FIND = prepared(`select ${TENANT_COLUMNS} from tenants where id = $1`);

const MOVE_REGISTRY = `update registry set revision = $2 where name = 'tenants'`;

const ADD_PATTERNS = `
  insert into tenant_patterns (literal_prefix, pattern, shape, tenant_id)
  select literal_prefix, pattern, shape, $1
  from unnest($16::text[], $4::text[], $17::text[]) as own(literal_prefix, pattern, shape)`;

const INSERT = prepared(`
  with stored as (
    insert into tenants (${TENANT_COLUMNS})
    values ($1, $2, $3, $4::text[], $5, $6, $7, $8, $9::json, $10, $11, $12, $13, $14, $15::json)
  ), searchable as (${ADD_PATTERNS}), returned as (
    delete from tenant_removals where tenant_id = $1
  )
  ${MOVE_REGISTRY}`);

const UPDATE = prepared(`
  with stored as (
    update tenants set (${TENANT_COLUMNS})
      = ($1, $2, $3, $4::text[], $5, $6, $7, $8, $9::json, $10, $11, $12, $13, $14, $15::json)
    where id = $1
  ), forgotten as (
    delete from tenant_patterns where tenant_id = $1 and pattern <> all($4::text[])
  ), searchable as (${ADD_PATTERNS} on conflict do nothing)
  ${MOVE_REGISTRY}`);

/** Deletes the tenant's patterns too, by the foreign key. */
const DELETE = prepared(`
  with removed as (
    delete from tenants where id = $1
  ), remembered as (
    insert into tenant_removals (tenant_id, revision) values ($1, $2)
  )
  ${MOVE_REGISTRY}`);

/** Keeps every other change of tenants waiting until the transaction ends. Returns the revision of the latest one. */
export async function lockRegistry(transaction: Connection): Promise<number> {
  const { rows } = await transaction.executeQuery<{ revision: number }>(CompiledQuery.raw(LOCK_REGISTRY, []));
  const [registry] = rows;
  if (!registry) {
    throw new Error('the registry of tenants has lost its revision: the row "tenants" of registry is missing');
  }
  return registry.revision;
}

export async function findTenant(connection: Connection, id: TenantId): Promise<Tenant | undefined> {
  const { rows } = await connection.executeQuery<TenantRow>(CompiledQuery.raw(FIND, [id]));
  const [row] = rows;
  return row && toTenant(row);
}

export function insertTenant(transaction: Connection, tenant: Tenant, revision: number): Promise<unknown> {
  return store(transaction, INSERT, tenant, revision);
}

export function updateTenant(transaction: Connection, tenant: Tenant, revision: number): Promise<unknown> {
  return store(transaction, UPDATE, tenant, revision);
}

export function deleteTenant(transaction: Connection, id: TenantId, revision: number): Promise<unknown> {
  return transaction.executeQuery(CompiledQuery.raw(DELETE, [id, revision]));
}

function store(transaction: Connection, statement: string, tenant: Tenant, revision: number): Promise<unknown> {
  const parameters = [...tenantParameters(tenant, revision), ...patternParameters(tenant)];
  return transaction.executeQuery(CompiledQuery.raw(statement, parameters));
}
