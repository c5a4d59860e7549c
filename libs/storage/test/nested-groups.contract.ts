import { describe, expect, it } from '@jest/globals';
import type { ResourceId } from '@palisade/domain';
import type { TestDirectory } from './support/test-directory.js';

/** Groups in groups, and what their members inherit. */
export function describeNestedGroupsContract(createDirectory: () => TestDirectory): void {
  describe('nested groups', () => {
    describe('cycles', () => describeCycles(createDirectory));
    describe('groups of a user', () => describeGroupsOfUser(createDirectory));
  });
}

function describeCycles(createDirectory: () => TestDirectory): void {
  it('accepts groups as members', async () => {
    const directory = createDirectory();
    const inner = await directory.createGroup('inner');

    await directory.createGroup('outer', [inner.id]);

    expect(await directory.members('outer')).toEqual([inner.id]);
  });

  it('refuses a group as a member of itself', async () => {
    const directory = createDirectory();
    const group = await directory.createGroup('g1');

    const change = directory.changeMembers('g1', [{ kind: 'add', ids: [group.id] }]);

    await expect(change).rejects.toMatchObject({ code: 'MEMBERSHIP_CYCLE', group: group.id, member: group.id });
  });

  it('refuses to create a group as a member of itself', async () => {
    const directory = createDirectory();

    const create = directory.createGroup('g1', [directory.groupId('g1')], { unknownMembers: 'accept' });

    await expect(create).rejects.toMatchObject({ code: 'MEMBERSHIP_CYCLE' });
    expect(await directory.find('Group', 'g1')).toBeUndefined();
  });

  it('refuses a cycle through other groups, and changes nothing', async () => {
    const directory = createDirectory();
    const a = await directory.createGroup('a');
    const b = await directory.createGroup('b', [a.id]);
    const c = await directory.createGroup('c', [b.id]);

    const change = directory.changeMembers('a', [{ kind: 'add', ids: [c.id] }]);

    await expect(change).rejects.toMatchObject({ code: 'MEMBERSHIP_CYCLE', group: a.id, member: c.id });
    expect(await directory.find('Group', 'a')).toEqual(a);
  });

  it('accepts a group that is contained in two ways', async () => {
    const directory = createDirectory();
    const a = await directory.createGroup('a');
    const b = await directory.createGroup('b', [a.id]);
    const c = await directory.createGroup('c', [a.id]);

    await directory.createGroup('d', [b.id, c.id, a.id]);

    expect(await directory.members('d')).toEqual([b.id, c.id, a.id]);
  });

  it('accepts the other direction once the first is removed', async () => {
    const directory = createDirectory();
    const a = await directory.createGroup('a');
    const b = await directory.createGroup('b', [a.id]);

    await directory.changeMembers('b', [{ kind: 'remove', ids: [a.id] }]);
    await directory.changeMembers('a', [{ kind: 'add', ids: [b.id] }]);

    expect(await directory.members('a')).toEqual([b.id]);
  });

  it('refuses a cycle through a group that was a member before it existed', async () => {
    const directory = createDirectory();
    const b = await directory.createGroup('b', [directory.groupId('a')], { unknownMembers: 'accept' });

    await expect(directory.createGroup('a', [b.id])).rejects.toMatchObject({ code: 'MEMBERSHIP_CYCLE' });
  });

  it('lets exactly one of two changes succeed that would make a cycle together', async () => {
    const directory = createDirectory();
    for (const round of [1, 2, 3, 4, 5]) {
      const a = await directory.createGroup(`a${round}`);
      const b = await directory.createGroup(`b${round}`);

      const results = await Promise.allSettled([
        directory.changeMembers(`a${round}`, [{ kind: 'add', ids: [b.id] }]),
        directory.changeMembers(`b${round}`, [{ kind: 'add', ids: [a.id] }]),
      ]);

      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: { code: 'MEMBERSHIP_CYCLE' },
      });
    }
  });

  it('refuses one of parallel changes that would close a ring of groups', async () => {
    const directory = createDirectory();
    const names = ['r0', 'r1', 'r2', 'r3', 'r4', 'r5'];
    await Promise.all(names.map((name) => directory.createGroup(name)));

    const results = await Promise.allSettled(
      names.map((name, index) =>
        directory.changeMembers(name, [{ kind: 'add', ids: [directory.groupId(names[(index + 1) % 6] ?? '')] }]),
      ),
    );

    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  });
}

function describeGroupsOfUser(createDirectory: () => TestDirectory): void {
  it('[RFC7643-4.1.2] lists direct and inherited groups by id; direct wins over inherited', async () => {
    const directory = createDirectory();
    const [u1] = await directory.createFiveUsers();
    const b = await directory.createGroup('b', [u1]);
    const a = await directory.createGroup('a', [b.id]);
    const c = await directory.createGroup('c', [a.id, u1]);
    await directory.createGroup('unrelated');

    const user = await directory.find('User', 'u1', { groups: true });

    expect(user?.groups).toEqual([
      { id: a.id, display: 'a', direct: false },
      { id: b.id, display: 'b', direct: true },
      { id: c.id, display: 'c', direct: true },
    ]);
  });

  it('orders groups by code point', async () => {
    const directory = createDirectory();
    const [u1] = await directory.createFiveUsers();
    for (const name of ['\u{1F600}', '\uFA0E', 'Z', 'a', '-']) {
      await directory.createGroup(name, [u1]);
    }

    const user = await directory.find('User', 'u1', { groups: true });

    expect(user?.groups?.map(({ display }) => display)).toEqual(['-', 'Z', 'a', '\uFA0E', '\u{1F600}']);
  });

  it('follows a renamed group', async () => {
    const directory = createDirectory();
    const [u1] = await directory.createFiveUsers();
    await directory.createGroup('g1', [u1]);

    await directory.revise('Group', 'g1', { externalId: 'g1', displayName: 'Renamed' });

    expect((await directory.find('User', 'u1', { groups: true }))?.groups).toMatchObject([{ display: 'Renamed' }]);
  });

  it('leaves groups and members out unless they are asked for', async () => {
    const directory = createDirectory();
    const [u1] = await directory.createFiveUsers();
    await directory.createGroup('g1', [u1]);

    expect(await directory.find('User', 'u1')).not.toHaveProperty('groups');
    expect(await directory.find('Group', 'g1')).not.toHaveProperty('members');
  });

  it('inherits through a long chain of groups', async () => {
    const directory = createDirectory();
    const [u1] = await directory.createFiveUsers();
    let member: ResourceId = u1;
    for (let depth = 0; depth < 40; depth += 1) {
      member = (await directory.createGroup(`g${depth}`, [member])).id;
    }

    const user = await directory.find('User', 'u1', { groups: true });

    expect(user?.groups).toHaveLength(40);
  });
}
