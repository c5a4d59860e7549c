import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseNamespaceId, type NamespaceId } from '@palisade/domain';
import type { Client } from 'pg';
import { PostgresDriver } from '../src/backends/postgres/postgres-driver.js';
import { ScopedPostgres } from '../src/backends/postgres/scoped/scoped-postgres.js';
import { NamespacePools } from '../src/pools/namespace-pools.js';
import { SessionManager } from '../src/sessions/session-manager.js';
import { sessionBackend, sessionSettings } from './support/session-settings.js';
import { TenantDatabase } from './support/tenant-database.js';
import { WorkContext } from './support/work-context.js';

const ACME = parseNamespaceId('acme');
const TEN = 'select generate_series(1, 10)::int as n';

let database: TenantDatabase;
let driver: PostgresDriver;
let client: Client;

beforeAll(async () => {
  database = await TenantDatabase.create('setting');
  await database.provision(ACME);
  driver = database.driver(ACME, { maxRows: 1000 });
});

afterAll(async () => {
  await driver.close(client);
  await database[Symbol.asyncDispose]();
});

/** A scoped client on a connection in good order. */
async function scope(context = new WorkContext()): Promise<ScopedPostgres> {
  if (client === undefined || !driver.isUsable(client)) {
    client = await driver.connect(ACME, new AbortController().signal);
  }
  return driver.scope(client, ACME, context);
}

function insertOrder(id: number): readonly [string, unknown[]] {
  return ['insert into orders (tenant_id, id) values ($1, $2)', [ACME, id]];
}

async function hasOrder(id: number): Promise<boolean> {
  const { rowCount } = await database.admin.query('select from orders where id = $1', [id]);
  return rowCount === 1;
}

