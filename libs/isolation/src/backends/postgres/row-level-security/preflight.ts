import { parseTenantId, type TenantId } from '@palisade/domain';
import type { Client } from 'pg';
import { RowLevelSecurityError } from '../postgres.errors.js';
import { TENANT_SETTING, roleOf } from '../separation.js';
import { findKeyProblems } from './key-problems.js';
import { PolicyProbe } from './policy-probe.js';
import { findRoleProblems } from './role-problems.js';
import { findSideDoors } from './side-doors.js';
import { findForgottenTables, findTableProblems } from './table-problems.js';
import { findMissing, findTables, type TenantTable } from './tenant-tables.js';

export interface PreflightOptions {
  /** Every table with rows of tenants, named as in SQL. */
  readonly tables: readonly string[];
  readonly tenantColumn: string;
  /** Default `setting`. */
  readonly mode?: 'setting' | 'role';
  /** The tenant that the client works for; in the mode `role`, the one whose role it logged in as. Default `preflight`. */
  readonly tenantId?: TenantId;
  readonly rolePrefix?: string;
}

export interface PreflightReport {
  /** What may be intended. */
  readonly warnings: readonly string[];
}

/** A tenant that nobody else uses. */
export const PREFLIGHT_TENANT = parseTenantId('preflight');

/**
 * Whether row-level security keeps the rows of tenants apart for the role that the client has logged in as. It looks at the
 * role and what it may become, at the tables with their policies, keys and privileges, and at views, sequences and functions
 * beside them. Policies that show some rows of others on purpose are taken for what they are: not every row is tried.
 *
 * Changes nothing. The client is in no transaction, and in none afterwards.
 *
 * @throws {RowLevelSecurityError} with everything that is wrong
 */
export async function preflightRowLevelSecurity(client: Client, options: PreflightOptions): Promise<PreflightReport> {
  await client.query('begin read only');
  try {
    const { problems, warnings } = await findAll(client, options);
    if (problems.length > 0) {
      throw new RowLevelSecurityError(problems);
    }
    return { warnings };
  } finally {
    await client.query('rollback');
  }
}

async function findAll(client: Client, options: PreflightOptions) {
  const { tables: names, tenantColumn, mode = 'setting', tenantId = PREFLIGHT_TENANT, rolePrefix } = options;
  if (names.length === 0) {
    return { problems: ['there is no table to look at'], warnings: [] };
  }
  const missing = await findMissing(client, names);
  const tables = await findTables(client, names, tenantColumn);
  const found = names.filter((name) => !missing.includes(name));
  const expectedRole = mode === 'role' ? roleOf(tenantId, rolePrefix) : undefined;
  const doors = await findSideDoors(client, tables);
  return {
    problems: [
      ...missing.map((name) => `table ${name.slice(0, 100)}: does not exist, or the role may not see it`),
      ...(await findRoleProblems(client, found, expectedRole)),
      ...findTableProblems(tables, tenantColumn),
      ...(await findForgottenTables(client, tables, tenantColumn)),
      ...(await findKeyProblems(client, tables, tenantColumn)),
      ...(await findPolicyProblems(client, tables, { tenantColumn, mode, tenantId })),
      ...doors.problems,
    ],
    warnings: doors.warnings,
  };
}

interface PolicyOptions {
  readonly tenantColumn: string;
  readonly mode: 'setting' | 'role';
  readonly tenantId: TenantId;
}

async function findPolicyProblems(
  client: Client,
  tables: readonly TenantTable[],
  { tenantColumn, mode, tenantId }: PolicyOptions,
): Promise<string[]> {
  const separable = tables.filter((table) => table.hasRowSecurity && table.tenantAttribute !== null && table.isText);
  const probes: PolicyProbe[] = [];
  for (const table of separable) {
    probes.push(await PolicyProbe.prepare(client, table, tenantColumn));
  }
  const problems = mode === 'setting' ? await findLeaksWithoutTenant(client, probes) : [];
  await client.query('select set_config($1, $2, true)', [TENANT_SETTING, tenantId]);
  for (const probe of probes) {
    problems.push(...(await probe.findLeaks('')), ...(await probe.findObstacles(tenantId)));
  }
  return problems;
}

/** Looks at the tables as a program sees them that forgets to set the tenant. */
async function findLeaksWithoutTenant(client: Client, probes: readonly PolicyProbe[]): Promise<string[]> {
  const problems: string[] = [];
  const { rows } = await client.query('select current_setting($1, true) as tenant', [TENANT_SETTING]);
  if (rows[0]?.tenant) {
    problems.push(
      `${TENANT_SETTING} is set for the role or the database: a transaction without a tenant would have one`,
    );
  }
  for (const probe of probes) {
    problems.push(...(await probe.findLeaks(' when no tenant was ever set')));
  }
  await client.query('select set_config($1, $2, true)', [TENANT_SETTING, '']);
  for (const probe of probes) {
    problems.push(...(await probe.findLeaks(' when the tenant is no longer set')));
  }
  return problems;
}
