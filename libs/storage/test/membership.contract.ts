import { describe, expect, it } from '@jest/globals';
import { memberFilterOf } from './support/queries.js';
import { changeAt } from './support/store-harness.js';
import type { TestDirectory } from './support/test-directory.js';

/** How members of groups change. */
export function describeMembershipContract(createDirectory: () => TestDirectory): void {
  describe('memberships', () => {
    describe('changes of members', () => describeChanges(createDirectory));
    describe('changes without effect', () => describeNoChange(createDirectory));
    describe('deletion', () => describeDeletion(createDirectory));
  });
}

function describeChanges(createDirectory: () => TestDirectory): void {
  it('keeps members in the order in which they were added, each once', async () => {
    const directory = createDirectory();
    const [u1, u2, u3] = await directory.createFiveUsers();
    await directory.createGroup('g1', [u3, u1, u3]);

    const group = await directory.changeMembers('g1', [{ kind: 'add', ids: [u2, u1, u2] }], 5);

    expect(group).toMatchObject({ version: 2, memberCount: 3, modifiedAt: new Date('2026-01-01T00:00:05Z') });
    expect(await directory.members('g1')).toEqual([u3, u1, u2]);
  });

  it('removes the given members only', async () => {
    const directory = createDirectory();
    const [u1, u2, u3, u4] = await directory.createFiveUsers();
    await directory.createGroup('g1', [u1, u2, u3]);

    const group = await directory.changeMembers('g1', [{ kind: 'remove', ids: [u2, u4] }]);

    expect(group).toMatchObject({ version: 2, memberCount: 2 });
    expect(await directory.members('g1')).toEqual([u1, u3]);
  });

  it('replaces all members; those that stay keep their place', async () => {
    const directory = createDirectory();
    const [u1, u2, u3, u4] = await directory.createFiveUsers();
    await directory.createGroup('g1', [u1, u2, u3]);

    await directory.changeMembers('g1', [{ kind: 'replace', ids: [u4, u3, u1, u3] }]);

    expect(await directory.members('g1')).toEqual([u1, u3, u4]);
  });

  it('replaces all members by none', async () => {
    const directory = createDirectory();
    const [u1, u2] = await directory.createFiveUsers();
    await directory.createGroup('g1', [u1, u2]);

    const group = await directory.changeMembers('g1', [{ kind: 'replace', ids: [] }]);

    expect(group).toMatchObject({ version: 2, memberCount: 0 });
    expect(await directory.members('g1')).toEqual([]);
  });

  it.each([
    ['type eq "Group"', ['u1', 'u2']],
    ['display sw "ANN"', ['u2', 'inner']],
    ['display pr', []],
    ['not (value pr)', ['u1', 'u2', 'inner']],
    ['type eq "user" and display co "b"', ['u1', 'inner']],
  ])('[RFC7644-3.5.2.2] removes the members that match: %s', async (filter, remaining) => {
    const directory = createDirectory();
    const ann = await directory.createUser('u1', { userName: 'ann' });
    const bob = await directory.createUser('u2', { displayName: 'Bob' });
    const inner = await directory.createGroup('inner');
    await directory.createGroup('g1', [ann.id, bob.id, inner.id]);

    await directory.changeMembers('g1', [{ kind: 'removeMatching', filter: memberFilterOf(filter) }]);

    expect((await directory.members('g1')).map((id) => id.split(':').at(-1))).toEqual(remaining);
  });

  it('applies the steps of one change in their order', async () => {
    const directory = createDirectory();
    const [u1, u2, u3, u4] = await directory.createFiveUsers();
    await directory.createGroup('g1', [u1]);

    const group = await directory.changeMembers('g1', [
      { kind: 'add', ids: [u2] },
      { kind: 'replace', ids: [u2, u3] },
      { kind: 'remove', ids: [u2] },
      { kind: 'add', ids: [u4] },
      { kind: 'removeMatching', filter: memberFilterOf('display eq "u3"') },
    ]);

    expect(group).toMatchObject({ version: 2, memberCount: 1 });
    expect(await directory.members('g1')).toEqual([u4]);
  });

  it('changes attributes and members together', async () => {
    const directory = createDirectory();
    const [u1] = await directory.createFiveUsers();
    await directory.createGroup('g1');

    const group = await directory.store.directory.update(
      directory.provider,
      'Group',
      'g1',
      ({ search }) => ({
        draft: { attributes: { displayName: 'New' }, search: { ...search, displayName: 'new' } },
        members: [{ kind: 'add', ids: [u1] }],
      }),
      changeAt(2),
      { include: { members: true } },
    );

    expect(group).toMatchObject({
      version: 2,
      attributes: { displayName: 'New' },
      members: [{ id: u1, display: 'u1' }],
    });
  });

  it('keeps every one of parallel additions', async () => {
    const directory = createDirectory();
    const users = await Promise.all(Array.from({ length: 20 }, (_, index) => directory.createUser(`u${index}`)));
    await directory.createGroup('g1');

    await Promise.all(users.map(({ id }) => directory.changeMembers('g1', [{ kind: 'add', ids: [id] }])));

    expect(new Set(await directory.members('g1'))).toEqual(new Set(users.map(({ id }) => id)));
    expect(await directory.find('Group', 'g1')).toMatchObject({ version: 21, memberCount: 20 });
  });

  it('keeps parallel additions and removals of different members', async () => {
    const directory = createDirectory();
    const [u1, u2, u3, u4, u5] = await directory.createFiveUsers();
    await directory.createGroup('g1', [u1, u2, u3]);

    await Promise.all([
      directory.changeMembers('g1', [{ kind: 'remove', ids: [u1] }]),
      directory.changeMembers('g1', [{ kind: 'add', ids: [u4] }]),
      directory.changeMembers('g1', [{ kind: 'remove', ids: [u3] }]),
      directory.changeMembers('g1', [{ kind: 'add', ids: [u5] }]),
    ]);

    expect((await directory.members('g1')).sort()).toEqual([u2, u4, u5]);
  });

  it('keeps one of parallel additions of the same member', async () => {
    const directory = createDirectory();
    const [u1] = await directory.createFiveUsers();
    await directory.createGroup('g1');

    await Promise.all(Array.from({ length: 10 }, () => directory.changeMembers('g1', [{ kind: 'add', ids: [u1] }])));

    expect(await directory.find('Group', 'g1')).toMatchObject({ version: 2, memberCount: 1 });
  });
}

