import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { findFreePorts } from '../../scripts/lib/test-services/free-ports.mjs';

const USERS = ['quiet', 'noisy'];
const START_TIMEOUT_MS = 10_000;

/** It refuses to run as root. */
const UNPRIVILEGED_ID = 65_534;

/**
 * PgBouncer between two users, `quiet` and `noisy`, and one database, with a cap on the connections to it.
 *
 * @param {import('../lib/workspace.mjs').Workspace} workspace
 * @param {{ databaseUrl: string, maxConnections: number }} options
 * @returns undefined when there is no `pgbouncer` in PATH
 */
export async function startPgBouncer(workspace, { databaseUrl, maxConnections }) {
  const { stdout, error } = spawnSync('pgbouncer', ['--version'], { encoding: 'utf8' });
  if (error !== undefined) {
    return undefined;
  }
  const password = randomBytes(12).toString('hex');
  await createUsers(workspace, databaseUrl, password);
  const [port] = await findFreePorts(1);
  const directory = writeConfiguration(workspace, { databaseUrl, maxConnections, password, port });
  const isRoot = process.getuid?.() === 0;
  const account = isRoot ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } : {};
  const child = spawn('pgbouncer', [join(directory, 'pgbouncer.ini')], { stdio: 'ignore', ...account });
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const exit = once(child, 'exit');
      child.kill('SIGINT');
      await exit;
    }
  };
  workspace.defer(stop);
  const connect = (/** @type {string} */ user) => connectAs(workspace, { user, password, port });
  await untilReady(connect);
  return { version: stdout.split('\n', 1)[0], connect, stop };
}

/** @param {import('../lib/workspace.mjs').Workspace} workspace @param {string} databaseUrl @param {string} password */
async function createUsers(workspace, databaseUrl, password) {
  const execute = async (/** @type {string} */ statements) => {
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query(statements);
    await client.end();
  };
  const drop = USERS.map((name) => `drop role if exists ${name};`).join('');
  const create = USERS.map((name) => `create role ${name} login password '${password}';`).join('');
  await execute(drop + create);
  workspace.defer(() => execute(drop));
}

/** @param {import('../lib/workspace.mjs').Workspace} workspace */
function writeConfiguration(workspace, { databaseUrl, maxConnections, password, port }) {
  const { hostname, port: serverPort, pathname } = new URL(databaseUrl);
  const directory = join(workspace.directory, 'pgbouncer');
  mkdirSync(directory);
  chmodSync(directory, 0o755);
  const users = join(directory, 'users.txt');
  writeFileSync(users, USERS.map((name) => `"${name}" "${password}"\n`).join(''));
  writeFileSync(
    join(directory, 'pgbouncer.ini'),
    [
      '[databases]',
      `bench = host=${hostname} port=${serverPort || 5432} dbname=${pathname.slice(1)}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = plain',
      `auth_file = ${users}`,
      'pool_mode = transaction',
      `default_pool_size = ${maxConnections}`,
      `max_db_connections = ${maxConnections}`,
      '',
    ].join('\n'),
  );
  return directory;
}

/** @param {import('../lib/workspace.mjs').Workspace} workspace */
async function connectAs(workspace, { user, password, port }) {
  const client = new Client({ host: '127.0.0.1', port, database: 'bench', user, password });
  client.on('error', () => {}); // it ends before its clients
  await client.connect();
  workspace.defer(() => client.end());
  return client;
}

/** @param {(user: string) => Promise<import('pg').Client>} connect */
async function untilReady(connect) {
  const deadline = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      const client = await connect('quiet');
      await client.query('select 1');
      return;
    } catch (error) {
      if (performance.now() > deadline) {
        throw new Error('pgbouncer did not start', { cause: error });
      }
      await sleep(50);
    }
  }
}

/** A port that was free a moment ago. @returns {Promise<number>} */
