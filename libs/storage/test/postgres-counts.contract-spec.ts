import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseProviderId, type ProviderId, type ResourcePage, type ResourceQuery, type Store } from '@palisade/domain';
import { Client } from 'pg';
import { PostgresStore } from '../src/postgres/postgres-store.js';
import { createScratchDatabase, type ScratchDatabase } from './scratch-database.js';
import { deleteUsersWhere, insertUsers } from './support/bulk-users.js';
import { createProvider } from './support/provider-samples.js';
import { queryFor } from './support/queries.js';
import { changeAt, freshProvider } from './support/store-harness.js';
import { TestDirectory, localIdOf } from './support/test-directory.js';

const TIMEOUT_MS = 180_000;

describe('counts of the postgres store', () => {
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

  /** Buckets in which something is counted that is not there, or is there and not counted. */
  async function findMistakes(): Promise<unknown[]> {
    const { rows } = await client.query(`
      select * from (
        select provider_id, resource_type, bucket, sum(count) as counted from resource_counts
        group by 1, 2, 3 having sum(count) <> 0) counts
      full join (
        select provider_id, resource_type, sequence >> 12 as bucket, count(*) as held from resources group by 1, 2, 3
      ) held using (provider_id, resource_type, bucket)
      where counted is distinct from held`);
    return rows;
  }

  it(
    'are right after creates, deletes and removals of the provider at the same time',
    async () => {
      const provider = parseProviderId('changing');
      const directories = stores.map((store) => new TestDirectory(store, provider)) as [TestDirectory, TestDirectory];

      for (let round = 0; round < 4; round++) {
        await createProvider(stores[0], provider);
        const results = await Promise.allSettled(
          Array.from({ length: 120 }, async (_, index) => {
            const directory = directories[index % 2] as TestDirectory;
            const name = `u${(index * 7) % 20}`;
            switch (index % 5) {
              case 0:
              case 1:
                return directory.createUser(name);
              case 2:
                return directory.delete('User', name);
              case 3:
                return directory.createGroup(`g${index % 7}`, [directory.userId(name)], { uniqueDisplayName: true });
              default:
                return index % 40 === 39
                  ? directory.store.providers.delete(provider, changeAt(1))
                  : directory.delete('Group', `g${index % 7}`);
            }
          }),
        );
        const failures = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason.code);
        expect(failures).not.toContain('STORE_UNAVAILABLE');
        expect(await findMistakes()).toEqual([]);
        await Promise.allSettled([stores[0].providers.delete(provider, changeAt(2))]);
      }

      expect(await findMistakes()).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it('count a group with members once, and one that is rejected not at all', async () => {
    const directory = new TestDirectory(stores[0]);
    const { id } = await directory.createUser('u1');

    await directory.createGroup('g1', [id]);
    await directory.createGroup('g1', [id]);
    await expect(directory.createGroup('g2', [directory.userId('nobody')])).rejects.toThrow();

    expect(await listFrom(directory.provider, 1, 0, ['User', 'Group'])).toMatchObject({ total: 2 });
    expect(await findMistakes()).toEqual([]);
  });

  it('leave nothing behind of a provider that is removed', async () => {
    const directory = new TestDirectory(stores[0]);
    const { provider } = directory;
    await createProvider(stores[0], provider);
    await directory.createUser('u1');
    await directory.createGroup('g1');

    await stores[0].providers.delete(provider, changeAt(1));

    const { rows } = await client.query('select from resource_counts where provider_id = $1', [provider]);
    expect(rows).toEqual([]);
  });

  it(
    'agree with the page that they come with while resources are created',
    async () => {
      const directory = new TestDirectory(stores[0]);
      const readTwentyTimes = async (): Promise<void> => {
        for (let reading = 1; reading <= 20; reading++) {
          const { total, items } = await listFrom(directory.provider, 1, 1000);
          expect(items).toHaveLength(total);
        }
      };

      await Promise.all([
        ...Array.from({ length: 200 }, (_, index) => directory.createUser(`u${index}`)),
        readTwentyTimes(),
      ]);
    },
    TIMEOUT_MS,
  );

  async function listFrom(
    provider: ProviderId,
    startIndex: number,
    count: number,
    types: readonly ('User' | 'Group')[] = ['User'],
  ): Promise<Pick<ResourcePage<string>, 'total' | 'items'>> {
    const [first = { type: 'User' }, ...others] = types.map((type) => ({ type }));
    const query: ResourceQuery = {
      ...queryFor({ page: { kind: 'index', startIndex, count } }),
      selections: [first, ...others],
    };
    const { total, items } = await stores[1].directory.list(provider, query);
    return { total, items: items.map(({ id }) => localIdOf(id)) };
  }

  describe('lead to a page', () => {
    const provider = freshProvider();
    let users: string[];
    let everything: string[];

    /** More than four buckets of users: one of them empty, one nearly so, the others with holes; and a few groups. */
    beforeAll(async () => {
      const directory = new TestDirectory(stores[0], provider);
      await directory.createGroup('first');
      await insertUsers(client, provider, 18_000);
      await directory.createGroup('last');
      await deleteUsersWhere(client, provider, 'i % 7 = 0 or i between 4000 and 8300 or i between 8500 and 12000');
      const { rows } = await client.query<{ id: string }>(
        'select id from resources where provider_id = $1 order by sequence',
        [provider],
      );
      everything = rows.map(({ id }) => localIdOf(id));
      users = everything.filter((name) => name !== 'first' && name !== 'last');
    }, TIMEOUT_MS);

    it('that is the slice of the whole list, wherever it begins', async () => {
      const last = users.length;
      for (const start of [1, 2, 3_428, 3_429, 3_430, 3_600, 3_610, 5_000, 8_000, last - 9, last, last + 1, 1e6]) {
        expect({ start, ...(await listFrom(provider, start, 10)) }).toEqual({
          start,
          total: last,
          items: users.slice(start - 1, start + 9),
        });
      }
    });

    it('across types', async () => {
      const last = everything.length;
      for (const start of [1, 2, 3_429, 3_431, 5_001, last - 9, last, last + 1]) {
        expect({ start, ...(await listFrom(provider, start, 10, ['User', 'Group'])) }).toEqual({
          start,
          total: last,
          items: everything.slice(start - 1, start + 9),
        });
      }
    });

    it('once after the other, without gaps', async () => {
      const pages: string[] = [];
      for (let start = 1; start <= users.length; start += 999) {
        pages.push(...(await listFrom(provider, start, 999)).items);
      }

      expect(pages).toEqual(users);
    });

    it('with the total behind a cursor and in any order', async () => {
      const cursor = { kind: 'cursor', after: { sequence: 15_000 }, count: 10 } as const;

      expect(await stores[1].directory.list(provider, queryFor({ page: cursor }))).toMatchObject({
        total: users.length,
      });
      expect(await stores[1].directory.list(provider, queryFor({ page: cursor, sortBy: 'userName' }))).toMatchObject({
        total: users.length,
      });
    });
  });
});