describe(ScopedPostgres.name, () => {
  describe('statements', () => {
    it('takes parameters', async () => {
      await using scoped = await scope();
      const { rows, rowCount } = await scoped.query('select $1::int + $2::int as sum', [1, 2]);
      expect([rows, rowCount]).toEqual([[{ sum: 3 }], 1]);
    });

    it('takes one statement at a time, with and without parameters', async () => {
      await using scoped = await scope();
      const text = 'select 1; drop table orders';
      await expect(scoped.query(text, [])).rejects.toThrow('cannot insert multiple commands');
      await expect(scoped.query(text, [1])).rejects.toThrow('cannot insert multiple commands');
    });

    it.each([
      ['no values', 'select 1', undefined],
      ['values that are no list', 'select $1', 'acme'],
      ['too many values', 'select 1', Array.from({ length: 65_536 }, () => 1)],
      ['a NUL in the text', 'select 1\0; drop table orders', []],
      ['a text that is none', { text: 'select 1' }, []],
    ])('rejects %s, and sends nothing', async (_, text, values) => {
      await using scoped = await scope();
      const query = scoped.query(text as string, values as unknown[]);
      await expect(query).rejects.toMatchObject({ code: 'INVALID_STATEMENT' });
    });

    it('rejects a statement when 100 wait for their turn', async () => {
      await using scoped = await scope();
      const queries = Array.from({ length: 101 }, () => scoped.query('select 1', []));
      await expect(scoped.query('select 1', [])).rejects.toMatchObject({ code: 'INVALID_STATEMENT' });
      await Promise.all(queries);
    });

    it('undoes a statement that fails', async () => {
      await using scoped = await scope();
      await expect(scoped.query(...insertOrder(1))).resolves.toMatchObject({ rowCount: 1 });
      await expect(scoped.query(...insertOrder(1))).rejects.toMatchObject({ code: '23505' });
      await expect(scoped.query('select 1 as one', [])).resolves.toMatchObject({ rows: [{ one: 1 }] });
    });

    it('runs statements that overlap one after the other', async () => {
      await using scoped = await scope();
      const results = await Promise.all([1, 2, 3].map((n) => scoped.query('select $1::int as n', [n])));
      expect(results.map(({ rows }) => rows)).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]]);
    });

    it('survives values that cannot be sent', async () => {
      await using scoped = await scope();
      const circular: { self?: unknown } = {};
      circular.self = circular;
      await expect(scoped.query('select $1', [circular])).rejects.toThrow('circular');
      await expect(scoped.query('select 1 as one', [])).resolves.toMatchObject({ rows: [{ one: 1 }] });
    });

    it('has no data for a copy from the client, and none of a copy to it', async () => {
      await using scoped = await scope();
      const copy = scoped.transaction(async (transaction) => {
        await transaction.query('create temporary table scratch (n int)', []);
        const { rows } = await transaction.query('copy (select 1) to stdout', []);
        expect(rows).toEqual([]);
        await transaction.query('copy scratch from stdin', []);
      });
      await expect(copy).rejects.toThrow('there is no data to copy');
      await expect(scoped.query('select 1 as one', [])).resolves.toMatchObject({ rows: [{ one: 1 }] });
    });

    it.each(['commit', 'rollback', 'begin; commit'])(
      'does not let a statement end its transaction: %s',
      async (text) => {
        await using scoped = await scope();
        await expect(scoped.query(text, [])).rejects.toThrow();
      },
    );

    it('closes a connection whose transaction a statement has ended', async () => {
      await using scoped = await scope();
      await expect(scoped.query('commit', [])).rejects.toMatchObject({ code: 'TRANSACTION_FAILED' });
      expect(driver.isUsable(client)).toBe(false);
    });
  });

  describe('bounds', () => {
    it('returns as many rows as it may', async () => {
      await using scoped = await scope();
      await expect(scoped.query(TEN, [], { maxRows: 10 })).resolves.toMatchObject({ rowCount: 10 });
    });

    it('fails rather than return more', async () => {
      await using scoped = await scope();
      await expect(scoped.query(TEN, [], { maxRows: 9 })).rejects.toMatchObject({ code: 'ROW_LIMIT', maxRows: 9 });
      await expect(scoped.query('select generate_series(1, 1001)', [])).rejects.toMatchObject({ maxRows: 1000 });
    });

    it('undoes what a statement with too many rows has changed', async () => {
      await using scoped = await scope();
      const text = 'insert into orders (tenant_id, id) values ($1, 20), ($1, 21) returning id';
      await expect(scoped.query(text, [ACME], { maxRows: 1 })).rejects.toMatchObject({ code: 'ROW_LIMIT' });
      expect(await hasOrder(20)).toBe(false);
    });

    it.each([0, -1, 1.5, 1001, Number.NaN])('does not take %d for a number of rows', async (maxRows) => {
      await using scoped = await scope();
      await expect(scoped.query('select 1', [], { maxRows })).rejects.toMatchObject({ code: 'INVALID_STATEMENT' });
    });

    it('accounts for the rows that it returns until it is disposed of', async () => {
      const context = new WorkContext();
      const scoped = await scope(context);
      await scoped.query("select repeat('x', 100000) as text", []);
      expect(context.heldBytes).toBeGreaterThanOrEqual(100_000);
      expect(context.heldBytes).toBeLessThan(200_000);
      await scoped[Symbol.asyncDispose]();
      expect([context.heldBytes, context.rows]).toEqual([0, 1]);
    });

    it('fails when its namespace may not hold so much, and goes on', async () => {
      const context = new WorkContext();
      context.maxBytes = 200_000;
      await using scoped = await scope(context);
      const large = "select repeat('x', 100000) as text from generate_series(1, 500)";
      await expect(scoped.query(large, [])).rejects.toThrow('bytes are too many');
      await expect(scoped.query('select 1 as one', [])).resolves.toMatchObject({ rows: [{ one: 1 }] });
    });

    it('counts rows that were changed', async () => {
      const context = new WorkContext();
      await using scoped = await scope(context);
      await scoped.query(...insertOrder(22));
      await scoped.query('update orders set title = $1 where id = 22', ['x']);
      expect(context.rows).toBe(2);
    });
  });

  describe('streams', () => {
    it('gives every row, a batch at a time', async () => {
      const context = new WorkContext();
      await using scoped = await scope(context);
      const text = "select n, repeat('x', 10000) as text from generate_series(1, $1::int) as n";
      const sum = await scoped.transaction(async (transaction) => {
        let total = 0;
        for await (const { n } of transaction.stream<{ n: number }>(text, [1005], { batchRows: 10 })) {
          total += n;
        }
        return total;
      });
      expect([sum, context.rows]).toEqual([(1005 * 1006) / 2, 1005]);
      expect(context.peakBytes).toBeLessThan(200_000);
    });

    it('lets other statements run meanwhile', async () => {
      await using scoped = await scope();
      const seen = await scoped.transaction(async (transaction) => {
        const doubles: unknown[] = [];
        for await (const { n } of transaction.stream(TEN, [], { batchRows: 3 })) {
          const { rows } = await transaction.query('select $1::int * 2 as double', [n]);
          doubles.push(rows[0]?.double);
        }
        return doubles;
      });
      expect(seen).toEqual([2, 4, 6, 8, 10, 12, 14, 16, 18, 20]);
    });

    it('may be left early', async () => {
      await using scoped = await scope();
      const first = await scoped.transaction(async (transaction) => {
        for await (const row of transaction.stream(TEN, [], { batchRows: 1 })) {
          return row;
        }
        return undefined;
      });
      expect(first).toEqual({ n: 1 });
      expect(driver.isUsable(client)).toBe(true);
    });

    it.each(['delete from orders', 'select 1; select 2', "select 1) to '/tmp/x'"])('rejects %s', async (text) => {
      await using scoped = await scope();
      const drain = scoped.transaction(async (transaction) => {
        for await (const _row of transaction.stream(text, [])) {
          throw new Error('there was a row');
        }
      });
      await expect(drain).rejects.toMatchObject({ code: '42601' });
    });
  });

  describe('transactions', () => {
    it('take effect together', async () => {
      await using scoped = await scope();
      await scoped.transaction(async (transaction) => {
        await transaction.query(...insertOrder(30));
        expect(await hasOrder(30)).toBe(false);
        await transaction.query(...insertOrder(31));
      });
      expect([await hasOrder(30), await hasOrder(31)]).toEqual([true, true]);
    });

    it('are undone when their work fails', async () => {
      await using scoped = await scope();
      const failing = scoped.transaction(async (transaction) => {
        await transaction.query(...insertOrder(32));
        throw new Error('changed my mind');
      });
      await expect(failing).rejects.toThrow('changed my mind');
      expect([await hasOrder(32), driver.isUsable(client)]).toEqual([false, true]);
    });

    it('fail when a statement has failed, although their work took no notice', async () => {
      await using scoped = await scope();
      const careless = scoped.transaction(async (transaction) => {
        await transaction.query(...insertOrder(33));
        await transaction.query('select 1/0', []).catch(() => {});
      });
      await expect(careless).rejects.toMatchObject({ code: 'TRANSACTION_FAILED' });
      expect(await hasOrder(33)).toBe(false);
    });

    it('fail when a statement has returned too much, although their work took no notice', async () => {
      await using scoped = await scope();
      const careless = scoped.transaction(async (transaction) => {
        await transaction.query(...insertOrder(34));
        await transaction.query(TEN, [], { maxRows: 1 }).catch(() => {});
      });
      await expect(careless).rejects.toMatchObject({ code: 'TRANSACTION_FAILED' });
      expect(await hasOrder(34)).toBe(false);
    });

    it('undo a part alone that fails', async () => {
      await using scoped = await scope();
      await scoped.transaction(async (transaction) => {
        await transaction.query(...insertOrder(35));
        const part = transaction.transaction(async (inner) => {
          await inner.query(...insertOrder(36));
          await inner.query('select 1/0', []);
        });
        await expect(part).rejects.toThrow('division by zero');
        await transaction.query(...insertOrder(37));
      });
      expect([await hasOrder(35), await hasOrder(36), await hasOrder(37)]).toEqual([true, false, true]);
    });

    it('keep a part that succeeds', async () => {
      await using scoped = await scope();
      await scoped.transaction((transaction) => transaction.transaction((inner) => inner.query(...insertOrder(38))));
      expect(await hasOrder(38)).toBe(true);
    });

    it('take no statements from outside of them', async () => {
      await using scoped = await scope();
      await scoped.transaction(async (transaction) => {
        await expect(scoped.query('select 1', [])).rejects.toMatchObject({ code: 'INVALID_STATEMENT' });
        await transaction.transaction(async () => {
          await expect(transaction.query('select 1', [])).rejects.toMatchObject({ code: 'INVALID_STATEMENT' });
        });
      });
    });

    it('take no statements once they have ended', async () => {
      await using scoped = await scope();
      const { ended } = await scoped.transaction(async (transaction) => ({ ended: transaction }));
      await expect(ended.query('select 1', [])).rejects.toMatchObject({ code: 'INVALID_STATEMENT' });
    });

    it('wait for statements that nobody waited for', async () => {
      await using scoped = await scope();
      await scoped.transaction(async (transaction) => {
        transaction.query(...insertOrder(39)).catch(() => {});
      });
      expect(await hasOrder(39)).toBe(true);
    });
  });

  describe('interruption', () => {
    it('has the server stop the statement, and leaves the connection usable', async () => {
      const context = new WorkContext();
      await using scoped = await scope(context);
      const sleeping = scoped.query('select pg_sleep(60)', []);
      const processId = await startedProcess();
      context.abort(new Error('gone'));
      await expect(sleeping).rejects.toThrow('gone');
      expect(driver.isUsable(client)).toBe(true);
      expect(await stateOf(processId)).toBe('idle');
    });

    it('undoes the transaction', async () => {
      const context = new WorkContext();
      await using scoped = await scope(context);
      const work = scoped.transaction(async (transaction) => {
        await transaction.query(...insertOrder(40));
        context.abort(new Error('gone'));
        await transaction.query('select 1', []);
      });
      await expect(work).rejects.toThrow('gone');
      expect([await hasOrder(40), driver.isUsable(client)]).toEqual([false, true]);
    });

    it('sends nothing once the work was given up', async () => {
      const context = new WorkContext();
      context.abort(new Error('gone'));
      await using scoped = await scope(context);
      await expect(scoped.query('select 1', [])).rejects.toThrow('gone');
    });

    it('closes a connection that could not be told for whom it works', async () => {
      const own = await driver.connect(ACME, new AbortController().signal);
      const nobody = driver.scope(own, 'a\0b' as NamespaceId, new WorkContext());
      await expect(nobody.query('select 1', [])).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
      expect(driver.isUsable(own)).toBe(false);
      await driver.close(own);
    });
  });

  describe('disposal', () => {
    it('interrupts what is under way and undoes it', async () => {
      const scoped = await scope();
      const sleeping = scoped.transaction(async (transaction) => {
        await transaction.query(...insertOrder(50));
        await transaction.query('select pg_sleep(60)', []);
      });
      sleeping.catch(() => {});
      await startedProcess();
      await scoped[Symbol.asyncDispose]();
      await expect(sleeping).rejects.toMatchObject({ code: 'INVALID_STATEMENT' });
      expect([await hasOrder(50), driver.isUsable(client)]).toEqual([false, true]);
    });

    it('does not wait for work that does something else', async () => {
      const scoped = await scope();
      const elsewhere = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      const work = scoped.transaction(async (transaction) => {
        await transaction.query(...insertOrder(51));
        begun.resolve();
        await elsewhere.promise;
      });
      await begun.promise;
      await scoped[Symbol.asyncDispose]();
      expect([await hasOrder(51), driver.isUsable(client)]).toEqual([false, true]);
      elsewhere.resolve();
      await expect(work).rejects.toMatchObject({ code: 'TRANSACTION_FAILED' });
    });

    it('leaves the client of no use, however often', async () => {
      const scoped = await scope();
      await scoped[Symbol.asyncDispose]();
      await scoped[Symbol.asyncDispose]();
      await expect(scoped.query('select 1', [])).rejects.toMatchObject({ code: 'INVALID_STATEMENT' });
    });
  });

  describe('a transaction that outlives the client', () => {
    it('goes on in the next one, and takes effect with commit', async () => {
      await (await scope()).begin();
      await using next = driver.scope(client, ACME, new WorkContext());
      expect(next.isInTransaction).toBe(true);
      await next.query(...insertOrder(60));
      expect(await hasOrder(60)).toBe(false);
      await next.commit();
      expect(await hasOrder(60)).toBe(true);
    });

    it('is undone with rollback', async () => {
      await using scoped = await scope();
      await scoped.begin();
      await scoped.query(...insertOrder(61));
      await scoped.rollback();
      expect(await hasOrder(61)).toBe(false);
    });

    it('has savepoints for transactions within it', async () => {
      await using scoped = await scope();
      await scoped.begin();
      await scoped.transaction((transaction) => transaction.query(...insertOrder(62)));
      const failing = scoped.transaction(async (transaction) => {
        await transaction.query(...insertOrder(63));
        throw new Error('changed my mind');
      });
      await expect(failing).rejects.toThrow('changed my mind');
      await scoped.commit();
      expect([await hasOrder(62), await hasOrder(63)]).toEqual([true, false]);
    });

    it('cannot be committed when a statement in it has failed, also for an earlier client', async () => {
      await using first = await scope();
      await first.begin();
      await first.query(...insertOrder(64));
      await first.query(TEN, [], { maxRows: 1 }).catch(() => {});
      await using next = driver.scope(client, ACME, new WorkContext());
      await expect(next.query('select 1', [])).rejects.toMatchObject({ code: 'TRANSACTION_FAILED' });
      await expect(next.commit()).rejects.toMatchObject({ code: 'TRANSACTION_FAILED' });
      expect([await hasOrder(64), next.isInTransaction]).toEqual([false, false]);
    });

    it('is begun once, and ended only when there is one', async () => {
      await using scoped = await scope();
      await expect(scoped.commit()).rejects.toMatchObject({ code: 'INVALID_STATEMENT' });
      await scoped.begin();
      await expect(scoped.begin()).rejects.toMatchObject({ code: 'INVALID_STATEMENT' });
      await scoped.rollback();
      await expect(scoped.rollback()).rejects.toMatchObject({ code: 'INVALID_STATEMENT' });
    });

    it('is rolled back when a pooled connection is given back with it', async () => {
      const pools = new NamespacePools({ name: 'postgres', driver, maxTotal: 1 });
      const lease = await pools.acquire(ACME);
      await using scoped = driver.scope(lease.connection, ACME, new WorkContext());
      await scoped.begin();
      await scoped.query(...insertOrder(65));
      lease.release();
      (await pools.acquire(ACME)).release();
      expect([await hasOrder(65), pools.snapshot().counters.discarded]).toEqual([false, 1]);
      await pools.destroy();
    });
  });
});

