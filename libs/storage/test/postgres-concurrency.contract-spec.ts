import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseProviderId, type Store } from '@palisade/domain';
import { Client } from 'pg';
import { PostgresStore } from '../src/postgres/postgres-store.js';
import { createScratchDatabase, type ScratchDatabase } from './scratch-database.js';
import { changeAt } from './support/store-harness.js';
import { TestDirectory } from './support/test-directory.js';

const TIMEOUT_MS = 180_000;

/** What two replicas do to one database at the same time. */
describe('postgres stores on one database', () => {
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

  it(
    'never leave a membership of a user who is deleted while being added',
    async () => {
      const provider = parseProviderId('added-and-deleted');
      const [one, other] = stores.map((store) => new TestDirectory(store, provider)) as [TestDirectory, TestDirectory];
      const groups = ['g1', 'g2', 'g3'];
      await Promise.all(groups.map((group) => one.createGroup(group)));

      for (let round = 0; round < 30; round++) {
        const { id } = await one.createUser(`u${round}`);
        const results = await Promise.allSettled([
          ...groups.map((group) => one.changeMembers(group, [{ kind: 'add', ids: [id] }])),
          other.delete('User', id),
          ...groups.map((group) => other.changeMembers(group, [{ kind: 'remove', ids: [id] }])),
        ]);
        const failures = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason.code);
        expect(failures.filter((code) => code !== 'UNKNOWN_MEMBER')).toEqual([]);
      }

      const { rows } = await client.query('select member_id from memberships where provider_id = $1', [provider]);
      expect(rows).toEqual([]);
      for (const group of groups) {
        expect(await one.find('Group', group)).toMatchObject({ memberCount: 0 });
      }
    },
    TIMEOUT_MS,
  );

  it(
    'count members right, whatever is added and removed at once',
    async () => {
      const provider = parseProviderId('counted');
      const directories = stores.map((store) => new TestDirectory(store, provider));
      const [one] = directories as [TestDirectory];
      const users = await Promise.all(Array.from({ length: 20 }, (_, index) => one.createUser(`u${index}`)));
      await one.createGroup('g1');

      await Promise.all(
        users.flatMap(({ id }) =>
          directories.flatMap((directory) => [
            directory.changeMembers('g1', [{ kind: 'add', ids: [id] }]),
            directory.changeMembers('g1', [{ kind: 'remove', ids: [id] }]),
          ]),
        ),
      );

      const group = await one.find('Group', 'g1', { members: true });
      expect(group?.memberCount).toBe(group?.members?.length);
    },
    TIMEOUT_MS,
  );

  it(
    'answer every one of competing creates and deletes',
    async () => {
      const provider = parseProviderId('competing');
      const directories = stores.map((store) => new TestDirectory(store, provider));

      const results = await Promise.allSettled(
        Array.from({ length: 60 }, (_, index) => {
          const directory = directories[index % 2] as TestDirectory;
          return index % 3 === 0 ? directory.delete('User', 'u1') : directory.createUser('u1');
        }),
      );

      const failures = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason.code);
      expect(failures.filter((code) => code !== 'RESOURCE_NOT_FOUND')).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'reconcile while users are deactivated and groups change',
    async () => {
      const provider = parseProviderId('reconciled');
      const [one, other] = stores.map((store) => new TestDirectory(store, provider)) as [TestDirectory, TestDirectory];
      const users = await Promise.all(Array.from({ length: 10 }, (_, index) => one.createUser(`u${index}`)));
      const ids = users.map(({ id }) => id);
      await Promise.all(['g1', 'g2', 'g3', 'g4'].map((group) => one.createGroup(group, ids)));

      await Promise.all([
        ...ids.map((id) => one.store.directory.deactivateUser(provider, id, changeAt(1))),
        ...[1, 2, 3].map(() => other.store.directory.reconcileDeprovisioned(provider, { apply: true }, changeAt(2))),
        ...['g4', 'g3', 'g2', 'g1'].map((group) => other.changeMembers(group, [{ kind: 'remove', ids }])),
      ]);
      await one.store.directory.reconcileDeprovisioned(provider, { apply: true }, changeAt(3));

      for (const group of ['g1', 'g2', 'g3', 'g4']) {
        expect(await one.find('Group', group, { members: true })).toMatchObject({ memberCount: 0, members: [] });
      }
    },
    TIMEOUT_MS,
  );
});
