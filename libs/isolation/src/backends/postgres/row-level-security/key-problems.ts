import type { Client } from 'pg';
import type { TenantTable } from './tenant-tables.js';

/** Whether a value is taken by another tenant shows in the violation of such an index, whatever policies say. */
const FIND_SHARED_KEYS = `
  select i.indexrelid::regclass::text as index, i.indrelid::regclass::text as table
  from pg_index i
  join pg_attribute a on a.attrelid = i.indrelid and a.attname = $2
  where i.indrelid = any($1::oid[]) and (i.indisunique or i.indisexclusion)
    and not exists (select from generate_series(0, i.indnkeyatts - 1) as k where i.indkey[k] = a.attnum)
  order by 1`;

/** References are checked past the policies, so those that do not include the tenant tell which rows others have. */
const FIND_SHARED_REFERENCES = `
  select f.conname as name, f.conrelid::regclass::text as table, f.confrelid::regclass::text as target
  from pg_constraint f
  where f.contype = 'f' and f.conparentid = 0 and f.confrelid = any($1::oid[])
    and not exists (
      select from unnest(f.conkey, f.confkey) as pair (own, other)
      join pg_attribute a on a.attrelid = f.conrelid and a.attnum = pair.own and a.attname = $2
      join pg_attribute b on b.attrelid = f.confrelid and b.attnum = pair.other and b.attname = $2
    )
  order by 1`;

/** Keys by which one tenant can tell what another has. */
export async function findKeyProblems(
  client: Client,
  tables: readonly TenantTable[],
  tenantColumn: string,
): Promise<string[]> {
  const parameters = [tables.map(({ oid }) => oid), tenantColumn];
  const { rows: keys } = await client.query(FIND_SHARED_KEYS, parameters);
  const { rows: references } = await client.query(FIND_SHARED_REFERENCES, parameters);
  return [
    ...keys.map(
      ({ index, table }) =>
        `table ${table}: the unique index ${index} lacks ${tenantColumn}, so it tells which values other tenants have`,
    ),
    ...references.map(
      ({ name, table, target }) =>
        `table ${table}: the foreign key ${name} to ${target} lacks ${tenantColumn}, so it tells which rows other tenants have`,
    ),
  ];
}
