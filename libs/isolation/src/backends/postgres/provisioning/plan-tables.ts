import type { Client } from 'pg';
import { escapeLiteral } from '../pg-package.js';
import { TENANT_SETTING, tenantOfValue } from '../separation.js';
import { type Change, quoteName } from './change.js';

/** Which login tells the tenant, see `RowLevelSecuritySeparation`. */
export type TenantLogin =
  | {
      readonly mode: 'setting';
      /** The role that all tenants log in as. */
      readonly role: string;
    }
  | {
      readonly mode: 'role';
      /** What the name of a tenant's role has before the tenant's id. Default `tenant_`. */
      readonly rolePrefix?: string;
    };

export const POLICY_NAME = 'palisade_tenant';

/**
 * The condition of the policy on each table. The subquery is evaluated once for a statement, not once for a row; it is null
 * when there is no tenant, and then no row passes.
 */
export function policyCondition(tenantColumn: string, mode: 'setting' | 'role', rolePrefix: string): string {
  return `${quoteName(tenantColumn)} = (select ${mode === 'setting' ? CURRENT_VALUE : valueWithin(rolePrefix)})`;
}

/** Empty, not null, once a transaction that has set it is over. */
const CURRENT_VALUE = `nullif(current_setting(${escapeLiteral(TENANT_SETTING)}, true), '')`;

/** The same, but null unless it belongs to the tenant whose role it is: any SQL can change a setting. */
function valueWithin(rolePrefix: string): string {
  const prefix = escapeLiteral(rolePrefix);
  const start = [...rolePrefix].length + 1;
  const isOfRole = `substr(current_user::text, ${start}) = ${tenantOfValue(CURRENT_VALUE)}`;
  return `case when starts_with(current_user::text, ${prefix}) and ${isOfRole} then ${CURRENT_VALUE} end`;
}

/** A table as the catalog has it. */
export interface ProvisionedTable {
  readonly oid: string;
  /** With its schema, both quoted. */
  readonly name: string;
  /** Quoted. */
  readonly schema: string;
  /** The type of the tenant column. */
  readonly type: string;
  readonly hasRowSecurity: boolean;
  readonly isForced: boolean;
}

const FIND_TABLES = `
  select c.oid::int8::text as oid, format('%I.%I', n.nspname, c.relname) as name, format('%I', n.nspname) as schema,
    format_type(a.atttypid, a.atttypmod) as type, c.relrowsecurity as "hasRowSecurity",
    c.relforcerowsecurity as "isForced"
  from unnest($1::text[]) with ordinality as listed (name, position)
  join pg_class c on c.oid = to_regclass(listed.name) and c.relkind in ('r', 'p')
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attname = $2 and a.attnum > 0 and not a.attisdropped
  order by position`;

const FIND_POLICY = `
  select p.polcmd = '*' and p.polpermissive and p.polroles = '{0}'::oid[] as "hasForm",
    pg_get_expr(p.polqual, p.polrelid) as using, pg_get_expr(p.polwithcheck, p.polrelid) as check
  from pg_policy p where p.polrelid = $1::oid and p.polname = $2`;

/** @throws {RangeError} when one is no table, or lacks the tenant column */
export async function findProvisionedTables(
  client: Client,
  tables: readonly string[],
  tenantColumn: string,
): Promise<ProvisionedTable[]> {
  const { rows } = await client.query<ProvisionedTable>(FIND_TABLES, [tables, tenantColumn]);
  if (rows.length === 0 || rows.length !== tables.length) {
    throw new RangeError(
      `tables: expected tables with a column ${tenantColumn}, found ${rows.length} of ${tables.length} to be so`,
    );
  }
  return rows;
}

/** How a table differs from one whose rows only their tenant sees. */
export async function planTable(
  client: Client,
  table: ProvisionedTable,
  { tenantColumn, condition }: { readonly tenantColumn: string; readonly condition: string },
): Promise<Change[]> {
  const { name, hasRowSecurity, isForced } = table;
  const policy = quoteName(POLICY_NAME);
  const create = `create policy ${policy} on ${name} using (${condition}) with check (${condition})`;
  const { rows } = await client.query(FIND_POLICY, [table.oid, POLICY_NAME]);
  const [found] = rows;
  const alter = (what: string): Change => ({
    description: `table ${name}: ${what}`,
    statement: `alter table ${name} ${what.toLowerCase()}`,
  });
  const changes: Change[] = [];
  if (found === undefined) {
    changes.push({ description: `table ${name}: policy ${policy} created`, statement: create });
  } else {
    const expected = await normalize(client, table, tenantColumn, condition);
    if (!found.hasForm || found.using !== expected || found.check !== expected) {
      const statement = `drop policy ${policy} on ${name}; ${create}`;
      changes.push({ description: `table ${name}: policy ${policy} replaced`, statement });
    }
  }
  return [
    ...changes,
    ...(hasRowSecurity ? [] : [alter('ENABLE ROW LEVEL SECURITY')]),
    ...(isForced ? [] : [alter('FORCE ROW LEVEL SECURITY')]),
  ];
}

/** The condition as this server writes it: that of a policy on a table with the same column, which is gone again. */
async function normalize(
  client: Client,
  { type }: ProvisionedTable,
  tenantColumn: string,
  condition: string,
): Promise<string> {
  await client.query(`create temporary table palisade_normalized (${quoteName(tenantColumn)} ${type})`);
  await client.query(`create policy ${POLICY_NAME} on pg_temp.palisade_normalized using (${condition})`);
  const { rows } = await client.query<{ text: string }>(
    `select pg_get_expr(polqual, polrelid) as text from pg_policy
     where polrelid = 'pg_temp.palisade_normalized'::regclass`,
  );
  await client.query('drop table pg_temp.palisade_normalized');
  return rows[0]?.text ?? '';
}
