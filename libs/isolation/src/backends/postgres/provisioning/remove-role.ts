import type { Client } from 'pg';
import { RowLevelSecurityError } from '../postgres.errors.js';
import { findOwned, hasRole } from './plan-role.js';
import type { ProvisionedTable } from './plan-tables.js';
import { quoteName } from './change.js';

/** How long a connection of the role may take to end. */
const TERMINATE_TIMEOUT_MS = 10_000;

/** Lets nobody log in as the role any more, and ends those who have. Holds from here on, whatever follows. */
export async function lockOut(client: Client, role: string): Promise<void> {
  const name = quoteName(role);
  await client.query(`alter role ${name} nologin`);
  // Ending a role's connections, and acting as it, takes membership of all but superusers.
  await client.query(`grant ${name} to current_user`);
  await client.query('select pg_terminate_backend(pid, $2) from pg_stat_activity where usename = $1', [
    role,
    TERMINATE_TIMEOUT_MS,
  ]);
}

/**
 * Removes the role with its privileges and large objects; resolves to how many of those there were.
 *
 * @throws {RowLevelSecurityError} when it owns anything else, which nobody should lose unknowingly
 */
export async function dropRole(client: Client, role: string): Promise<number> {
  const { owned, largeObjects } = await findOwned(client, role);
  if (owned.length > 0) {
    throw new RowLevelSecurityError(owned.map((object) => `role ${role}: owns ${object}, and should own nothing`));
  }
  await client.query(`drop owned by ${quoteName(role)}`);
  await client.query(`drop role ${quoteName(role)}`);
  return largeObjects;
}

/**
 * Does work as a role, whom the policies show its rows, with what that takes; the privileges and, when there was none, the
 * role are gone with {@link dropRole} or here.
 */
export async function actAs<T>(
  client: Client,
  role: string,
  tables: readonly ProvisionedTable[],
  work: () => Promise<T>,
): Promise<T> {
  const name = quoteName(role);
  const isThere = await hasRole(client, role);
  if (!isThere) {
    await client.query(`create role ${name} nologin`);
    await client.query(`grant ${name} to current_user`);
  }
  for (const { name: table, schema } of tables) {
    await client.query(`grant usage on schema ${schema} to ${name}; grant select, delete on table ${table} to ${name}`);
  }
  await client.query(`set local role ${name}`);
  const result = await work();
  await client.query('reset role');
  if (!isThere) {
    await dropRole(client, role);
  }
  return result;
}

/** Deletes the rows with a value of the tenant column, of all tables at once, so that it does not matter which refer to which. */
export async function deleteRows(
  client: Client,
  tables: readonly ProvisionedTable[],
  tenantColumn: string,
  value: string,
): Promise<number> {
  const deletions = tables.map(
    ({ name }, index) => `d${index} as (delete from ${name} where ${quoteName(tenantColumn)} = $1 returning 1)`,
  );
  const counts = tables.map((_, index) => `(select count(*) from d${index})`);
  const text = `with ${deletions.join(', ')} select (${counts.join(' + ')})::int8::text as rows`;
  const { rows } = await client.query<{ rows: string }>(text, [value]);
  return Number(rows[0]?.rows ?? 0);
}
