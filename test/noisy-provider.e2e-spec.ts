import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openStore, type PostgresOptions } from '@palisade/storage';
import { Client } from 'pg';
import { createScratchDatabase, type ScratchDatabase } from '../libs/storage/test/scratch-database.js';
import { ScimApp } from './support/scim-app.js';
import { user } from './support/scim-bodies.js';
import type { ScimClient } from './support/scim-client.js';

const NOISY_CLIENTS = 40;
const STORED_USER = user({ userName: 'ada', externalId: 'ada' });

let database: ScratchDatabase;
let admin: Client;
/** Holds the locks: what is seen in a transaction of one's own stays as it was first seen. */
let locker: Client;

beforeAll(async () => {
  database = await createScratchDatabase();
  admin = new Client({ connectionString: database.url });
  locker = new Client({ connectionString: database.url });
  await Promise.all([admin.connect(), locker.connect()]);
});

afterAll(async () => {
  await Promise.all([admin.end(), locker.end()]);
  await database.drop();
});

/** How many sessions wait for a row that somebody else has locked. */
async function countBlocked(): Promise<number> {
  const { rows } = await admin.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.count ?? 0;
}

interface Neighbours {
  readonly noisy: ScimClient;
  readonly quiet: ScimClient;
}

async function withNeighbours(
  options: PostgresOptions,
  work: (neighbours: Neighbours) => Promise<void>,
): Promise<void> {
  const app = await ScimApp.start(await openStore(database.url, options));
  const [noisy, quiet] = [await app.connect(), await app.connect()];
  await noisy.post('/Users', STORED_USER);
  await quiet.post('/Users', STORED_USER);
  try {
    await work({ noisy, quiet });
  } finally {
    await app.store.providers.delete(noisy.provider, { actor: 'test', at: new Date() });
    await app.store.providers.delete(quiet.provider, { actor: 'test', at: new Date() });
    await app.close();
  }
}

/**
 * An import of the noisy provider by many clients at once, each of which waits in the database until `work` has ended.
 *
 * @returns the statuses of its answers
 */
async function duringImport({ noisy }: Neighbours, blocked: number, work: () => Promise<void>): Promise<number[]> {
  await locker.query('begin');
  await locker.query('select from resources where provider_id = $1 for update', [noisy.provider]);
  const sent = Array.from({ length: NOISY_CLIENTS }, (_, index) =>
    noisy.put('/Users/ada', user({ userName: 'ada', title: `${index}` })).then(({ status }) => status),
  );
  try {
    while ((await countBlocked()) < blocked) {
      await sleep(5); // asking is all that can be done
    }
    await work();
  } finally {
    await locker.query('rollback');
  }
  return Promise.all(sent);
}

/** The statuses of what a provider is answered that creates users and reads them, one after the other. */
async function provision(client: ScimClient, users: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let count = 0; count < users; count++) {
    const externalId = `user-${count}`;
    const created = await client.post('/Users', user({ userName: externalId, externalId }));
    const read = await client.get(`/Users/${externalId}`);
    statuses.push(created.status, read.status);
  }
  return statuses;
}

function times(count: number, ...statuses: readonly number[]): number[] {
  return Array.from({ length: count }, () => statuses).flat();
}

describe('a provider beside one that imports with many clients', () => {
  it('has all of its requests served at the isolation level namespace', async () => {
    await withNeighbours({ maxConnections: 8, connectionsPerProvider: 3 }, async (neighbours) => {
      const statuses = await duringImport(neighbours, 3, async () => {
        expect(await provision(neighbours.quiet, 10)).toEqual(times(10, 201, 200));
        expect(await countBlocked()).toBe(3);
      });
      expect(statuses).toEqual(times(NOISY_CLIENTS, 200));
    });
  });

  it('is rejected at the level none, once that import has taken all connections', async () => {
    const options = { isolationLevel: 'none', maxConnections: 3, acquireTimeoutMs: 1500 } as const;
    await withNeighbours(options, async (neighbours) => {
      const statuses = await duringImport(neighbours, 3, async () => {
        expect(await provision(neighbours.quiet, 1)).toEqual([503, 503]);
      });
      expect(statuses.filter((status) => status === 200)).toHaveLength(3);
    });
  });

  it('leaves that import a 429 with Retry-After for what is too much', async () => {
    await withNeighbours({ maxConnections: 8, connectionsPerProvider: 1, maxQueued: 1 }, async (neighbours) => {
      const statuses = await duringImport(neighbours, 1, async () => {
        const rejected = await neighbours.noisy.put('/Users/ada', user({ userName: 'ada', title: 'one too many' }));
        expect([rejected.status, rejected.headers['retry-after'], rejected.body.status]).toEqual([429, '5', '429']);
      });
      expect(statuses.toSorted()).toEqual([...times(2, 200), ...times(NOISY_CLIENTS - 2, 429)]);
    });
  });
});
