import { describe, expect, it } from '@jest/globals';
import { PreconditionFailedError, type JsonObject } from '@palisade/domain';
import { userDraft } from './support/drafts.js';
import { changeAt } from './support/store-harness.js';
import type { TestDirectory } from './support/test-directory.js';

/** How resources change. */
export function describeDirectoryUpdateContract(createDirectory: () => TestDirectory): void {
  describe('changes of directory objects', () => {
    describe('update', () => describeUpdate(createDirectory));
    describe('update of what must be unique', () => describeUniqueUpdate(createDirectory));
    describe('deactivateUser', () => describeDeactivation(createDirectory));
  });
}

function describeUpdate(createDirectory: () => TestDirectory): void {
  it('[RFC7643-3.1] raises the version and sets lastModified, not created', async () => {
    const directory = createDirectory();
    await directory.createUser('u1', { title: 'old' });

    const updated = await directory.revise('User', 'u1', { externalId: 'u1', userName: 'u1', title: 'new' }, 5);

    expect(updated).toMatchObject({
      version: 2,
      createdAt: new Date('2026-01-01T00:00:00Z'),
      modifiedAt: new Date('2026-01-01T00:00:05Z'),
      attributes: { userName: 'u1', title: 'new' },
    });
    expect(await directory.find('User', 'u1')).toEqual(updated);
  });

  it('shows the current state, with its search document, to what decides on the revision', async () => {
    const directory = createDirectory();
    const user = await directory.createUser('u1', { userName: 'Ann', title: 'Chief' });
    const seen: unknown[] = [];

    await directory.store.directory.update(
      directory.provider,
      'User',
      'u1',
      (current) => {
        seen.push(current);
        return {};
      },
      changeAt(1),
    );

    expect(seen).toEqual([{ ...user, search: { userName: 'ann', title: 'chief' } }]);
  });

  it('leaves version and lastModified alone when the revision is empty', async () => {
    const directory = createDirectory();
    const user = await directory.createUser('u1');

    const updated = await directory.store.directory.update(directory.provider, 'User', 'u1', () => ({}), changeAt(5));

    expect(updated).toEqual(user);
  });

  it('leaves version and lastModified alone when the draft equals what is stored, in any order of properties', async () => {
    const directory = createDirectory();
    const name = { givenName: 'Ann', familyName: 'Lee' };
    const user = await directory.createUser('u1', { userName: 'ann', title: 'Chief', name });

    const { externalId, attributes, search } = userDraft({ externalId: 'u1', userName: 'ann', title: 'Chief', name });
    const draft = { externalId, attributes: reversed(attributes), search: reversed(search) };
    const update = directory.store.directory.update(directory.provider, 'User', 'u1', () => ({ draft }), changeAt(5));

    expect(await update).toEqual(user);
  });

  it('counts a change of case as a change', async () => {
    const directory = createDirectory();
    await directory.createUser('u1', { userName: 'ann' });

    const updated = await directory.revise('User', 'u1', { externalId: 'u1', userName: 'ANN' });

    expect(updated).toMatchObject({ version: 2, attributes: { userName: 'ANN' } });
  });

  it('changes nothing when the revision is rejected', async () => {
    const directory = createDirectory();
    const user = await directory.createUser('u1');
    const rejection = new PreconditionFailedError('W/"7"', 'W/"1"');

    const update = directory.store.directory.update(
      directory.provider,
      'User',
      'u1',
      () => {
        throw rejection;
      },
      changeAt(1),
    );

    await expect(update).rejects.toBe(rejection);
    expect(await directory.find('User', 'u1')).toEqual(user);
  });

  it('fails for a resource that does not exist', async () => {
    const directory = createDirectory();

    const update = directory.revise('User', 'u1', { userName: 'u1' });

    await expect(update).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND', type: 'User', reference: 'u1' });
  });

  it('finds a resource by what it is after the change and no longer by what it was', async () => {
    const directory = createDirectory();
    await directory.createUser('u1', { userName: 'old', displayName: 'Old' });

    await directory.revise('User', 'u1', { externalId: 'new', userName: 'new', displayName: 'New' });

    expect(await directory.usersWhere('userName eq "old" or displayName eq "old" or externalId eq "u1"')).toEqual([]);
    for (const filter of ['userName eq "new"', 'displayName eq "new"', 'externalId eq "new"']) {
      expect(await directory.usersWhere(filter)).toEqual(['u1']);
    }
  });

  it('can take an externalId away', async () => {
    const directory = createDirectory();
    await directory.createUser('u1');

    const updated = await directory.revise('User', 'u1', { userName: 'u1' });

    expect(updated).toMatchObject({ id: directory.userId('u1'), version: 2 });
    expect(updated.externalId).toBeUndefined();
    expect(await directory.usersWhere('externalId pr')).toEqual([]);
  });

  it('keeps every one of parallel revisions', async () => {
    const directory = createDirectory();
    const { store, provider } = directory;
    await directory.createUser('u1', { emails: [] });
    const addEmail = (value: string) =>
      store.directory.update(
        provider,
        'User',
        'u1',
        ({ externalId, attributes: { emails = [], ...others } }) => ({
          draft: userDraft({
            externalId: externalId ?? null,
            ...others,
            emails: [...(emails as JsonObject[]), { value }],
          }),
        }),
        changeAt(1),
      );

    await Promise.all(Array.from({ length: 20 }, (_, index) => addEmail(`${index}@example.com`)));

    const user = await directory.find('User', 'u1');
    const emails = user?.attributes.emails as readonly { value: string }[] | undefined;
    expect(user?.version).toBe(21);
    expect(new Set(emails?.map(({ value }) => value)).size).toBe(20);
  });
}

