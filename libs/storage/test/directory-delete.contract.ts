import { describe, expect, it } from '@jest/globals';
import { PreconditionFailedError, type JsonObject, type ResourceDraft } from '@palisade/domain';
import { changeAt } from './support/store-harness.js';
import type { TestDirectory } from './support/test-directory.js';

/** How resources go, and that what a caller holds is not what the store holds. */
export function describeDirectoryDeleteContract(createDirectory: () => TestDirectory): void {
  describe('deletion and values of directory objects', () => {
    describe('delete', () => describeDelete(createDirectory));
    describe('values', () => describeValues(createDirectory));
  });
}

function describeDelete(createDirectory: () => TestDirectory): void {
  it('[RFC7644-3.6] removes the resource from every answer', async () => {
    const directory = createDirectory();
    const { id } = await directory.createUser('u1', { userName: 'ann' });

    await directory.delete('User', 'u1');

    expect(await directory.find('User', 'u1')).toBeUndefined();
    expect(await directory.find('User', id)).toBeUndefined();
    expect(await directory.usersWhere('userName eq "ann"')).toEqual([]);
    expect(await directory.list({})).toEqual([]);
  });

  it('[RFC7644-3.6] fails for a resource that was deleted already', async () => {
    const directory = createDirectory();
    await directory.createUser('u1');
    await directory.delete('User', 'u1');

    await expect(directory.delete('User', 'u1')).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
  });

  it('succeeds for one of several deletes at once', async () => {
    const directory = createDirectory();
    await directory.createUser('u1');

    const results = await Promise.allSettled(Array.from({ length: 5 }, () => directory.delete('User', 'u1')));

    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results.filter(({ status }) => status === 'rejected')) {
      expect(result).toMatchObject({ reason: { code: 'RESOURCE_NOT_FOUND' } });
    }
  });

  it('deletes nothing when the check rejects', async () => {
    const directory = createDirectory();
    const user = await directory.createUser('u1');
    const seen: unknown[] = [];

    const deletion = directory.store.directory.delete(directory.provider, 'User', 'u1', changeAt(1), (current) => {
      seen.push(current);
      throw new PreconditionFailedError('W/"7"', 'W/"1"');
    });

    await expect(deletion).rejects.toThrow(PreconditionFailedError);
    expect(seen).toEqual([user]);
    expect(await directory.find('User', 'u1')).toEqual(user);
  });

  it('makes room for a new resource with the same identifier, which starts over', async () => {
    const directory = createDirectory();
    await directory.createUser('u1', { title: 'old' });
    await directory.revise('User', 'u1', { externalId: 'u1', userName: 'u1', title: 'older' });
    await directory.delete('User', 'u1');

    const user = await directory.createUser('u1', { title: 'new' });

    expect(user).toMatchObject({ version: 1, attributes: { title: 'new' } });
  });
}

function describeValues(createDirectory: () => TestDirectory): void {
  it('does not change when the caller changes what it handed in', async () => {
    const directory = createDirectory();
    const attributes = { userName: 'ann', name: { givenName: 'Ann' } };
    const draft: ResourceDraft = { attributes, search: { userName: 'ann', name: { givenName: 'ann' } } };
    const change = { actor: 'tester', at: new Date('2026-01-01T00:00:00Z') };
    await directory.store.directory.create(directory.provider, 'User', directory.userId('u1'), draft, change);

    attributes.name.givenName = 'Eve';
    change.at.setTime(0);

    expect(await directory.find('User', 'u1')).toMatchObject({
      createdAt: new Date('2026-01-01T00:00:00Z'),
      attributes: { name: { givenName: 'Ann' } },
    });
  });

  it('does not change when the caller changes what it was given', async () => {
    const directory = createDirectory();
    const user = await directory.createUser('u1', { userName: 'ann', emails: [{ value: 'a@example.com' }] });
    const given = await directory.find('User', 'u1');

    given?.createdAt.setTime(0);
    Reflect.set(given?.attributes ?? {}, 'userName', 'eve');
    const emails = given?.attributes.emails as readonly JsonObject[] | undefined;
    Reflect.deleteProperty(emails?.[0] ?? {}, 'value');

    expect(await directory.find('User', 'u1')).toEqual(user);
  });
}
