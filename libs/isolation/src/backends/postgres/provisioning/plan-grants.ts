import type { Client } from 'pg';
import { type Change, quoteName } from './change.js';
import type { ProvisionedTable } from './plan-tables.js';

export const TABLE_PRIVILEGES = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] as const;
export type TablePrivilege = (typeof TABLE_PRIVILEGES)[number];

/** Privileges that were granted to the role itself on a relation. */
const FIND_GRANTED = `
  select x.privilege_type as privilege
  from pg_class c cross join aclexplode(c.relacl) as x
  where c.oid = $1::oid and x.grantee = (select oid from pg_roles where rolname = $2)`;

/** Sequences that defaults of the table's columns draw from; identity columns need no privilege. */
const FIND_SERIALS = `
  select d.objid::int8::text as oid, d.objid::regclass::text as name
  from pg_depend d join pg_class c on c.oid = d.objid and c.relkind = 'S'
  where d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass
    and d.refobjid = $1::oid and d.deptype = 'a'
  order by name`;

/** How the role's privileges on the tables differ from these. The role exists. */
export async function planGrants(
  client: Client,
  role: string,
  tables: readonly ProvisionedTable[],
  privileges: readonly TablePrivilege[],
): Promise<Change[]> {
  const changes = await planSurroundings(client, role, [...new Set(tables.map(({ schema }) => schema))]);
  for (const { oid, name } of tables) {
    changes.push(...(await planRelation(client, role, { oid, name, kind: 'table' }, privileges)));
    const { rows } = await client.query<{ oid: string; name: string }>(FIND_SERIALS, [oid]);
    for (const sequence of rows) {
      const wanted = privileges.includes('INSERT') ? ['USAGE'] : [];
      changes.push(...(await planRelation(client, role, { ...sequence, kind: 'sequence' }, wanted)));
    }
  }
  return changes;
}

/** What stands between the role and the tables: the database and their schemas. */
async function planSurroundings(client: Client, role: string, schemas: readonly string[]): Promise<Change[]> {
  const { rows } = await client.query<{ name: string; kind: string; privilege: string }>(
    `select format('%I', current_database()) as name, 'database' as kind, 'CONNECT' as privilege
     where not has_database_privilege($1, current_database(), 'CONNECT')
     union all
     select schema, 'schema', 'USAGE' from unnest($2::text[]) as schema
     where not has_schema_privilege($1, schema, 'USAGE')`,
    [role, schemas],
  );
  return rows.map(({ name, kind, privilege }) => grant(role, privilege, kind, name));
}

async function planRelation(
  client: Client,
  role: string,
  { oid, name, kind }: { readonly oid: string; readonly name: string; readonly kind: 'table' | 'sequence' },
  wanted: readonly string[],
): Promise<Change[]> {
  const { rows } = await client.query<{ privilege: string }>(FIND_GRANTED, [oid, role]);
  const granted = rows.map(({ privilege }) => privilege);
  return [
    ...wanted
      .filter((privilege) => !granted.includes(privilege))
      .map((privilege) => grant(role, privilege, kind, name)),
    ...granted
      .filter((privilege) => !wanted.includes(privilege))
      .map((privilege) => ({
        description: `${kind} ${name}: ${privilege} revoked from ${quoteName(role)}`,
        statement: `revoke ${privilege.toLowerCase()} on ${kind} ${name} from ${quoteName(role)}`,
      })),
  ];
}

function grant(role: string, privilege: string, kind: string, name: string): Change {
  return {
    description: `${kind} ${name}: ${privilege} granted to ${quoteName(role)}`,
    statement: `grant ${privilege.toLowerCase()} on ${kind} ${name} to ${quoteName(role)}`,
  };
}
