import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parseTenantId, type LogVerdict, type Store } from '@palisade/domain';
import { Client } from 'pg';
import { PostgresStore } from '../src/postgres/postgres-store.js';
import { createScratchDatabase, type ScratchDatabase } from './scratch-database.js';
import { listSealed, readAll, sealAll, verifyAll } from './support/log-harness.js';
import { changeAt } from './support/store-harness.js';
import { TestDirectory } from './support/test-directory.js';
import { freshProxyId, proxyDraft, recordOf, tenantDraft } from './support/tenancy-samples.js';

const TIMEOUT_MS = 180_000;

/** What several processes do to one log at the same time, and what somebody does to it behind their backs. */
describe('log of two postgres stores', () => {
  let database: ScratchDatabase;
  let stores: readonly [Store, Store];
  let client: Client;

  beforeAll(async () => {
    database = await createScratchDatabase();
    stores = [new PostgresStore(database.url), new PostgresStore(database.url)];
    await stores[0].migrate();
    client = new Client({ connectionString: database.url });
    await client.connect();
  });

  afterAll(async () => {
    await client.end();
    await Promise.all(stores.map((store) => store.close()));
    await database.drop();
  });

  function storeOf(index: number): Store {
    return stores[index % 2] ?? stores[0];
  }

  it(
    'gives each change one position while two seal, without gap or fork',
    async () => {
      const proxies = Array.from({ length: 5 }, freshProxyId);
      const change = changeAt(0);
      const writing = new AbortController();
      const sealers = stores.map(async (store) => {
        while (!writing.signal.aborted) {
          await store.log.seal();
        }
      });

      await Promise.all(
        Array.from({ length: 40 }, (_, i) => [
          storeOf(i).tenants.register(parseTenantId(`t-${i}`), 'api', tenantDraft([`t-${i}`]), change),
          storeOf(i).log.append([recordOf(), recordOf()]),
          new TestDirectory(storeOf(i)).createUser('ann'),
          ...proxies.map((id) => storeOf(i).proxies.put(id, 'registration', proxyDraft({ weight: i + 1 }), change)),
          storeOf(i).proxies.observe(
            proxies.map((id) => ({ id, health: i % 3 === 0 ? 'healthy' : 'unhealthy', at: change.at })),
            change,
          ),
        ]).flat(),
      );
      writing.abort();
      await Promise.all(sealers);
      await sealAll(stores[0]);

      const all = await readAll(stores[1]);
      const { head } = await stores[1].log.ends();
      expect(await verifyAll(stores[1])).toEqual({ isValid: true, records: all.length, head });
      expect(all.map(({ position }) => position)).toEqual(all.map((_, index) => index + 1));
      expect(all.filter(({ action }) => action === 'tenant.register')).toHaveLength(40);
      expect(all.filter(({ action }) => action === 'user.create')).toHaveLength(40);
      expect(all.filter(({ result }) => result === 'denied')).toHaveLength(80);
    },
    TIMEOUT_MS,
  );

  it('seals what others have written while a slow transaction goes on, and its records afterwards', async () => {
    const insert = `insert into log_unsealed (scope, at, user_id, action, resource, result)
      values ('control_plane', now(), $1, 'a', 'r', 'success')`;
    await client.query('begin');
    await client.query(insert, ['slow']);
    await stores[0].log.append([recordOf({ userId: 'quick' })]);
    const quick = (await listSealed(stores[0])).at(-1);
    await client.query('commit');
    const slow = (await listSealed(stores[1])).at(-1);

    expect([quick?.userId, slow?.userId]).toEqual(['quick', 'slow']);
    expect(slow?.position).toBe((quick?.position ?? 0) + 1);
    expect(await verifyAll(stores[0])).toMatchObject({ isValid: true });
  });

  it('loses and repeats nothing when the process that seals ends in the middle', async () => {
    await stores[0].log.append(Array.from({ length: 10 }, () => recordOf({ tenantId: 'crash' })));
    const before = await stores[0].log.ends();
    // It waits for the head, with everything else of the statement done or to do.
    await client.query('begin');
    await client.query(`select 1 from log_ends where name = 'head' for update`);
    const sealing = stores[0].log.seal();
    sealing.catch(() => {});
    const waiting = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await client.query(waiting)).rowCount === 0) {
      await new Promise(setImmediate);
    }
    await client.query('rollback');

    await expect(sealing).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(await stores[1].log.ends()).toEqual(before);
    expect(await listSealed(stores[1], { tenantId: 'crash' })).toHaveLength(10);
    expect(await verifyAll(stores[1])).toMatchObject({ isValid: true });
  });

  it('keeps nobody waiting who writes while another holds the head', async () => {
    await client.query('begin');
    await client.query(`select 1 from log_ends for update`);

    await stores[0].log.append([recordOf({ tenantId: 'unhindered' })]);
    await new TestDirectory(stores[0]).createUser('ann');

    await client.query('rollback');
    expect(await listSealed(stores[0], { tenantId: 'unhindered' })).toHaveLength(1);
  });

  it('loses no record that is written while the oldest are removed', async () => {
    await sealAll(stores[0]);
    const before = await stores[0].log.ends();
    const cutOff = new Date('2099-01-01T00:00:00Z');
    const recent = recordOf({ tenantId: 'recent', timestamp: cutOff });

    const removals = stores.map((store) => store.log.removeBefore(cutOff));
    const appends = Array.from({ length: 20 }, (_, i) => storeOf(i).log.append([recent]));
    const [first, second] = await Promise.all(removals);
    await Promise.all(appends);

    expect((first ?? 0) + (second ?? 0)).toBe(before.head.position - before.removed.position);
    expect(await listSealed(stores[0])).toHaveLength(20);
    expect(await verifyAll(stores[0])).toMatchObject({ isValid: true, records: 20 });
  });

  describe('that somebody has changed behind their backs', () => {
    const A = `decode(repeat('aa', 32), 'hex')`;
    const TAMPERING: readonly (readonly [what: string, statement: string, reason: string])[] = [
      ['a value', `update log_records set result = 'success' where position = $1`, 'hash'],
      ['a value that was not there', `update log_records set tenant_id = 'other' where position = $1`, 'hash'],
      ['a scope', `update log_records set scope = 'other' where position = $1`, 'hash'],
      ['a detail', `update log_records set detail = '{"a":7}' where position = $1`, 'hash'],
      ['the time by a millisecond', `update log_records set at = at + '1 ms' where position = $1`, 'hash'],
      ['a record away', 'delete from log_records where position = $1', 'position'],
      ['a hash', `update log_records set hash = ${A} where position = $1`, 'hash'],
      ['a seal', `update log_records set seal = ${A} where position = $1`, 'seal'],
      ['a link', `update log_records set previous_hash = ${A} where position = $1`, 'previous_hash'],
    ];

    beforeEach(async () => {
      await stores[0].log.append([1, 2, 3].map((a) => recordOf({ timestamp: changeAt(0).at, detail: { a } })));
      await sealAll(stores[0]);
    });

    it.each(TAMPERING)('tells where the log breaks: %s', async (_, statement, reason) => {
      const { head } = await stores[0].log.ends();
      const target = head.position - 1;

      expect(await verifyTampered(statement, [target])).toMatchObject({ isValid: false, brokenAt: target, reason });
    });

    it('shows a cut at the end by a seal that was kept', async () => {
      const { head: kept } = await stores[0].log.ends();
      const cut = `with cut as (delete from log_records where position = ${kept.position})
        update log_ends set (position, seal) =
          (select position, seal from log_records where position = ${kept.position} - 1) where name = 'head'`;

      const verdict = await verifyTampered(cut, []);

      expect(verdict).toMatchObject({ isValid: true, head: { position: kept.position - 1 } });
    });

    /** Leaves the log as it was. */
    async function verifyTampered(statement: string, parameters: readonly number[]): Promise<LogVerdict> {
      await client.query('create temporary table saved as select * from log_records');
      await client.query('create temporary table saved_ends as select * from log_ends');
      await client.query(statement, [...parameters]);
      const verdict = await verifyAll(stores[0]);
      await client.query('delete from log_records; insert into log_records select * from saved; drop table saved');
      await client.query('delete from log_ends; insert into log_ends select * from saved_ends; drop table saved_ends');
      return verdict;
    }
  });
});
