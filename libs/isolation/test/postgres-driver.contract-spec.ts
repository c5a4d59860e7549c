import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import type { Client } from 'pg';
import { PostgresDriver, type PostgresDriverOptions } from '../src/backends/postgres/postgres-driver.js';
import { ServerObserver } from './support/postgres-server.js';

const ACME = parseNamespaceId('acme');

let server: ServerObserver;

beforeAll(async () => {
  server = await ServerObserver.connect();
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

async function connect(options: Partial<PostgresDriverOptions> = {}): Promise<{
  readonly driver: PostgresDriver;
  readonly client: Client;
}> {
  const driver = new PostgresDriver({ config: server.config, ...options });
  return { driver, client: await driver.connect(ACME, new AbortController().signal) };
}

async function firstRow(client: Client, statement: string): Promise<unknown> {
  const { rows } = await client.query(statement);
  return rows[0];
}

describe(PostgresDriver.name, () => {
  it('discards what a lease has set, prepared, created, listened to and locked', async () => {
    const { driver, client } = await connect();
    await client.query("set work_mem = '3MB'");
    await client.query('create temporary table scratch (id int)');
    await client.query('listen news');
    await client.query('select pg_advisory_lock(42)');
    await client.query({ name: 'mine', text: 'select 1' });
    await driver.reset(client);
    expect(
      await firstRow(
        client,
        `select current_setting('work_mem') = '3MB' as setting,
                to_regclass('pg_temp.scratch') as table,
                (select count(*)::int from pg_listening_channels()) as channels,
                (select count(*)::int from pg_prepared_statements) as statements,
                (select count(*)::int from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as locks`,
      ),
    ).toEqual({ setting: false, table: null, channels: 0, statements: 0, locks: 0 });
    await driver.close(client);
  });

  it('prepares a statement again after it was discarded', async () => {
    const { driver, client } = await connect();
    const statement = { name: 'answer', text: 'select 42 as answer' };
    await client.query(statement);
    await driver.reset(client);
    expect((await client.query(statement)).rows).toEqual([{ answer: 42 }]);
    await driver.close(client);
  });

  it('removes the listeners for notifications that a lease has left', async () => {
    const { driver, client } = await connect();
    client.on('notification', () => {});
    await driver.reset(client);
    expect(client.listenerCount('notification')).toBe(0);
    await driver.close(client);
  });

  it('does not clean connections whose session state is trusted', async () => {
    const { driver, client } = await connect({ sessionState: 'trust' });
    expect(driver.reset(client)).toBeUndefined();
    await driver.close(client);
  });

  it('leases a trusted connection again after a statement has failed', async () => {
    const { driver, client } = await connect({ sessionState: 'trust' });
    await client.query('select 1/0').catch(() => {});
    await driver.reset(client);
    expect(driver.isUsable(client)).toBe(true);
    await driver.close(client);
  });

  it('rejects a trusted connection on which a statement has failed in a transaction', async () => {
    const { driver, client } = await connect({ sessionState: 'trust' });
    await client.query('begin; select 1/0').catch(() => {});
    await expect(driver.reset(client)).rejects.toThrow('the connection was left in a transaction');
    await driver.close(client);
  });

  it('leases no connection with an open transaction', async () => {
    const { driver, client } = await connect();
    await client.query('begin');
    expect(driver.isUsable(client)).toBe(false);
    await driver.close(client);
  });

  it('refuses to clean a connection with an open transaction', async () => {
    const { driver, client } = await connect();
    await client.query('begin');
    await expect(driver.reset(client)).rejects.toThrow('cannot run inside a transaction block');
    await driver.close(client);
  });

  it('leases no connection on which a statement is running', async () => {
    const { driver, client } = await connect();
    const running = client.query('select pg_sleep(10)');
    running.catch(() => {});
    expect(driver.isUsable(client)).toBe(false);
    await driver.close(client);
    await expect(running).rejects.toThrow();
  });

  it('has the server stop a statement that was running', async () => {
    const { driver, client } = await connect();
    client.query('select pg_sleep(10)').catch(() => {});
    await driver.close(client);
    await server.waitForNone(1000);
    expect(await server.countConnections()).toBe(0);
  });

  it('leases a connection on which a statement has failed outside a transaction', async () => {
    const { driver, client } = await connect();
    await client.query('select 1/0').catch(() => {});
    expect(driver.isUsable(client)).toBe(true);
    await driver.close(client);
  });
});
