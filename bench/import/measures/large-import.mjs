import { join } from 'node:path';
import { startPalisade } from '../../lib/palisade.mjs';
import { withClient } from '../../lib/database.mjs';
import { formatRate } from '../../lib/finding.mjs';
import { progress } from '../../lib/progress.mjs';
import { copyIn, copyOut } from '../copy.mjs';
import { importFile } from '../importer.mjs';
import { writeGroups, writeUsers } from '../input.mjs';

/** What Node.js takes for itself in a container of 512 MiB, the chart's limit; without one the heap grows as it likes. */
const HEAP_OF_A_CONTAINER = '--max-old-space-size=256';

/**
 * Many users and the groups that they are in, beside COPY of the same rows; and what that takes in memory, beside few.
 *
 * @param {import('../run.mjs').Context} context
 * @returns {Promise<import('../../lib/finding.mjs').Finding[]>}
 */
export async function measureLargeImport(context) {
  const { name, users, fewUsers, groups } = context.plan;
  const few = await importInto(context, fewUsers, 0);
  const many = await importInto(context, users, groups);
  const usersPerSecond = users / many.users.seconds;
  const copiedPerSecond = many.stored / many.copySeconds;
  return [
    {
      key: 'import_vs_copy',
      name: `import of ${users} users`,
      ours: formatRate(usersPerSecond),
      beside: `COPY into an equal table ${formatRate(copiedPerSecond)}`,
      value: usersPerSecond / copiedPerSecond,
    },
    {
      key: 'import_users_s',
      name: `import of ${users} users, all of it`,
      ours: formatRate(usersPerSecond),
      beside: '',
      value: many.users.seconds,
      unit: 's',
    },
    {
      key: 'import_groups_s',
      name: `import of ${groups} groups, all of it`,
      ours: formatRate(many.memberships / many.groups.seconds),
      beside: `${many.memberships} memberships`,
      value: many.groups.seconds,
      unit: 's',
    },
    compareMemory({
      key: 'import_cli_memory_growth',
      name: 'peak memory of the command',
      ours: many.users.peakMib,
      beside: [`${fewUsers} users`, few.users.peakMib],
      target: { atMost: 1.25 },
    }),
    compareMemory({
      key: 'import_service_memory_growth',
      name: 'peak memory of the service',
      ours: many.users.serviceMib,
      beside: [`${fewUsers} users`, few.users.serviceMib],
    }),
    compareMemory({
      key: 'import_service_memory_again',
      name: `peak memory of the service, ${users} more`,
      ours: many.again.serviceMib,
      beside: ['before', many.users.serviceMib],
      // With few users, all of it is the time in which it still grows.
      ...(name === 'full' && { target: { atMost: 1.1 } }),
    }),
  ];
}

/**
 * @param {Pick<import('../../lib/finding.mjs').Finding, 'key' | 'name' | 'target'> & {
 *   ours: number,
 *   beside: readonly [string, number],
 * }} comparison in MiB
 * @returns {import('../../lib/finding.mjs').Finding}
 */
function compareMemory({ ours, beside: [name, mib], ...line }) {
  return { ...line, ours: `${ours.toFixed(0)} MiB`, beside: `${name} ${mib.toFixed(0)} MiB`, value: ours / mib };
}

/**
 * Into a service and a database of their own.
 *
 * @param {import('../run.mjs').Context} context @param {number} users @param {number} groups
 */
async function importInto({ workspace, databases }, users, groups) {
  const databaseUrl = await databases.createDatabase();
  const service = await startPalisade(workspace, databaseUrl, { NODE_OPTIONS: HEAP_OF_A_CONTAINER });
  progress(`importing ${users} users`);
  const path = await writeUsers(workspace, `n${users}`, users);
  const imported = await importFile(service, 'users', path);
  progress(`importing ${users} more`);
  const again = await importFile(service, 'users', await writeUsers(workspace, `more${users}`, users));
  const { path: groupsPath, memberships } = await writeGroups(workspace, `n${users}`, users, groups);
  progress(`importing ${groups} groups with ${memberships} memberships`);
  const importedGroups = await importFile(service, 'groups', groupsPath);
  progress('copying the same rows');
  const copySeconds = await measureCopy(databaseUrl, join(workspace.directory, 'rows'));
  const stored = 2 * users;
  await expectCounts(databaseUrl, { users: stored, groups, memberships });
  await service.stop();
  return { users: imported, again, stored, groups: importedGroups, memberships, copySeconds };
}

/** The same users into a table with the same columns and indexes. @param {string} url @param {string} path */
function measureCopy(url, path) {
  return withClient(url, async (client) => {
    const { rows } = await client.query(`
      select string_agg(quote_ident(column_name), ', ' order by ordinal_position) as columns
      from information_schema.columns
      where table_schema = current_schema and table_name = 'resources' and is_generated = 'NEVER' and is_identity = 'NO'`);
    const [{ columns }] = rows;
    await copyOut(client, `select ${columns} from resources where resource_type = 'User' order by sequence`, path);
    await client.query('create table copied (like resources including all)');
    const startedAt = performance.now();
    await copyIn(client, `copied (${columns})`, path);
    const seconds = (performance.now() - startedAt) / 1000;
    await client.query('drop table copied');
    return seconds;
  });
}

/** @param {string} url @param {{ users: number, groups: number, memberships: number }} expected */
async function expectCounts(url, expected) {
  const { rows } = await withClient(url, (client) =>
    client.query(`
      select (count(*) filter (where resource_type = 'User'))::int as users,
        (count(*) filter (where resource_type = 'Group'))::int as groups,
        (select count(*)::int from memberships) as memberships
      from resources`),
  );
  const [found, wanted] = [rows[0], expected].map((counts) => JSON.stringify(counts));
  if (found !== wanted) {
    throw new Error(`expected ${wanted} in the database, found ${found}`);
  }
}