function describeUniqueUpdate(createDirectory: () => TestDirectory): void {
  it('rejects the userName of another user, in any case, and changes nothing', async () => {
    const directory = createDirectory();
    await directory.createUser('u1', { userName: 'Ann' });
    const user = await directory.createUser('u2', { userName: 'Bob' });

    const update = directory.revise('User', 'u2', { externalId: 'u2', userName: 'aNN', title: 'x' });

    await expect(update).rejects.toMatchObject({ code: 'UNIQUENESS', attribute: 'userName' });
    expect(await directory.find('User', 'u2')).toEqual(user);
  });

  it('rejects the externalId of another resource of the type', async () => {
    const directory = createDirectory();
    await directory.createUser('u1');
    await directory.createUser('u2');

    const update = directory.revise('User', 'u2', { externalId: 'u1', userName: 'u2' });

    await expect(update).rejects.toMatchObject({ code: 'UNIQUENESS', attribute: 'externalId' });
  });

  it('compares external ids exactly', async () => {
    const directory = createDirectory();
    await directory.createUser('u1');
    await directory.createUser('u2');

    await expect(directory.revise('User', 'u2', { externalId: 'U1', userName: 'u2' })).resolves.toMatchObject({
      externalId: 'U1',
    });
  });

  it('allows the externalId of a resource of the other type', async () => {
    const directory = createDirectory();
    await directory.createGroup('g1');
    await directory.createUser('u1');

    await expect(directory.revise('User', 'u1', { externalId: 'g1', userName: 'u1' })).resolves.toMatchObject({
      externalId: 'g1',
    });
  });

  it('rejects the displayName of another group when asked to', async () => {
    const directory = createDirectory();
    await directory.create('Group', 'g1', { displayName: 'Staff' });
    await directory.create('Group', 'g2', { displayName: 'Others' });

    const update = directory.revise('Group', 'g2', { displayName: 'STAFF' }, 1, { uniqueDisplayName: true });

    await expect(update).rejects.toMatchObject({ code: 'UNIQUENESS', attribute: 'displayName' });
  });

  it('lets a group keep its displayName, or change its case, when display names are unique', async () => {
    const directory = createDirectory();
    await directory.create('Group', 'g1', { displayName: 'Staff' });

    const update = directory.revise('Group', 'g1', { displayName: 'STAFF' }, 1, { uniqueDisplayName: true });

    await expect(update).resolves.toMatchObject({ attributes: { displayName: 'STAFF' } });
  });

  it('gives an externalId to one of two users that claim it at once', async () => {
    const directory = createDirectory();
    await directory.createUser('u1');
    await directory.createUser('u2');

    const results = await Promise.allSettled([
      directory.revise('User', 'u1', { externalId: 'x', userName: 'u1' }),
      directory.revise('User', 'u2', { externalId: 'x', userName: 'u2' }),
    ]);

    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
}

function describeDeactivation(createDirectory: () => TestDirectory): void {
  it('marks a user inactive', async () => {
    const directory = createDirectory();
    await directory.createUser('u1', { active: true, title: 'Chief' });

    const user = await directory.store.directory.deactivateUser(directory.provider, 'u1', changeAt(3));

    expect(user).toMatchObject({ version: 2, attributes: { active: false, title: 'Chief' } });
    expect(await directory.usersWhere('active eq false')).toEqual(['u1']);
  });

  it('succeeds without a change when the user is inactive already', async () => {
    const directory = createDirectory();
    const user = await directory.createUser('u1', { active: false });

    expect(await directory.store.directory.deactivateUser(directory.provider, 'u1', changeAt(3))).toEqual(user);
  });

  it('fails when there is no such user', async () => {
    const directory = createDirectory();

    await expect(directory.store.directory.deactivateUser(directory.provider, 'u1', changeAt(3))).rejects.toMatchObject(
      { code: 'RESOURCE_NOT_FOUND' },
    );
  });
}

function reversed(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).reverse());
}
