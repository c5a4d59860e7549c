import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseNamespaceId, type NamespaceId } from '@palisade/domain';
import type { Client } from 'pg';
import { PostgresDriver } from '../src/backends/postgres/postgres-driver.js';
import { NamespacePools } from '../src/pools/namespace-pools.js';
import type { PoolSettingsInput } from '../src/pools/pool-settings.js';
import { processIdOf, ServerObserver } from './support/postgres-server.js';
import { waitUntil } from './support/wait-until.js';

const ACME = parseNamespaceId('acme');
const BOLT = parseNamespaceId('bolt');
const JOB = 'select pg_sleep(0.05)';

let server: ServerObserver;

beforeAll(async () => {
  server = await ServerObserver.connect();
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

async function withPools(
  settings: PoolSettingsInput,
  work: (pools: NamespacePools<Client>) => Promise<void>,
): Promise<void> {
  const driver = new PostgresDriver({ config: server.config });
  const pools = new NamespacePools({ ...settings, name: 'postgres', driver });
  try {
    await work(pools);
  } finally {
    await pools.destroy();
  }
}

/** Clients that run one job after the other until they are stopped. */
function startClients(pools: NamespacePools<Client>, namespace: NamespaceId, clients: number) {
  const end = new AbortController();
  const counts = { jobs: 0 };
  const work = async () => {
    while (!end.signal.aborted) {
      using lease = await pools.acquire(namespace);
      await lease.connection.query(JOB);
      counts.jobs++;
    }
  };
  const all = Promise.all(Array.from({ length: clients }, work));
  return {
    counts,
    stop: async () => {
      end.abort();
      await all;
    },
  };
}

async function runJobs(pools: NamespacePools<Client>, namespace: NamespaceId, jobs: number): Promise<void> {
  for (let job = 0; job < jobs; job++) {
    using lease = await pools.acquire(namespace);
    await lease.connection.query(JOB);
  }
}

/** The largest number of connections that the server has seen at once while `work` went on. */
async function peakDuring(work: Promise<unknown>): Promise<number> {
  let peak = 0;
  const over = new AbortController();
  const watched = work.finally(() => over.abort());
  do {
    peak = Math.max(peak, await server.countConnections());
    await sleep(5); // the server is measured, not kept busy
  } while (!over.signal.aborted);
  await watched;
  return peak;
}

describe(`${NamespacePools.name} on PostgreSQL`, () => {
  it('let a quiet namespace have its turn beside a noisy one, and keep the cap', async () => {
    await withPools({ maxTotal: 5 }, async (pools) => {
      const noisy = startClients(pools, ACME, 20);
      await waitUntil(() => noisy.counts.jobs > 20, 'the noise has begun');
      const before = noisy.counts.jobs;
      const peak = await peakDuring(runJobs(pools, BOLT, 20));
      const beside = noisy.counts.jobs - before;
      await noisy.stop();
      expect(peak).toBeLessThanOrEqual(5);
      // Four connections are the noisy one's meanwhile; in one queue for all it would be 20 jobs for each quiet one.
      expect(beside / 20).toBeLessThan(8);
    });
  });

  it('never lease a connection again that was cut in the middle of a transaction', async () => {
    await withPools({ maxTotal: 1 }, async (pools) => {
      const lease = await pools.acquire(ACME);
      const cut = await processIdOf(lease.connection);
      await lease.connection.query('begin');
      await server.terminate(cut);
      lease.release();
      using next = await pools.acquire(ACME);
      expect(await processIdOf(next.connection)).not.toBe(cut);
    });
  });

  it('close a connection that is given back in a transaction', async () => {
    await withPools({ maxTotal: 1 }, async (pools) => {
      const lease = await pools.acquire(ACME);
      await lease.connection.query('begin');
      lease.release();
      using next = await pools.acquire(ACME);
      expect(next.connection.getTransactionStatus()).toBe('I');
      expect(pools.snapshot().counters).toMatchObject({ opened: 2, discarded: 1 });
    });
  });

  it('keep a connection on which a statement has failed', async () => {
    await withPools({ maxTotal: 1 }, async (pools) => {
      const failing = async () => {
        using lease = await pools.acquire(ACME);
        await lease.connection.query('select 1/0');
      };
      await expect(failing()).rejects.toThrow('division by zero');
      using next = await pools.acquire(ACME);
      expect((await next.connection.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
      expect(pools.snapshot().counters.opened).toBe(1);
    });
  });

  it('show one lease nothing of what another has set', async () => {
    await withPools({ maxTotal: 1 }, async (pools) => {
      const lease = await pools.acquire(ACME);
      await lease.connection.query("select set_config('app.tenant_id', 'acme', false)");
      lease.release();
      using next = await pools.acquire(ACME);
      const { rows } = await next.connection.query(
        "select nullif(current_setting('app.tenant_id', true), '') as tenant",
      );
      expect(rows).toEqual([{ tenant: null }]);
    });
  });

  it('leave no connection on the server when they are destroyed', async () => {
    await withPools({ maxTotal: 5 }, async (pools) => {
      const running = runJobs(pools, ACME, 1_000_000);
      running.catch(() => {});
      await waitUntil(() => pools.snapshot().counters.acquired > 10, 'jobs are under way');
      await pools.destroy();
      await server.waitForNone();
      await expect(running).rejects.toThrow();
      expect(await server.countConnections()).toBe(0);
    });
  });
});
