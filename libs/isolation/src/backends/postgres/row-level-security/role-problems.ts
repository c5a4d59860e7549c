import type { TenantId } from '@palisade/domain';
import type { Client } from 'pg';
import { RowLevelSecurityError } from '../postgres.errors.js';
import { roleOf, type RowLevelSecuritySeparation } from '../separation.js';

/**
 * What a login role may be or become that policies do not bind, or that can make itself such a role. `member` counts
 * memberships that are not in effect as well, because their holder may put them into effect.
 */
const DESCRIBE_ROLE = `
  select r.rolname as role, r.rolsuper as is_superuser,
    array(
      select m.rolname || ' (' || concat_ws(', ',
        case when m.rolsuper then 'superuser' end,
        case when m.rolbypassrls then 'BYPASSRLS' end,
        case when m.rolcreaterole then 'CREATEROLE' end,
        case when m.rolreplication then 'REPLICATION' end,
        case when m.rolname = any($2::text[]) then 'files and programs of the server' end) || ')'
      from pg_roles m
      where pg_has_role(r.oid, m.oid, 'member')
        and (m.rolsuper or m.rolbypassrls or m.rolcreaterole or m.rolreplication or m.rolname = any($2::text[]))
      order by m.rolname
    )::text[] as privileged,
    array(
      select c.oid::regclass::text from pg_class c
      where c.oid = any(array(select to_regclass(name)::oid from unnest($1::text[]) as name))
        and pg_has_role(r.oid, c.relowner, 'member')
      order by 1
    ) as owned
  from pg_roles r where r.rolname = current_user`;

const SERVER_ACCESS_ROLES = ['pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program'];

/** Why policies would not bind the role that the client has logged in as. The tables exist. */
export async function findRoleProblems(
  client: Client,
  tables: readonly string[],
  expectedRole: string | undefined,
): Promise<string[]> {
  const { rows } = await client.query(DESCRIBE_ROLE, [tables, SERVER_ACCESS_ROLES]);
  const { role, is_superuser: isSuperuser, privileged, owned } = rows[0];
  const problems: string[] = [];
  if (expectedRole !== undefined && role !== expectedRole) {
    problems.push(`role ${role}: expected ${expectedRole}, the role of the tenant`);
  }
  if (isSuperuser) {
    return [...problems, `role ${role}: is a superuser, which no policy binds`];
  }
  for (const other of privileged) {
    problems.push(`role ${role}: is, or is a member of, ${other}`);
  }
  for (const table of owned) {
    problems.push(`role ${role}: owns ${table}, or is a member of its owner, who can change its policies`);
  }
  return problems;
}

/**
 * Asks, for each new connection, what may have changed since the preflight, and what depends on credentials: that policies
 * bind the role and that it is the tenant's.
 *
 * @throws {RowLevelSecurityError}
 */
export async function checkLogin(
  client: Client,
  tenantId: TenantId,
  separation: RowLevelSecuritySeparation,
): Promise<void> {
  const expectedRole = separation.mode === 'role' ? roleOf(tenantId, separation.rolePrefix) : undefined;
  const problems = await findRoleProblems(client, separation.tables, expectedRole);
  if (problems.length > 0) {
    throw new RowLevelSecurityError(problems);
  }
}
