import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StoreUnavailableError, type JsonObject, type ProviderId, type UserCreation } from '@palisade/domain';
import { BULK_REQUEST_URN, ScimServer } from '@palisade/scim';
import { Client } from 'pg';
import type { PostgresOptions } from '../src/postgres/connection/postgres-options.js';
import { PostgresStore } from '../src/postgres/postgres-store.js';
import { createScratchDatabase, type ScratchDatabase } from './scratch-database.js';
import { userDraft } from './support/drafts.js';
import { changeAt } from './support/store-harness.js';
import { TestDirectory } from './support/test-directory.js';

const TIMEOUT_MS = 60_000;

function creation(directory: TestDirectory, localId: string, body: JsonObject = {}): UserCreation {
  const draft = userDraft({ externalId: localId, userName: localId, ...body });
  return { id: directory.userId(localId), draft, change: changeAt(0) };
}

function createUsers({ store, provider }: TestDirectory, users: readonly UserCreation[]) {
  return store.directory.createUsers(provider, users);
}

describe('users created together in the postgres store', () => {
  let scratch: ScratchDatabase;
  let client: Client;
  let claimant: Client;
  const stores: PostgresStore[] = [];

  beforeAll(async () => {
    scratch = await createScratchDatabase();
    client = new Client({ connectionString: scratch.url });
    claimant = new Client({ connectionString: scratch.url });
    await Promise.all([client.connect(), claimant.connect()]);
    await openStore({}).migrate();
  });

  afterAll(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await Promise.all([client.end(), claimant.end()]);
    await scratch.drop();
  });

  function openStore(options: PostgresOptions): PostgresStore {
    const store = new PostgresStore(scratch.url, options);
    stores.push(store);
    return store;
  }

  async function countsOf(provider: ProviderId): Promise<Partial<Record<string, number>>> {
    const { rows } = await client.query<Record<string, number>>(
      `select
        (select count(*)::int from resources where provider_id = $1) as resources,
        (select coalesce(sum(count), 0)::int from resource_counts where provider_id = $1) as counted,
        (select count(*)::int from log_unsealed where scope = $1) as records`,
      [provider],
    );
    return rows[0] ?? {};
  }

  /** Holds the name `u2` until the returned function is called, which gives it up. */
  async function claimName(provider: ProviderId): Promise<() => Promise<unknown>> {
    await claimant.query('begin');
    await claimant.query(
      `insert into resources (provider_id, id, resource_type, attributes, search, created_at, modified_at)
        values ($1, 'user:scim:other', 'User', '{}', $2, now(), now())`,
      [provider, JSON.stringify({ [provider]: { userName: 'u2' } })],
    );
    return () => claimant.query('rollback');
  }

  async function waitForWaiting(applicationName: string, sessions = 1): Promise<void> {
    const waiting = `select from pg_stat_activity where application_name = $1 and wait_event_type = 'Lock'`;
    while ((await client.query(waiting, [applicationName])).rowCount !== sessions) {
      await setTimeout(10);
    }
  }

  it('are stored, counted and recorded in one transaction', async () => {
    const directory = new TestDirectory(openStore({}));
    const users = Array.from({ length: 50 }, (_, index) => creation(directory, `u${index}`));

    await createUsers(directory, users);

    expect(await countsOf(directory.provider)).toEqual({ resources: 50, counted: 50, records: 50 });
    const { rows } = await client.query(
      `select xmin::text from resources where provider_id = $1
        union select xmin::text from log_unsealed where scope = $1
        union select xmin::text from resource_counts where provider_id = $1`,
      [directory.provider],
    );
    expect(rows).toHaveLength(1);
  });

  it('are all left out, and nothing of them is stored, when the database rejects one of them', async () => {
    const directory = new TestDirectory(openStore({}));
    const [u1, u2] = [creation(directory, 'u1'), creation(directory, 'u2')];
    const tooLongForAnIndex = randomBytes(5000).toString('hex');
    const users = [u1, { ...u2, draft: { ...u2.draft, externalId: tooLongForAnIndex } }];

    expect(await createUsers(directory, users)).toEqual([undefined, undefined]);

    expect(await countsOf(directory.provider)).toEqual({ resources: 0, counted: 0, records: 0 });
  });

  it('are all left out while their provider has too much under way', async () => {
    const applicationName = 'one-connection';
    const directory = new TestDirectory(openStore({ connectionsPerProvider: 1, maxQueued: 1, applicationName }));
    const giveUp = await claimName(directory.provider);
    const first = createUsers(directory, [creation(directory, 'u1'), creation(directory, 'u2')]);
    await waitForWaiting(applicationName);
    const queued = directory.find('User', 'u1');

    expect(await createUsers(directory, [creation(directory, 'u3')])).toEqual([undefined]);

    await giveUp();
    expect(await first).toMatchObject([{ externalId: 'u1' }, { externalId: 'u2' }]);
    await queued;
  });

  it('are not stored when the connection is lost meanwhile, which is told', async () => {
    const applicationName = 'lost-connection';
    const directory = new TestDirectory(openStore({ applicationName, onConnectionLost: () => {} }));
    const giveUp = await claimName(directory.provider);
    const users = createUsers(directory, [creation(directory, 'u1'), creation(directory, 'u2')]);
    const rejected = expect(users).rejects.toBeInstanceOf(StoreUnavailableError);
    await waitForWaiting(applicationName);

    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
      applicationName,
    ]);

    await rejected;
    await giveUp();
    expect(await countsOf(directory.provider)).toEqual({ resources: 0, counted: 0, records: 0 });
  });

  it('wait for others that are created together before they claim a name of theirs', async () => {
    const applicationName = 'crossing';
    const store = openStore({ applicationName });
    const directory = new TestDirectory(store);
    const create = (...names: string[]) =>
      createUsers(
        directory,
        names.map((name) => creation(directory, name)),
      );
    const giveUp = await claimName(directory.provider);
    const first = create('u1', 'u2', 'u3');
    await waitForWaiting(applicationName);
    const second = create('u3', 'u1', 'u4');
    await waitForWaiting(applicationName, 2);

    await giveUp();

    expect(await first).toMatchObject([{ externalId: 'u1' }, { externalId: 'u2' }, { externalId: 'u3' }]);
    expect(await second).toMatchObject([undefined, undefined, { externalId: 'u4' }]);
    await store.close();
    await waitUntilGone(applicationName);
    expect(await countDeadlocks()).toBe(0);
  });

  it(
    'have one winner for each name, however many bulk requests ask for it at once',
    async () => {
      const replicas = [openStore({}), openStore({})] as const;
      const { provider } = new TestDirectory(replicas[0]);
      const claims = await Promise.all(
        Array.from({ length: 8 }, async (_, request) => {
          const store = replicas[request % 2] ?? replicas[0];
          const scim = new ScimServer({ store, provider, settings: { repeatCreate: 'conflict' } });
          const results = await runBulk(scim, crossingUsers(request));
          return results
            .filter(({ status }) => status === '201')
            .map(({ location }) => ({ request, id: decodeURIComponent(String(location).split('/').pop() ?? '') }));
        }),
      );

      const { rows } = await client.query(
        `select (attributes ->> 'title')::int as request, id from resources where provider_id = $1 order by id`,
        [provider],
      );
      expect(claims.flat().toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(rows);
      const { length } = rows;
      expect(await countsOf(provider)).toEqual({ resources: length, counted: length, records: length });
    },
    TIMEOUT_MS,
  );

  it(
    'are counted right while the same ones are created alone and deleted',
    async () => {
      const replicas = [openStore({}), openStore({})] as const;
      const { provider } = new TestDirectory(replicas[0]);
      const results = await Promise.allSettled(
        Array.from({ length: 120 }, async (_, index) => {
          const directory = new TestDirectory(replicas[index % 2] ?? replicas[0], provider);
          const [name, ...others] = [7, 3, 11].map((step) => `u${(index * step) % 20}`) as [string, ...string[]];
          switch (index % 3) {
            case 0:
              return createUsers(
                directory,
                [name, ...others].map((user) => creation(directory, user)),
              );
            case 1:
              return directory.createUser(name);
            default:
              return directory.delete('User', name);
          }
        }),
      );

      const failures = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason.code);
      expect(failures.filter((code) => code !== 'RESOURCE_NOT_FOUND')).toEqual([]);
      const { resources, counted } = await countsOf(provider);
      expect(counted).toBe(resources);
    },
    TIMEOUT_MS,
  );

  /** A server session reports what it met before it is gone. */
  async function waitUntilGone(applicationName: string): Promise<void> {
    const sessions = 'select from pg_stat_activity where application_name = $1';
    while ((await client.query(sessions, [applicationName])).rowCount) {
      await setTimeout(10);
    }
  }

  async function countDeadlocks(): Promise<number> {
    const { rows } = await client.query<{ deadlocks: string }>(
      'select deadlocks from pg_stat_database where datname = current_database()',
    );
    return Number(rows[0]?.deadlocks);
  }
});

/** The same names and external ids in every request, in another order and put together otherwise. */
function crossingUsers(request: number): JsonObject[] {
  return Array.from({ length: 61 }, (_, index) => ({
    method: 'POST',
    path: '/Users',
    bulkId: `b${index}`,
    data: {
      externalId: `e${(index * (request + 1)) % 61}`,
      userName: `n${(index * (2 * request + 3)) % 61}`,
      title: String(request),
    },
  }));
}

async function runBulk(scim: ScimServer, operations: readonly JsonObject[]): Promise<readonly JsonObject[]> {
  const results = (await scim.bulk({ schemas: [BULK_REQUEST_URN], Operations: operations })).Operations;
  return results as readonly JsonObject[];
}
