import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StoreUnavailableError, parseProviderId, type StoredUser } from '@palisade/domain';
import { sql } from 'kysely';
import { Client } from 'pg';
import { Database } from '../src/postgres/connection/database.js';
import { PostgresStore } from '../src/postgres/postgres-store.js';
import { createProvider } from './support/provider-samples.js';
import { freshProvider } from './support/store-harness.js';
import { createScratchDatabase, type ScratchDatabase } from './scratch-database.js';

const PROVIDER = parseProviderId('p1');

function findUser(store: PostgresStore): Promise<StoredUser | undefined> {
  return store.directory.find(PROVIDER, 'User', 'u1');
}

async function sleepInDatabase(database: Database, seconds: number): Promise<void> {
  await database.run((connection) => sql`select pg_sleep(${seconds})`.execute(connection));
}

describe('postgres store in trouble', () => {
  let scratch: ScratchDatabase;
  let admin: Client;

  beforeAll(async () => {
    scratch = await createScratchDatabase();
    admin = new Client({ connectionString: scratch.url });
    await admin.connect();
    const store = new PostgresStore(scratch.url);
    await store.migrate();
    await store.close();
  });

  afterAll(async () => {
    await admin.end();
    await scratch.drop();
  });

  /** Ends the sessions of one application, as an administrator or a restart does. */
  async function terminate(applicationName: string): Promise<void> {
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
      applicationName,
    ]);
  }

  async function waitForSession(applicationName: string, state: string): Promise<void> {
    for (;;) {
      const { rowCount } = await admin.query(
        'select from pg_stat_activity where application_name = $1 and state = $2',
        [applicationName, state],
      );
      if (rowCount) {
        return;
      }
      await setTimeout(10);
    }
  }

  it('works again by itself after its idle connections were ended', async () => {
    const lost: string[] = [];
    const store = new PostgresStore(scratch.url, {
      applicationName: 'idle',
      onConnectionLost: (error) => lost.push(error.message),
    });
    await findUser(store);

    await terminate('idle');
    while (lost.length === 0) {
      await setTimeout(10);
    }

    await expect(findUser(store)).resolves.toBeUndefined();
    await store.close();
  });

  it('is unavailable when its connection is ended in the middle of a statement', async () => {
    const database = new Database(scratch.url, { applicationName: 'busy' });
    const sleeping = sleepInDatabase(database, 30);
    sleeping.catch(() => {});
    await waitForSession('busy', 'active');

    await terminate('busy');

    await expect(sleeping).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', cause: { code: '57P01' } });
    await database.close();
  });

  it('is unavailable when its connection is ended between the statements of a transaction', async () => {
    const database = new Database(scratch.url, { applicationName: 'between' });
    const transaction = database.transaction(async (connection) => {
      await sql`select 1`.execute(connection);
      await waitForSession('between', 'idle in transaction');
      await terminate('between');
      while ((await admin.query(`select from pg_stat_activity where application_name = 'between'`)).rowCount) {
        await setTimeout(10);
      }
      await sql`select 2`.execute(connection);
    });

    await expect(transaction).rejects.toThrow(StoreUnavailableError);
    await expect(sleepInDatabase(database, 0)).resolves.toBeUndefined();
    await database.close();
  });

  it('is unavailable when no connection comes free in time', async () => {
    const database = new Database(scratch.url, { maxConnections: 1, acquireTimeoutMs: 1000 });
    const sleeping = sleepInDatabase(database, 2);

    await expect(sleepInDatabase(database, 0)).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      retryAfterSeconds: 1,
    });
    await sleeping;
    await expect(sleepInDatabase(database, 0)).resolves.toBeUndefined();
    await database.close();
  });

  it('finishes what was begun before it is closed, also what still waits for a connection', async () => {
    const database = new Database(scratch.url, { maxConnections: 1 });
    const begun = [sleepInDatabase(database, 0.2), sleepInDatabase(database, 0)];

    await database.close();

    expect((await Promise.allSettled(begun)).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    await expect(sleepInDatabase(database, 0)).rejects.toThrow(StoreUnavailableError);
  });

  it('is unavailable when a statement takes too long', async () => {
    const database = new Database(scratch.url, { statementTimeoutMs: 50 });

    await expect(sleepInDatabase(database, 30)).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      cause: { code: '57014' },
    });
    await database.close();
  });

  it('is unavailable while the server has too many connections, and only for those without one', async () => {
    const role = `limited_${scratch.url.slice(-18)}`;
    await admin.query(`create role ${role} login password 'x' connection limit 1`);
    const url = new URL(scratch.url);
    url.username = role;
    url.password = 'x';
    const database = new Database(url.href);

    const results = await Promise.allSettled([sleepInDatabase(database, 3), sleepInDatabase(database, 3)]);

    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'STORE_UNAVAILABLE', cause: { cause: { code: '53300' } } },
    });
    await database.close();
    await admin.query(`drop role ${role}`);
  });

  it('tells since when changes fail for want of disk, and serves reads', async () => {
    await admin.query(`create function disk_full() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
    await admin.query('create trigger disk_full before insert on providers execute function disk_full()');
    const store = new PostgresStore(scratch.url);
    expect(store.writesFailingSince()).toBeUndefined();

    await expect(createProvider(store, freshProvider())).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      retryAfterSeconds: 2,
      cause: { code: '53100' },
    });
    expect(store.writesFailingSince()).toBeInstanceOf(Date);
    await expect(store.check()).resolves.toBeUndefined();
    await expect(findUser(store)).resolves.toBeUndefined();
    await store.close();
    await admin.query('drop function disk_full cascade');
  });

  it('is unavailable when there is no server', async () => {
    const store = new PostgresStore('postgres://palisade:secret@127.0.0.1:1/palisade');

    await expect(findUser(store)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', retryAfterSeconds: 2 });
    await expect(store.check()).rejects.toThrow(StoreUnavailableError);
    await expect(store.migrate()).rejects.toThrow(StoreUnavailableError);
    await store.close();
  });

  it('repeats a transaction that lost a deadlock, so that both take effect', async () => {
    await admin.query('create table counters (id integer primary key, value integer not null)');
    await admin.query('insert into counters values (1, 0), (2, 0)');
    const database = new Database(scratch.url);
    const attempts = { first: 0, second: 0 };
    const increment = (name: keyof typeof attempts, ids: readonly number[]): Promise<void> =>
      database.transaction(async (connection) => {
        attempts[name] += 1;
        for (const id of ids) {
          await sql`update counters set value = value + 1 where id = ${id}`.execute(connection);
          // Long enough for the other transaction to take its first row.
          await setTimeout(200);
        }
      });

    await Promise.all([increment('first', [1, 2]), increment('second', [2, 1])]);

    const { rows } = await admin.query('select value from counters order by id');
    expect(rows).toEqual([{ value: 2 }, { value: 2 }]);
    expect(attempts.first + attempts.second).toBe(3);
    await database.close();
  });
});
