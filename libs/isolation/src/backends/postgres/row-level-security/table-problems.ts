import type { Client } from 'pg';
import type { TenantTable } from './tenant-tables.js';

/** What is wrong with tables, apart from their policies and keys. */
export function findTableProblems(tables: readonly TenantTable[], tenantColumn: string): string[] {
  return tables.flatMap((table) =>
    [...describeSecurity(table), ...describeColumn(table, tenantColumn), ...describePrivileges(table)].map(
      (problem) => `table ${table.name}: ${problem}`,
    ),
  );
}

function describeSecurity({ kind, hasRowSecurity, isForced }: TenantTable): string[] {
  if (kind !== 'r' && kind !== 'p') {
    return ['expected a table, to which policies apply'];
  }
  return [
    ...(hasRowSecurity ? [] : ['row-level security is not enabled']),
    ...(isForced ? [] : ['row-level security is not forced, so it does not bind the owner']),
  ];
}

function describeColumn(table: TenantTable, tenantColumn: string): string[] {
  if (table.tenantAttribute === null) {
    return [`has no column ${tenantColumn}`];
  }
  return [
    ...(table.isNullable ? [`column ${tenantColumn} may be null`] : []),
    ...(table.isText ? [] : [`column ${tenantColumn} is no text, so it cannot hold a namespace`]),
    ...(table.isDeterministic ? [] : [`column ${tenantColumn} has a collation that takes different texts for equal`]),
  ];
}

function describePrivileges({ privileges, mayCreateBeside }: TenantTable): string[] {
  return [
    ...privileges.map((privilege) => `the role has the privilege ${privilege}, which policies do not restrict`),
    ...(mayCreateBeside ? ['the role may create objects in its schema, which others would use'] : []),
  ];
}

/** Tables beside these that have the tenant column, are within the role's reach, and were not listed. */
const FIND_FORGOTTEN = `
  select c.oid::regclass::text as name
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attname = $2 and a.attnum > 0 and not a.attisdropped
  where c.relkind in ('r', 'p', 'f') and not c.oid = any($1::oid[])
    and c.relnamespace in (select relnamespace from pg_class where oid = any($1::oid[]))
    and (has_table_privilege(c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE')
      or has_any_column_privilege(c.oid, 'SELECT, INSERT, UPDATE'))
  order by name`;

export async function findForgottenTables(
  client: Client,
  tables: readonly TenantTable[],
  tenantColumn: string,
): Promise<string[]> {
  const oids = tables.map(({ oid }) => oid);
  const { rows } = await client.query<{ name: string }>(FIND_FORGOTTEN, [oids, tenantColumn]);
  return rows.map(({ name }) => `table ${name}: has the column ${tenantColumn}, and is not among the tables`);
}
