import type { Client } from 'pg';

/** What the preflight knows of a table, as the role that it asks as. */
export interface TenantTable {
  readonly oid: number;
  /** As SQL names it, quoted where that is needed. */
  readonly name: string;
  /** The same without a schema. */
  readonly alias: string;
  readonly kind: string;
  readonly isListed: boolean;
  readonly hasRowSecurity: boolean;
  readonly isForced: boolean;
  /** Number of the tenant column; null when there is none. */
  readonly tenantAttribute: number | null;
  readonly isNullable: boolean;
  readonly isText: boolean;
  readonly isDeterministic: boolean;
  /** The role's privileges that policies do not restrict. */
  readonly privileges: readonly string[];
  readonly mayCreateBeside: boolean;
}

/** An identifier or two, plain or quoted, as `to_regclass` takes them. */
const TABLE_NAME = /^(?:[a-z_][\w$]*|"(?:[^"\0]|"")+")(?:\.(?:[a-z_][\w$]*|"(?:[^"\0]|"")+"))?$/i;
const MAX_TABLE_NAME_LENGTH = 300;

/**
 * The tables, and the partitions and children of theirs that the role may use directly, where the policies of the parent do
 * not apply. Privileges that policies do not restrict are TRUNCATE, REFERENCES and TRIGGER.
 */
const FIND_TABLES = `
  with recursive listed as (
    select to_regclass(name)::oid as oid from unnest($1::text[]) as name
  ), family as (
    select oid, true as is_listed from listed where oid is not null
    union
    select i.inhrelid, i.inhrelid in (select oid from listed)
    from pg_inherits i join family on i.inhparent = family.oid
  )
  select c.oid::int8::text as oid, c.oid::regclass::text as name, quote_ident(c.relname) as alias, c.relkind as kind, bool_or(f.is_listed) as is_listed,
    c.relrowsecurity as has_row_security, c.relforcerowsecurity as is_forced, a.attnum as tenant_attribute,
    not coalesce(a.attnotnull, false) as is_nullable, coalesce(t.typcategory = 'S', false) as is_text,
    coalesce(l.collisdeterministic, true) as is_deterministic,
    array(
      select privilege from unnest(array['TRUNCATE', 'REFERENCES', 'TRIGGER']) as privilege
      where has_table_privilege(c.oid, privilege)
    ) as privileges,
    has_schema_privilege(c.relnamespace, 'CREATE') as may_create_beside
  from family f
  join pg_class c on c.oid = f.oid
  left join pg_attribute a on a.attrelid = c.oid and a.attname = $2 and a.attnum > 0 and not a.attisdropped
  left join pg_type t on t.oid = a.atttypid
  left join pg_collation l on l.oid = a.attcollation
  where f.is_listed
    or has_table_privilege(c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE')
    or has_any_column_privilege(c.oid, 'SELECT, INSERT, UPDATE')
  group by c.oid, a.attnum, a.attnotnull, t.typcategory, l.collisdeterministic
  order by name`;

/** Which of the names no table has, or no table could have. */
export async function findMissing(client: Client, names: readonly string[]): Promise<string[]> {
  const wellFormed = names.filter(isTableName);
  const { rows } = await client.query<{ name: string }>(
    'select name from unnest($1::text[]) as name where to_regclass(name) is null',
    [wellFormed],
  );
  return [...names.filter((name) => !isTableName(name)), ...rows.map(({ name }) => name)];
}

export async function findTables(
  client: Client,
  names: readonly string[],
  tenantColumn: string,
): Promise<TenantTable[]> {
  const { rows } = await client.query(FIND_TABLES, [names.filter(isTableName), tenantColumn]);
  return rows.map((row) => ({
    oid: Number(row.oid),
    name: row.name,
    alias: row.alias,
    kind: row.kind,
    isListed: row.is_listed,
    hasRowSecurity: row.has_row_security,
    isForced: row.is_forced,
    tenantAttribute: row.tenant_attribute,
    isNullable: row.is_nullable,
    isText: row.is_text,
    isDeterministic: row.is_deterministic,
    privileges: row.privileges,
    mayCreateBeside: row.may_create_beside,
  }));
}

function isTableName(name: string): boolean {
  return name.length <= MAX_TABLE_NAME_LENGTH && TABLE_NAME.test(name);
}
