import { describe, expect, it } from '@jest/globals';
import { MAX_GROUP_DEPTH, type GroupId, type MembershipChange, type ResourceId } from '@palisade/domain';
import type { TestDirectory } from './support/test-directory.js';

/** Groups in groups, and what their members inherit. */
export function describeNestedGroupsContract(createDirectory: () => TestDirectory): void {
  describe('nested groups', () => {
    describe('cycles', () => describeCycles(createDirectory));
    describe('depth', () => describeDepth(createDirectory));
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

  it('rejects a group as a member of itself', async () => {
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

  it('rejects a cycle through other groups, and changes nothing', async () => {
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

  it('rejects a cycle through a group that was a member before it existed', async () => {
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

  it('rejects one of parallel changes that would close a ring of groups', async () => {
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

function describeDepth(createDirectory: () => TestDirectory): void {
  it('nests 32 groups in each other, and rejects a 33rd around them', async () => {
    const directory = createDirectory();
    const outermost = await createChain(directory, 'g', MAX_GROUP_DEPTH);

    const create = directory.createGroup('one-more', [outermost]);

    await expect(create).rejects.toMatchObject({
      code: 'NESTING_TOO_DEEP',
      group: directory.groupId('one-more'),
      maxDepth: 32,
    });
    expect(await directory.find('Group', 'one-more')).toBeUndefined();
  });

  it('rejects a 33rd inside of them, and changes nothing', async () => {
    const directory = createDirectory();
    await createChain(directory, 'g', 31);
    const [user] = await directory.createFiveUsers();
    const inner = await createChain(directory, 'inner', 2);

    const change = directory.changeMembers('g1', [{ kind: 'add', ids: [user, inner] }]);

    await expect(change).rejects.toMatchObject({ code: 'NESTING_TOO_DEEP', group: directory.groupId('g1') });
    expect(await directory.members('g1')).toEqual([]);
    expect((await directory.find('Group', 'g1'))?.version).toBe(1);
    await directory.changeMembers('g1', [{ kind: 'add', ids: [user, directory.groupId('inner1')] }]);
    expect(await directory.members('g1')).toEqual([user, directory.groupId('inner1')]);
  });

  it('joins two chains in their middles up to 32 levels', async () => {
    const directory = createDirectory();
    await createChain(directory, 'upper', 20);
    await createChain(directory, 'lower', 20);

    // 16 of the upper chain are above upper5, itself included, and 16 of the lower one below lower16.
    await directory.changeMembers('upper5', [{ kind: 'add', ids: [directory.groupId('lower16')] }]);

    const lower17: MembershipChange = { kind: 'add', ids: [directory.groupId('lower17')] };
    await expect(directory.changeMembers('upper5', [lower17])).rejects.toMatchObject({ code: 'NESTING_TOO_DEEP' });
    const lower16: MembershipChange = { kind: 'add', ids: [directory.groupId('lower16')] };
    await expect(directory.changeMembers('upper4', [lower16])).rejects.toMatchObject({ code: 'NESTING_TOO_DEEP' });
  });

  it('counts the longest way, not the shortest', async () => {
    const directory = createDirectory();
    const outermost = await createChain(directory, 'g', 31);
    await directory.changeMembers('g31', [{ kind: 'add', ids: [directory.groupId('g1')] }]);
    await directory.createGroup('top', [directory.groupId('g1'), outermost]);

    const change = directory.changeMembers('g1', [{ kind: 'add', ids: [(await directory.createGroup('inner')).id] }]);

    await expect(change).rejects.toMatchObject({ code: 'NESTING_TOO_DEEP' });
  });

  it('accepts a group again once the nesting around it is less deep', async () => {
    const directory = createDirectory();
    const outermost = await createChain(directory, 'g', MAX_GROUP_DEPTH);

    await directory.delete('Group', 'g16');
    await directory.createGroup('one-more', [outermost]);

    expect(await directory.members('one-more')).toEqual([outermost]);
  });

  it('lets exactly one of two changes succeed that would nest too deep together', async () => {
    const directory = createDirectory();
    await createChain(directory, 'upper', 12);
    await createChain(directory, 'middle', 12);
    await createChain(directory, 'lower', 12);

    const results = await Promise.allSettled([
      directory.changeMembers('upper1', [{ kind: 'add', ids: [directory.groupId('middle12')] }]),
      directory.changeMembers('middle1', [{ kind: 'add', ids: [directory.groupId('lower12')] }]),
    ]);

    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
}

/** Groups `<name>1` to `<name><length>`, each of which contains the one before; gives the last. */
async function createChain(directory: TestDirectory, name: string, length: number): Promise<GroupId> {
  let previous: readonly GroupId[] = [];
  for (let level = 1; level <= length; level += 1) {
    previous = [(await directory.createGroup(`${name}${level}`, previous)).id];
  }
  return directory.groupId(`${name}${length}`);
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
    for (let depth = 0; depth < MAX_GROUP_DEPTH; depth += 1) {
      member = (await directory.createGroup(`g${depth}`, [member])).id;
    }

    const user = await directory.find('User', 'u1', { groups: true });

    expect(user?.groups).toHaveLength(32);
  });
}
