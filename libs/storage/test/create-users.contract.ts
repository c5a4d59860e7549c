import { describe, expect, it } from '@jest/globals';
import type { JsonObject, StoredUser, UserCreation } from '@palisade/domain';
import { userDraft } from './support/drafts.js';
import { createProvider } from './support/provider-samples.js';
import { listSealed, withoutPlace } from './support/log-harness.js';
import { changeAt } from './support/store-harness.js';
import { localIdOf, type TestDirectory } from './support/test-directory.js';

/** A user with this external id and, unless told otherwise, user name. */
function creation(directory: TestDirectory, localId: string, body: JsonObject = {}, second = 0): UserCreation {
  const draft = userDraft({ externalId: localId, userName: localId, ...body });
  return { id: directory.userId(localId), draft, change: changeAt(second) };
}

function createUsers(
  directory: TestDirectory,
  users: readonly UserCreation[],
  options?: { readonly registeredProvider: boolean },
): Promise<readonly (StoredUser | undefined)[]> {
  return directory.store.directory.createUsers(directory.provider, users, options);
}

/** Last parts of the identifiers of those that were stored, and undefined for the others. */
function localIds(users: readonly (StoredUser | undefined)[]): (string | undefined)[] {
  return users.map((user) => user && localIdOf(user.id));
}

/** Creating users together is creating them one after the other. */
export function describeCreateUsersContract(createDirectory: () => TestDirectory): void {
  describe('creating users together', () => {
    it('gives each user as it is found afterwards', async () => {
      const directory = createDirectory();
      const users = await createUsers(directory, [
        creation(directory, 'u1', { title: 'Countess', emails: [{ value: 'u1@example.com', primary: true }] }, 1),
        creation(directory, 'u2', { externalId: null, displayName: 'Quote " \\ {x},NULL' }, 2),
      ]);
      expect(users).toMatchObject([
        { type: 'User', externalId: 'u1', version: 1, createdAt: changeAt(1).at, modifiedAt: changeAt(1).at },
        { type: 'User', version: 1, createdAt: changeAt(2).at, attributes: { displayName: 'Quote " \\ {x},NULL' } },
      ]);
      expect(await directory.find('User', 'u1')).toEqual(users[0]);
      expect(await directory.find('User', 'u2')).toEqual(users[1]);
    });

    it('finds them by what they hold, counts them and lists them in the order given', async () => {
      const directory = createDirectory();
      const names = Array.from({ length: 30 }, (_, index) => `u${(index * 7) % 30}`);
      await createUsers(
        directory,
        names.map((name) => creation(directory, name, { title: `Title ${name}` })),
      );
      expect(await directory.list({})).toEqual(names);
      expect(await directory.usersWhere('title eq "title u7"')).toEqual(['u7']);
    });

    it('leaves out whose identifier, externalId or userName another user has, and stores the others', async () => {
      const directory = createDirectory();
      await directory.createUser('id', { externalId: 'moved' });
      await directory.createUser('other', { externalId: 'taken', userName: 'Ada' });
      const users = await createUsers(directory, [
        creation(directory, 'u1'),
        creation(directory, 'id', { userName: 'new' }),
        creation(directory, 'u2', { externalId: 'taken' }),
        creation(directory, 'u3', { userName: 'aDA' }),
        creation(directory, 'u4'),
      ]);
      expect(localIds(users)).toEqual(['u1', undefined, undefined, undefined, 'u4']);
      expect(await directory.list({})).toEqual(['id', 'other', 'u1', 'u4']);
    });

    it('changes nothing of a user who exists already', async () => {
      const directory = createDirectory();
      const before = await directory.createUser('u1', { title: 'Countess' });
      expect(await createUsers(directory, [creation(directory, 'u1', { title: 'Duchess' })])).toEqual([undefined]);
      expect(await directory.find('User', 'u1')).toEqual(before);
    });

    it('stores the first of those that cannot both be', async () => {
      const directory = createDirectory();
      const users = await createUsers(directory, [
        creation(directory, 'u1', { userName: 'Ada' }),
        creation(directory, 'u2', { userName: 'ADA' }),
        creation(directory, 'u1', { userName: 'bob', externalId: 'another' }),
        creation(directory, 'u3', { externalId: 'u1' }),
        creation(directory, 'u4'),
      ]);
      expect(localIds(users)).toEqual(['u1', undefined, undefined, undefined, 'u4']);
      expect(await directory.find('User', 'u1')).toMatchObject({ attributes: { userName: 'Ada' } });
    });

    it('writes one record for each that is stored, in their order, and none for the others', async () => {
      const directory = createDirectory();
      const { provider, store } = directory;
      await directory.createUser('u2');
      await createUsers(directory, [
        creation(directory, 'u3', {}, 3),
        creation(directory, 'u2', {}, 2),
        creation(directory, 'u1', {}, 1),
        creation(directory, 'u1', { userName: 'again' }, 4),
      ]);
      const records = await listSealed(store, { provider });
      const common = { provider, userId: 'tester', action: 'user.create', result: 'success' };
      const madeAt = (second: number) => ({ timestamp: changeAt(second).at, requestId: `request-${second}` });
      expect(records.slice(1).map(withoutPlace)).toEqual([
        { ...common, ...madeAt(3), resource: directory.userId('u3') },
        { ...common, ...madeAt(1), resource: directory.userId('u1') },
      ]);
      expect(records).toHaveLength(3);
    });

    it('keeps apart what providers hold', async () => {
      const [one, other] = [createDirectory(), createDirectory()];
      await one.createUser('u1');
      expect(localIds(await createUsers(other, [creation(other, 'u1')]))).toEqual(['u1']);
      expect(await one.list({})).toEqual(['u1']);
    });

    it('stores nobody in a provider that must be registered and is not', async () => {
      const directory = createDirectory();
      const user = creation(directory, 'u1');
      expect(await createUsers(directory, [user], { registeredProvider: true })).toEqual([undefined]);
      expect(await directory.list({})).toEqual([]);
      expect(await listSealed(directory.store, { provider: directory.provider })).toEqual([]);
      await createProvider(directory.store, directory.provider);
      expect(localIds(await createUsers(directory, [user], { registeredProvider: true }))).toEqual(['u1']);
    });

    it('stores nothing when there is nobody to store', async () => {
      expect(await createUsers(createDirectory(), [])).toEqual([]);
    });
  });
}
