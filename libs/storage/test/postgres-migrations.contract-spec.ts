import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { PostgresStore } from '../src/postgres/postgres-store.js';
import { createScratchDatabase, type ScratchDatabase } from './scratch-database.js';

describe('migrations of the postgres store', () => {
  let database: ScratchDatabase;

  beforeEach(async () => {
    database = await createScratchDatabase();
  });

  afterEach(async () => {
    await database.drop();
  });

  async function query(statement: string): Promise<unknown[]> {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    try {
      return (await client.query(statement)).rows;
    } finally {
      await client.end();
    }
  }

  it('are run once by four processes that start at the same time', async () => {
    const stores = Array.from({ length: 4 }, () => new PostgresStore(database.url));

    await Promise.all(stores.map((store) => store.migrate()));

    expect(await query('select name from directory_migrations order by name')).toEqual([
      { name: '0001-directory' },
      { name: '0002-control-plane' },
      { name: '0003-version-epoch' },
      { name: '0004-one-log' },
      { name: '0005-proxy-owner' },
      { name: '0006-attributes-bytes' },
      { name: '0007-suspended-bindings' },
      { name: '0008-proxy-reports' },
      { name: '0009-caps-and-usage' },
      { name: '0010-log-spans' },
      { name: '0011-former-trails' },
      { name: '0012-tenant-limits' },
    ]);
    await Promise.all(stores.map((store) => store.check()));
    await Promise.all(stores.map((store) => store.close()));
  });

  it('are demanded by the check', async () => {
    const store = new PostgresStore(database.url);

    await expect(store.check()).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      cause: { message: 'the database schema lacks "0012-tenant-limits", run the migrations first' },
    });
    await store.close();
  });

  it('leave a schema alone that a later version has brought further', async () => {
    const store = new PostgresStore(database.url);
    await store.migrate();
    await query(`insert into directory_migrations (name, timestamp) values ('9999-later', '2026-01-01')`);

    await expect(store.migrate()).resolves.toBeUndefined();
    await expect(store.check()).resolves.toBeUndefined();
    await store.close();
  });
});
