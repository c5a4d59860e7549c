import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StoreUnavailableError } from '@palisade/domain';
import { sql } from 'kysely';
import { Database } from '../src/postgres/connection/database.js';
import { PostgresStore } from '../src/postgres/postgres-store.js';
import { createScratchDatabase, type ScratchDatabase } from './scratch-database.js';
import { TestTenants } from './support/tenancy-samples.js';

describe('a replica that is frozen in the middle of a transaction', () => {
  let scratch: ScratchDatabase;
  let store: PostgresStore;

  beforeAll(async () => {
    scratch = await createScratchDatabase();
    store = new PostgresStore(scratch.url);
    await store.migrate();
  });

  afterAll(async () => {
    await store.close();
    await scratch.drop();
  });

  it('keeps other replicas from changing tenants for a few seconds only', async () => {
    const frozen = new Database(scratch.url);
    const isLocked = Promise.withResolvers<void>();
    const resumed = Promise.withResolvers<void>();
    const transaction = frozen.transaction(async (connection) => {
      await sql`select from registry where name = 'tenants' for update`.execute(connection);
      isLocked.resolve();
      await resumed.promise;
      await sql`select 1`.execute(connection);
    });
    transaction.catch(() => {});
    await isLocked.promise;
    const startedAt = performance.now();

    await expect(new TestTenants(store).register('a', ['-a'])).resolves.toMatchObject({ registered: true });
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    resumed.resolve();
    await expect(transaction).rejects.toThrow(StoreUnavailableError);
    await frozen.close();
  }, 60_000);
});
