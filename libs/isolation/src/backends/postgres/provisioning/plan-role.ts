import type { Client } from 'pg';
import { escapeLiteral } from '../pg-package.js';
import { type Change, quoteName } from './change.js';

export interface WantedRole {
  readonly name: string;
  /** Connections at most; -1 for any number. */
  readonly connectionLimit: number;
  /** What the server is to store of the password; undefined to leave it as it is. */
  readonly verifier?: string;
  /** Whether it belongs to one tenant alone, whose SQL can change it: then it has no settings of its own. */
  readonly isOfOneTenant: boolean;
}

const ATTRIBUTES = [
  ['rolcanlogin', true, 'LOGIN'],
  ['rolcreatedb', false, 'NOCREATEDB'],
  ['rolsuper', false, 'NOSUPERUSER'],
  ['rolbypassrls', false, 'NOBYPASSRLS'],
  ['rolcreaterole', false, 'NOCREATEROLE'],
  ['rolreplication', false, 'NOREPLICATION'],
] as const;

/** A role with the opposite of one of these was given it on purpose, perhaps for something else: a person should look. */
const FOR_A_PERSON = new Set<string>(['NOSUPERUSER', 'NOBYPASSRLS', 'NOCREATEROLE', 'NOREPLICATION']);

const DESCRIBE_ROLE = `
  select r.*,
    array(select g.rolname::text from pg_auth_members m join pg_roles g on g.oid = m.roleid where m.member = r.oid) as groups,
    array(
      select jsonb_build_object('database', d.datname, 'settings', s.setconfig)
      from pg_db_role_setting s left join pg_database d on d.oid = s.setdatabase
      where s.setrole = r.oid order by d.datname nulls first
    ) as settings,
    (select count(*)::int from pg_largeobject_metadata l where l.lomowner = r.oid) as large_objects,
    array(
      select coalesce(pg_describe_object(d.classid, d.objid, d.objsubid), 'an object of another database')
      from pg_shdepend d
      where d.refclassid = 'pg_authid'::regclass and d.refobjid = r.oid and d.deptype = 'o'
        and d.classid <> 'pg_largeobject'::regclass
        and d.dbid in (0, (select oid from pg_database where datname = current_database()))
    ) as owned
  from pg_roles r where r.rolname = $1`;

export async function hasRole(client: Client, name: string): Promise<boolean> {
  const { rows } = await client.query('select from pg_roles where rolname = $1', [name]);
  return rows.length > 0;
}

export interface OwnedObjects {
  /** What a role owns in this database, which it should not, apart from large objects. */
  readonly owned: readonly string[];
  /** Any role can make some, which nobody else can reach. */
  readonly largeObjects: number;
}

export async function findOwned(client: Client, name: string): Promise<OwnedObjects> {
  const { rows } = await client.query<{ owned: string[]; large_objects: number }>(DESCRIBE_ROLE, [name]);
  return { owned: rows[0]?.owned ?? [], largeObjects: rows[0]?.large_objects ?? 0 };
}

interface RoleSettings {
  /** Null for all databases. */
  readonly database: string | null;
  readonly settings: readonly string[];
}

/** How the role differs from one that may log in, and nothing else. */
export async function planRole(client: Client, wanted: WantedRole): Promise<Change[]> {
  const { name, connectionLimit, verifier, isOfOneTenant } = wanted;
  const role = quoteName(name);
  const password = verifier === undefined ? '' : ` password ${escapeLiteral(verifier)}`;
  const { rows } = await client.query(DESCRIBE_ROLE, [name]);
  const [found] = rows;
  if (found === undefined) {
    const attributes = ATTRIBUTES.map(([, , attribute]) => attribute.toLowerCase()).join(' ');
    const statement = `create role ${role} ${attributes} connection limit ${connectionLimit}${password}`;
    return [{ description: `role ${role}: created`, statement }];
  }
  const alter = (what: string, clause: string): Change => ({
    description: `role ${role}: ${what}`,
    statement: `alter role ${role}${clause}`,
  });
  return [
    ...ATTRIBUTES.filter(([column, wanted]) => found[column] !== wanted).map(([, , attribute]) =>
      FOR_A_PERSON.has(attribute)
        ? { description: `role ${role}: should be ${attribute}` }
        : alter(attribute, ` ${attribute.toLowerCase()}`),
    ),
    ...(found.rolconnlimit === connectionLimit
      ? []
      : [alter(`CONNECTION LIMIT ${connectionLimit}`, ` connection limit ${connectionLimit}`)]),
    ...(verifier === undefined ? [] : [alter('password set', password)]),
    ...(isOfOneTenant ? found.settings : []).map(({ database, settings }: RoleSettings) => {
      const where = database === null ? '' : ` in database ${quoteName(database)}`;
      return alter(`settings removed${where}: ${settings.join(', ')}`, `${where} reset all`);
    }),
    ...found.groups.map((group: string) => ({
      description: `role ${role}: no longer a member of ${quoteName(group)}`,
      statement: `revoke ${quoteName(group)} from ${role}`,
    })),
    ...found.owned.map((object: string) => ({ description: `role ${role}: owns ${object}, and should own nothing` })),
  ];
}