function describeNoChange(createDirectory: () => TestDirectory): void {
  it('leaves version and lastModified alone when every step leaves the members as they are', async () => {
    const directory = createDirectory();
    const [u1, u2, u3] = await directory.createFiveUsers();
    const group = await directory.createGroup('g1', [u1, u2]);

    const same = await directory.changeMembers('g1', [
      { kind: 'add', ids: [u1] },
      { kind: 'add', ids: [] },
      { kind: 'remove', ids: [u3] },
      { kind: 'removeMatching', filter: memberFilterOf('type eq "group"') },
      { kind: 'replace', ids: [u2, u1] },
    ]);

    expect(same).toEqual(group);
  });

  it('leaves version, lastModified and order alone when one step undoes the other', async () => {
    const directory = createDirectory();
    const [u1, u2, u3] = await directory.createFiveUsers();
    const group = await directory.createGroup('g1', [u1, u2]);

    const same = await directory.changeMembers('g1', [
      { kind: 'add', ids: [u3] },
      { kind: 'remove', ids: [u3] },
      { kind: 'remove', ids: [u1] },
      { kind: 'add', ids: [u1] },
    ]);

    expect(same).toEqual(group);
    expect(await directory.members('g1')).toEqual([u1, u2]);
  });
}

function describeDeletion(createDirectory: () => TestDirectory): void {
  it('ends the memberships of a deleted user and gives its groups, and only them, a new version', async () => {
    const directory = createDirectory();
    const [u1, u2] = await directory.createFiveUsers();
    const inner = await directory.createGroup('inner', [u1, u2]);
    await directory.createGroup('other', [u1]);
    const outer = await directory.createGroup('outer', [inner.id]);

    await directory.delete('User', 'u1', 6);

    const modifiedAt = new Date('2026-01-01T00:00:06Z');
    expect(await directory.find('Group', 'inner')).toMatchObject({ version: 2, modifiedAt, memberCount: 1 });
    expect(await directory.find('Group', 'other')).toMatchObject({ version: 2, modifiedAt, memberCount: 0 });
    expect(await directory.find('Group', 'outer')).toEqual(outer);
    expect(await directory.members('inner')).toEqual([u2]);
  });

  it('ends the memberships of a deleted group in both directions', async () => {
    const directory = createDirectory();
    const [u1] = await directory.createFiveUsers();
    const inner = await directory.createGroup('inner', [u1]);
    await directory.createGroup('outer', [inner.id]);

    await directory.delete('Group', 'inner', 6);

    expect(await directory.find('Group', 'outer')).toMatchObject({ version: 2, memberCount: 0 });
    expect(await directory.find('User', 'u1', { groups: true })).toMatchObject({ version: 1, groups: [] });
  });

  it('gives a re-created resource none of its former memberships', async () => {
    const directory = createDirectory();
    const [u1] = await directory.createFiveUsers();
    await directory.createGroup('g1', [u1]);
    await directory.delete('User', 'u1');
    await directory.delete('Group', 'g1');

    await directory.createUser('u1');
    await directory.createGroup('g1');

    expect(await directory.members('g1')).toEqual([]);
    expect((await directory.find('User', 'u1', { groups: true }))?.groups).toEqual([]);
  });

  it('keeps memberships of an inactive user', async () => {
    const directory = createDirectory();
    const [u1] = await directory.createFiveUsers();
    await directory.createGroup('g1', [u1]);

    await directory.store.directory.deactivateUser(directory.provider, 'u1', changeAt(1));

    expect(await directory.members('g1')).toEqual([u1]);
  });
}
