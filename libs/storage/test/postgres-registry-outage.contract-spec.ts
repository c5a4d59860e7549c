import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StoreUnavailableError, type Store } from '@palisade/domain';
import { Client } from 'pg';
import { PostgresStore } from '../src/postgres/postgres-store.js';
import { createScratchDatabase, type ScratchDatabase } from './scratch-database.js';
import { changeAt } from './support/store-harness.js';
import { TestTenants, recordOf, freshProxyId, proxyDraft } from './support/tenancy-samples.js';

/** What is left of a change whose connection breaks in the middle of it. */
describe('registry and log of a postgres store in trouble', () => {
  let database: ScratchDatabase;
  let store: Store;
  let admin: Client;
  /** Another session: within a transaction one sees who is active only as it was at its first look. */
  let locker: Client;

  beforeAll(async () => {
    database = await createScratchDatabase();
    store = new PostgresStore(database.url, { applicationName: 'victim' });
    await store.migrate();
    admin = new Client({ connectionString: database.url });
    locker = new Client({ connectionString: database.url });
    await Promise.all([admin.connect(), locker.connect()]);
  });

  afterAll(async () => {
    await Promise.all([admin.end(), locker.end()]);
    await store.close();
    await database.drop();
  });

  /** Lets a change come as far as to its record in the log, and ends its session there. */
  async function interrupt(change: () => Promise<unknown>): Promise<unknown> {
    await locker.query('begin');
    await locker.query('lock table log_unsealed in share mode');
    const outcome = change().catch((error: unknown) => error);
    await waitForBlockedSession();
    await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'victim'`);
    await locker.query('commit');
    return outcome;
  }

  async function waitForBlockedSession(): Promise<void> {
    const blocked = `select from pg_stat_activity where application_name = 'victim' and wait_event_type = 'Lock'`;
    while ((await admin.query(blocked)).rowCount === 0) {
      await setTimeout(10);
    }
  }

  it('leaves nothing of a registration that was interrupted, and can repeat it', async () => {
    const tenants = new TestTenants(store);
    const before = await store.tenants.revision();

    expect(await interrupt(() => tenants.register('a', ['-*']))).toBeInstanceOf(StoreUnavailableError);

    expect(await tenants.find('a')).toBeUndefined();
    expect(await store.tenants.revision()).toBe(before);
    expect(await tenants.register('b', ['-x'])).toMatchObject({ registered: true });
    expect(await tenants.records('a')).toEqual([]);
  });

  it('leaves a tenant as it was whose replacement or removal was interrupted', async () => {
    const tenants = new TestTenants(store);
    const { tenant } = await tenants.register('a', ['-a']);

    expect(await interrupt(() => tenants.replace('a', ['-b']))).toBeInstanceOf(StoreUnavailableError);
    expect(await interrupt(() => tenants.remove('a'))).toBeInstanceOf(StoreUnavailableError);

    expect(await tenants.find('a')).toEqual(tenant);
    await expect(tenants.register('b', ['-a'])).rejects.toMatchObject({ code: 'NAMESPACE_OVERLAP' });
  });

  it('leaves nothing of a proxy and of records whose storing was interrupted', async () => {
    const id = freshProxyId();
    const before = await store.log.unsealed();

    const put = (): Promise<unknown> => store.proxies.put(id, 'registration', proxyDraft(), changeAt(0));
    expect(await interrupt(put)).toBeInstanceOf(StoreUnavailableError);
    expect(await interrupt(() => store.log.append([recordOf()]))).toBeInstanceOf(StoreUnavailableError);

    expect(await store.proxies.find(id)).toBeUndefined();
    expect(await store.log.unsealed()).toEqual(before);
  });

  it('is unavailable for every kind of operation when there is no server', async () => {
    const away = new PostgresStore('postgres://palisade:secret@127.0.0.1:1/palisade');

    for (const operation of [
      () => away.tenants.changesSince(0, 1),
      () => away.leases.acquire('leader', 'a', 1000),
      () => away.operations.statuses(),
      () => away.proxies.list(),
      () => away.log.append([recordOf()]),
    ]) {
      await expect(operation()).rejects.toThrow(StoreUnavailableError);
    }
    await away.close();
  });
});
