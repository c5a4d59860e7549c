import type { Client } from 'pg';
import type { TenantTable } from './tenant-tables.js';

/** Views over the tables, and over such views, that the role can read, itself or through another view. */
const FIND_VIEWS = `
  with recursive uses as (
    select distinct w.ev_class as view, d.refobjid as relation
    from pg_depend d
    join pg_rewrite w on w.oid = d.objid and d.classid = 'pg_rewrite'::regclass
    where d.refclassid = 'pg_class'::regclass and d.refobjid <> w.ev_class
  ), dependents as (
    select view from uses where relation = any($1::oid[])
    union
    select uses.view from uses join dependents on uses.relation = dependents.view
  ), reachable as (
    select view from dependents
    where has_table_privilege(view, 'SELECT') or has_any_column_privilege(view, 'SELECT')
    union
    select uses.relation from uses join reachable on uses.view = reachable.view
  )
  select c.oid::regclass::text as name, c.relkind = 'm' as is_materialized, o.rolname as owner
  from dependents
  join pg_class c on c.oid = dependents.view
  join pg_roles o on o.oid = c.relowner
  where c.oid in (select view from reachable)
    and (c.relkind = 'm' or (c.relkind = 'v' and (o.rolsuper or o.rolbypassrls)
      and not coalesce(c.reloptions && array['security_invoker=true', 'security_invoker=on', 'security_invoker=1'], false)))
  order by name`;

/** Sequences of the tables' columns, and what the role may do to them. */
const FIND_SEQUENCES = `
  select d.objid::regclass::text as name, has_sequence_privilege(d.objid, 'UPDATE') as is_settable,
    has_sequence_privilege(d.objid, 'USAGE, SELECT') as is_readable
  from pg_depend d
  join pg_class c on c.oid = d.objid and c.relkind = 'S'
  where d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass and d.refobjid = any($1::oid[])
    and d.deptype in ('a', 'i')
  order by name`;

/** Functions beside the tables that run with their owner's rights. */
const FIND_DEFINER_FUNCTIONS = `
  select p.oid::regprocedure::text as name, o.rolname as owner
  from pg_proc p
  join pg_roles o on o.oid = p.proowner
  where p.prosecdef and has_function_privilege(p.oid, 'EXECUTE')
    and p.pronamespace in (select relnamespace from pg_class where oid = any($1::oid[]))
  order by name`;

/** Ways to the rows, or to what they tell, that lead past the policies of the tables. */
export async function findSideDoors(
  client: Client,
  tables: readonly TenantTable[],
): Promise<{ readonly problems: string[]; readonly warnings: string[] }> {
  const oids = [tables.map(({ oid }) => oid)];
  const { rows: views } = await client.query(FIND_VIEWS, oids);
  const { rows: sequences } = await client.query(FIND_SEQUENCES, oids);
  const { rows: functions } = await client.query(FIND_DEFINER_FUNCTIONS, oids);
  const settable = sequences.filter((sequence) => sequence.is_settable);
  const readable = sequences.filter((sequence) => sequence.is_readable && !sequence.is_settable);
  return {
    problems: [
      ...views.map(({ name, owner, is_materialized: isMaterialized }) =>
        isMaterialized
          ? `materialized view ${name}: holds rows of all tenants, and no policy applies to it`
          : `view ${name}: shows what its owner ${owner} sees, which no policy binds; make it a security_invoker`,
      ),
      ...settable.map(
        ({ name }) => `sequence ${name}: the role may set it back (UPDATE), so that others' inserts fail`,
      ),
    ],
    warnings: [
      ...readable.map(({ name }) => `sequence ${name}: its numbers tell how many rows all tenants together insert`),
      ...functions.map(
        ({ name, owner }) => `function ${name}: runs as its owner ${owner}; make sure that it minds the tenant`,
      ),
    ],
  };
}
