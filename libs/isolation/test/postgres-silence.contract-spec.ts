import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import type { Client } from 'pg';
import { PostgresDriver } from '../src/backends/postgres/postgres-driver.js';
import { withSilenceLimit } from '../src/backends/postgres/silence.js';
import { ServerObserver } from './support/postgres-server.js';

const ACME = parseNamespaceId('acme');
const SILENCE_MS = 1000;

let server: ServerObserver;
const children: ChildProcess[] = [];

beforeAll(async () => {
  server = await ServerObserver.connect();
});

afterEach(() => {
  children.splice(0).forEach((child) => child.kill('SIGKILL'));
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

function createDriver(): PostgresDriver {
  return new PostgresDriver({ config: server.config, silenceMs: SILENCE_MS, statementTimeoutMs: 2000 });
}

function connect(driver: PostgresDriver): Promise<Client> {
  return driver.connect(ACME, new AbortController().signal);
}

/** A process with one connection that has sent a statement. */
async function spawnClient(statement: string): Promise<ChildProcess> {
  const config = withSilenceLimit({ ...server.config, statement_timeout: 2000 }, SILENCE_MS);
  const program = `
    import pg from 'pg';
    const client = new pg.Client(${JSON.stringify(config)});
    client.on('error', () => {});
    await client.connect();
    client.query(${JSON.stringify(statement)}).catch(() => {});
    process.send('sent');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  children.push(child);
  await once(child, 'message');
  return child;
}

describe(`${PostgresDriver.name} with a limit on silence`, () => {
  it('sets what the server needs, beside options that there are, and keeps it when a lease ends', async () => {
    const driver = new PostgresDriver({
      config: { ...server.config, options: '-c work_mem=3MB' },
      silenceMs: SILENCE_MS,
      statementTimeoutMs: 2000,
    });
    const client = await connect(driver);
    await client.query('set idle_session_timeout = 0');
    await driver.reset(client);
    const names = ['idle_session_timeout', 'idle_in_transaction_session_timeout', 'client_connection_check_interval'];
    const { rows } = await client.query('select name, setting from pg_settings where name = any($1) order by 1', [
      [...names, 'work_mem'],
    ]);
    expect(rows.map(({ setting }) => setting)).toEqual(['1000', '1000', '1000', '3072']);
    expect(driver.holdMs).toBe(3000);
    expect(new PostgresDriver({ config: server.config }).holdMs).toBeUndefined();
    await driver.close(client);
  });

  it('lets the server hear of a connection that is kept, also in a transaction', async () => {
    const driver = createDriver();
    const [idle, busy] = await Promise.all([connect(driver), connect(driver)]);
    await busy.query('begin');
    // Longer than the server waits.
    await sleep(3 * SILENCE_MS);
    await expect(idle.query('select 1')).resolves.toMatchObject({ rowCount: 1 });
    await expect(busy.query('commit')).resolves.toBeDefined();
    await Promise.all([driver.close(idle), driver.close(busy)]);
  });

  it.each([
    ['idle', 'select 1'],
    ['in a transaction', 'begin'],
    ['within a statement', 'select pg_sleep(1)'],
    ['with an answer that it does not read', "select repeat('x', 1000) from generate_series(1, 1000000)"],
  ])('has the server close the connection of a process that was stopped %s', async (_, statement) => {
    const child = await spawnClient(statement);
    child.kill('SIGSTOP');
    expect(await server.countConnections()).toBe(1);
    while ((await server.countConnections()) > 0) {
      await sleep(100);
    }
    child.kill('SIGCONT');
  });

  it('has the server notice within a statement that a process was killed', async () => {
    const child = await spawnClient('set statement_timeout = 0; select pg_sleep(3600)');
    expect(await server.countConnections()).toBe(1);
    child.kill('SIGKILL');
    while ((await server.countConnections()) > 0) {
      await sleep(100);
    }
  });
});
