import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseProviderId, type ProviderId } from '@palisade/domain';
import { sql } from 'kysely';
import { Client } from 'pg';
import { Database, type Connections } from '../src/postgres/connection/database.js';
import type { PostgresOptions } from '../src/postgres/connection/postgres-options.js';
import { createScratchDatabase, type ScratchDatabase } from './scratch-database.js';

const NOISY = parseProviderId('noisy');
const QUIET = parseProviderId('quiet');
const LOCK = 42;
/** Longer than a connection takes to be made on a busy machine. */
const ACQUIRE_TIMEOUT_MS = 1500;

let scratch: ScratchDatabase;
let admin: Client;

beforeAll(async () => {
  scratch = await createScratchDatabase();
  admin = new Client({ connectionString: scratch.url });
  await admin.connect();
});

afterAll(async () => {
  await admin.end();
  await scratch.drop();
});

/** How many sessions of an application wait for a lock, as the server sees it. */
async function countBlocked(applicationName: string): Promise<number> {
  const { rows } = await admin.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where application_name = $1 and wait_event_type = 'Lock'`,
    [applicationName],
  );
  return rows[0]?.count ?? 0;
}

async function waitForBlocked(applicationName: string, count: number): Promise<void> {
  while ((await countBlocked(applicationName)) < count) {
    await setTimeout(5); // asking is all that can be done
  }
}

function answer(connections: Connections): Promise<unknown> {
  return connections.run((connection) => sql`select 42 as answer`.execute(connection).then(({ rows }) => rows));
}

/**
 * Has a provider ask for so much at once; nothing of it ends before `work` does.
 *
 * @returns what became of what it asked for
 */
async function whileBusy(
  database: Database,
  provider: ProviderId,
  { operations, blocked, name }: { readonly operations: number; readonly blocked: number; readonly name: string },
  work: () => Promise<void>,
): Promise<string[]> {
  await admin.query('select pg_advisory_lock($1)', [LOCK]);
  const block = () =>
    database.of(provider).run((connection) => sql`select pg_advisory_xact_lock(${LOCK})`.execute(connection));
  const settled = Promise.allSettled(Array.from({ length: operations }, block));
  try {
    await waitForBlocked(name, blocked);
    await work();
  } finally {
    await admin.query('select pg_advisory_unlock($1)', [LOCK]);
  }
  return (await settled).map((result) => (result.status === 'fulfilled' ? 'done' : result.reason.code));
}

async function withDatabase(options: PostgresOptions, work: (database: Database) => Promise<void>): Promise<void> {
  const database = new Database(scratch.url, options);
  try {
    await work(database);
  } finally {
    await database.close();
  }
}

describe(Database.name, () => {
  it('serves a provider while another one has all of its own connections in use', async () => {
    const options = { applicationName: 'share', maxConnections: 6, connectionsPerProvider: 2 };
    await withDatabase(options, async (database) => {
      const outcomes = await whileBusy(database, NOISY, { operations: 50, blocked: 2, name: 'share' }, async () => {
        expect(await answer(database.of(QUIET))).toEqual([{ answer: 42 }]);
        expect(await countBlocked('share')).toBe(2);
      });
      expect(outcomes).toEqual(Array.from({ length: 50 }, () => 'done'));
    });
  });

  it('keeps two connections for the service itself, whatever the providers ask for', async () => {
    const options = { applicationName: 'reserve', maxConnections: 4, connectionsPerProvider: 4 };
    await withDatabase(options, async (database) => {
      await whileBusy(database, NOISY, { operations: 50, blocked: 2, name: 'reserve' }, async () => {
        expect(await Promise.all([answer(database), answer(database)])).toHaveLength(2);
        expect(await countBlocked('reserve')).toBe(2);
      });
    });
  });

  it('lets one provider have all connections at the level none', async () => {
    const options = {
      applicationName: 'none',
      isolationLevel: 'none',
      maxConnections: 4,
      acquireTimeoutMs: ACQUIRE_TIMEOUT_MS,
    } as const;
    await withDatabase(options, async (database) => {
      await whileBusy(database, NOISY, { operations: 4, blocked: 4, name: 'none' }, async () => {
        const rejected = { code: 'STORE_UNAVAILABLE', cause: { code: 'POOL_TIMEOUT' } };
        await Promise.all([
          expect(answer(database.of(QUIET))).rejects.toMatchObject(rejected),
          expect(answer(database)).rejects.toMatchObject(rejected),
        ]);
      });
    });
  });

  it('tells how many connections are in use, how many wait, and what became of those who did', async () => {
    const options = { applicationName: 'metrics', maxConnections: 6, connectionsPerProvider: 1, maxQueued: 2 };
    await withDatabase(options, async (database) => {
      await whileBusy(database, NOISY, { operations: 5, blocked: 1, name: 'metrics' }, async () => {
        expect(database.connections()).toMatchObject({ active: 1, max: 6, waiting: 2, totals: { rejected: 2 } });
      });
      const after = { active: 0, waiting: 0, totals: { acquired: 3, timedOut: 0, opened: 1, failed: 0 } };
      expect(database.connections()).toMatchObject(after);
    });
  });

  it('tells of each operation when it is over, whether it succeeded or not', async () => {
    await withDatabase({ applicationName: 'operations' }, async (database) => {
      const durations: number[] = [];
      database.onOperationEnded((durationMs) => durations.push(durationMs));
      await answer(database);
      await answer(database.of(QUIET));
      await database.run((connection) => sql`select 1 / 0`.execute(connection)).catch(() => {});
      expect(durations).toEqual([expect.any(Number), expect.any(Number), expect.any(Number)]);
      expect(Math.min(...durations)).toBeGreaterThan(0);
    });
  });

  it('tells a provider that has too many operations waiting to come again', async () => {
    const options = { applicationName: 'queue', maxConnections: 6, connectionsPerProvider: 1, maxQueued: 2 };
    await withDatabase(options, async (database) => {
      const outcomes = await whileBusy(database, NOISY, { operations: 5, blocked: 1, name: 'queue' }, async () => {});
      expect(outcomes.toSorted()).toEqual(['PROVIDER_BUSY', 'PROVIDER_BUSY', 'done', 'done', 'done']);
    });
  });

  it('tells a provider whose own connections are in use for too long to come again', async () => {
    const options = {
      applicationName: 'wait',
      maxConnections: 6,
      connectionsPerProvider: 1,
      acquireTimeoutMs: ACQUIRE_TIMEOUT_MS,
    };
    await withDatabase(options, async (database) => {
      const end = new AbortController();
      const started = Promise.withResolvers<void>();
      const busy = database.of(NOISY).run(async (connection) => {
        while (!end.signal.aborted) {
          await sql`select pg_sleep(0.05)`.execute(connection);
          started.resolve();
        }
      });
      await started.promise;
      await expect(answer(database.of(NOISY))).rejects.toMatchObject({ code: 'PROVIDER_BUSY', retryAfterSeconds: 5 });
      end.abort();
      await busy;
    });
  });

  it('does not blame a provider for connections that give no answer', async () => {
    const options = {
      applicationName: 'silent',
      maxConnections: 6,
      connectionsPerProvider: 1,
      acquireTimeoutMs: ACQUIRE_TIMEOUT_MS,
    };
    await withDatabase(options, async (database) => {
      await whileBusy(database, NOISY, { operations: 1, blocked: 1, name: 'silent' }, async () => {
        await expect(answer(database.of(NOISY))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
      });
    });
  });

  it('calls the store unavailable when others have what a provider is due', async () => {
    const options = {
      applicationName: 'due',
      maxConnections: 2,
      connectionsPerProvider: 2,
      acquireTimeoutMs: ACQUIRE_TIMEOUT_MS,
    };
    await withDatabase(options, async (database) => {
      await whileBusy(database, NOISY, { operations: 1, blocked: 1, name: 'due' }, async () => {
        await expect(answer(database.of(QUIET))).rejects.toMatchObject({
          code: 'STORE_UNAVAILABLE',
          cause: { code: 'POOL_TIMEOUT' },
        });
      });
    });
  });

  it('uses one connection for the statements of one operation', async () => {
    await withDatabase({ maxConnections: 6 }, async (database) => {
      const processes = await database.of(QUIET).run(async (connection) => {
        const first = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(connection);
        const second = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(connection);
        return [first.rows[0]?.pid, second.rows[0]?.pid];
      });
      expect(processes[0]).toBe(processes[1]);
    });
  });
});