describe(`${ScopedPostgres.name} in a session`, () => {
  it('goes on in a transaction that an earlier request has begun', async () => {
    const owner = { namespace: ACME, clientId: 'importer' };
    const manager = new SessionManager({
      settings: sessionSettings({ audit: { isMandatory: false } }),
      backends: [sessionBackend({ name: 'postgres', driver, maxTotal: 1 })],
    });
    const { id } = await manager.open(owner);
    const request = (work: (scoped: ScopedPostgres) => Promise<unknown>) =>
      manager.run(id, owner, (session) =>
        session.connection('postgres', PostgresDriver).run(async (connection) => {
          await using scoped = driver.scope(connection, session.namespace, new WorkContext());
          await work(scoped);
        }),
      );
    await request((scoped) => scoped.begin());
    await request((scoped) => scoped.query(...insertOrder(70)));
    expect(await hasOrder(70)).toBe(false);
    await request((scoped) => scoped.commit());
    expect(await hasOrder(70)).toBe(true);
    await manager.end(id, owner);
  });
});

/** Waits until the client's server process is at work on a statement that sleeps. */
async function startedProcess(): Promise<number> {
  for (;;) {
    const { rows } = await database.admin.query(
      "select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'",
    );
    if (rows[0] !== undefined) {
      return rows[0].pid;
    }
  }
}

async function stateOf(processId: number): Promise<string> {
  const { rows } = await database.admin.query('select state from pg_stat_activity where pid = $1', [processId]);
  return rows[0]?.state;
}
