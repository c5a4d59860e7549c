import { describe, expect, it } from '@jest/globals';
import type { GroupId, NamespaceId, NamespaceUser, NamespaceUserQuery, Relation } from '@palisade/domain';
import { changeAt, freshNamespace } from './support/store-harness.js';
import { localIdOf, type TestDirectory } from './support/test-directory.js';

/** Who may do what in which namespace, and why. */
export function describeAccessContract(createDirectory: () => TestDirectory): void {
  describe('access', () => {
    describe('grants of a user', () => describeGrants(createDirectory));
    describe('users of a namespace', () => describeUsers(createDirectory));
    describe('namespaces above groups', () => describeNamespacesAbove(createDirectory));
  });
}

async function bind(
  { store }: TestDirectory,
  boundSubject: GroupId,
  relation: Relation,
  namespace: NamespaceId,
): Promise<void> {
  const binding = { namespace, boundSubject, relation, source: 'manual', approvedBy: 'root' } as const;
  await store.bindings.add(binding, changeAt(0), { pending: true });
}

function describeGrants(createDirectory: () => TestDirectory): void {
  it('gives each binding of a group of the user, with the approval', async () => {
    const directory = createDirectory();
    const ann = await directory.createUser('ann');
    const group = await directory.createGroup('g1', [ann.id]);
    const namespace = freshNamespace();
    await bind(directory, group.id, 'write', namespace);

    const grants = await directory.store.bindings.grantsOf(directory.provider, 'ann');

    const createdAt = new Date('2026-01-01T00:00:00Z');
    const binding = {
      namespace,
      boundSubject: group.id,
      relation: 'write',
      source: 'manual',
      approvedBy: 'root',
      createdAt,
    };
    expect(grants).toEqual([{ groups: [group.id], binding }]);
  });

  it('explains inherited grants by the shortest chain of groups, from the user upwards', async () => {
    const directory = createDirectory();
    const ann = await directory.createUser('ann');
    const a = await directory.createGroup('a', [ann.id]);
    const b = await directory.createGroup('b', [a.id]);
    const c = await directory.createGroup('c', [b.id]);
    const shortcut = await directory.createGroup('z', [ann.id]);
    const top = await directory.createGroup('top', [c.id, shortcut.id]);
    const namespace = freshNamespace();
    await bind(directory, c.id, 'read', namespace);
    await bind(directory, top.id, 'admin', namespace);
    await bind(directory, a.id, 'read', namespace);

    const grants = await directory.store.bindings.grantsOf(directory.provider, ann.id);

    expect(grants.map(({ groups }) => groups)).toEqual([[a.id], [a.id, b.id, c.id], [shortcut.id, top.id]]);
  });

  it('explains by the first chain, by code point, of several that are equally short', async () => {
    const directory = createDirectory();
    const ann = await directory.createUser('ann');
    const b = await directory.createGroup('b', [ann.id]);
    const a = await directory.createGroup('\uFA0E', [ann.id]);
    const c = await directory.createGroup('\u{1F600}', [ann.id]);
    const top = await directory.createGroup('top', [c.id, a.id]);
    const other = await directory.createGroup('other', [a.id, b.id]);
    const namespace = freshNamespace();
    await bind(directory, top.id, 'read', namespace);
    await bind(directory, other.id, 'read', namespace);

    const grants = await directory.store.bindings.grantsOf(directory.provider, 'ann');

    expect(grants.map(({ groups }) => groups)).toEqual([
      [b.id, other.id],
      [a.id, top.id],
    ]);
  });

  it('orders grants by namespace, group and relation, and can be asked for one namespace', async () => {
    const directory = createDirectory();
    const ann = await directory.createUser('ann');
    const b = await directory.createGroup('b', [ann.id]);
    const a = await directory.createGroup('a', [ann.id]);
    const [first, second] = [freshNamespace(), freshNamespace()].sort() as [NamespaceId, NamespaceId];
    await bind(directory, b.id, 'read', second);
    await bind(directory, b.id, 'read', first);
    await bind(directory, a.id, 'read', second);
    await bind(directory, a.id, 'admin', second);
    const keys = async (namespace?: NamespaceId) => {
      const grants = await directory.store.bindings.grantsOf(directory.provider, 'ann', namespace);
      return grants.map(({ binding }) => [binding.namespace, localIdOf(binding.boundSubject), binding.relation]);
    };

    expect(await keys()).toEqual([
      [first, 'b', 'read'],
      [second, 'a', 'admin'],
      [second, 'a', 'read'],
      [second, 'b', 'read'],
    ]);
    expect(await keys(first)).toEqual([[first, 'b', 'read']]);
    expect(await keys(freshNamespace())).toEqual([]);
  });

  it('gives none to an inactive user, and all again once active', async () => {
    const directory = createDirectory();
    const ann = await directory.createUser('ann', { active: true });
    const group = await directory.createGroup('g1', [ann.id]);
    await bind(directory, group.id, 'read', freshNamespace());
    const countGrants = async () => (await directory.store.bindings.grantsOf(directory.provider, 'ann')).length;

    await directory.store.directory.deactivateUser(directory.provider, 'ann', changeAt(1));
    expect(await countGrants()).toBe(0);

    await directory.revise('User', 'ann', { externalId: 'ann', userName: 'ann', active: true });
    expect(await countGrants()).toBe(1);
  });

  it('gives none through a dangling binding, and again once the group and the membership are back', async () => {
    const directory = createDirectory();
    const ann = await directory.createUser('ann');
    const group = await directory.createGroup('g1', [ann.id]);
    await bind(directory, group.id, 'read', freshNamespace());
    const countGrants = async () => (await directory.store.bindings.grantsOf(directory.provider, 'ann')).length;

    await directory.delete('Group', 'g1');
    expect(await countGrants()).toBe(0);

    await directory.createGroup('g1');
    expect(await countGrants()).toBe(0);

    await directory.changeMembers('g1', [{ kind: 'add', ids: [ann.id] }]);
    expect(await countGrants()).toBe(1);
  });

  it("gives none to a user who does not exist, or who is another provider's", async () => {
    const directory = createDirectory();
    const other = createDirectory();
    const ann = await other.createUser('ann');
    const group = await other.createGroup('g1', [ann.id]);
    await bind(other, group.id, 'read', freshNamespace());

    expect(await directory.store.bindings.grantsOf(directory.provider, 'ann')).toEqual([]);
    expect(await directory.store.bindings.grantsOf(directory.provider, ann.id)).toEqual([]);
    expect(await directory.store.bindings.grantsOf(directory.provider, 'a\0')).toEqual([]);
  });
}

function describeNamespacesAbove(createDirectory: () => TestDirectory): void {
  it('finds what is bound to a group, and to the groups that contain it, in order and each once', async () => {
    const directory = createDirectory();
    const inner = await directory.createGroup('inner');
    const outer = await directory.createGroup('outer', [inner.id]);
    const top = await directory.createGroup('top', [outer.id]);
    const beside = await directory.createGroup('beside');
    const namespaces = [freshNamespace(), freshNamespace(), freshNamespace()].sort() as [
      NamespaceId,
      NamespaceId,
      NamespaceId,
    ];
    await bind(directory, inner.id, 'read', namespaces[2]);
    await bind(directory, top.id, 'write', namespaces[0]);
    await bind(directory, top.id, 'read', namespaces[2]);
    await bind(directory, beside.id, 'read', namespaces[1]);
    const above = (ids: readonly GroupId[], limit = 10) =>
      directory.store.bindings.namespacesAbove(directory.provider, ids, limit);

    expect(await above([inner.id])).toEqual([namespaces[0], namespaces[2]]);
    expect(await above([outer.id])).toEqual([namespaces[0], namespaces[2]]);
    expect(await above([inner.id, beside.id])).toEqual(namespaces);
    expect(await above([inner.id, beside.id], 2)).toEqual(namespaces.slice(0, 2));
    expect(await above([])).toEqual([]);
  });

  it('finds what is bound to a group that is gone, and nothing of another provider', async () => {
    const [directory, other] = [createDirectory(), createDirectory()];
    const group = await directory.createGroup('g1');
    const namespace = freshNamespace();
    await bind(directory, group.id, 'read', namespace);
    await directory.delete('Group', 'g1');

    expect(await directory.store.bindings.namespacesAbove(directory.provider, [group.id], 10)).toEqual([namespace]);
    expect(await other.store.bindings.namespacesAbove(other.provider, [group.id], 10)).toEqual([]);
  });
}

function describeUsers(createDirectory: () => TestDirectory): void {
  async function usersOf(
    { store }: TestDirectory,
    namespace: NamespaceId,
    overrides: Partial<NamespaceUserQuery> = {},
  ): Promise<NamespaceUser[]> {
    return store.bindings.usersOf({ namespace, relation: 'read', limit: 100, ...overrides });
  }

  it('lists users with at least the relation, each once with the strongest, by id', async () => {
    const directory = createDirectory();
    const bob = await directory.createUser('bob', { userName: 'Bob@Example.com' });
    const ann = await directory.createUser('ann');
    const cid = await directory.createUser('cid');
    const readers = await directory.createGroup('readers', [cid.id, bob.id]);
    const admins = await directory.createGroup('admins', [ann.id, bob.id]);
    const namespace = freshNamespace();
    await bind(directory, readers.id, 'read', namespace);
    await bind(directory, admins.id, 'admin', namespace);
    await bind(directory, readers.id, 'write', freshNamespace());

    expect(await usersOf(directory, namespace)).toEqual([
      { id: ann.id, userName: 'ann', relation: 'admin' },
      { id: bob.id, userName: 'Bob@Example.com', relation: 'admin' },
      { id: cid.id, userName: 'cid', relation: 'read' },
    ]);
    expect(await usersOf(directory, namespace, { relation: 'write' })).toMatchObject([{ id: ann.id }, { id: bob.id }]);
    expect(await usersOf(directory, freshNamespace())).toEqual([]);
  });

  it('counts members of nested groups, not groups, inactive users or members that do not exist', async () => {
    const directory = createDirectory();
    const ann = await directory.createUser('ann');
    const bob = await directory.createUser('bob', { active: false });
    const inner = await directory.createGroup('inner', [ann.id, bob.id, directory.userId('nobody')], {
      unknownMembers: 'accept',
    });
    const middle = await directory.createGroup('middle', [inner.id]);
    const outer = await directory.createGroup('outer', [middle.id, inner.id]);
    const namespace = freshNamespace();
    await bind(directory, outer.id, 'read', namespace);

    expect(await usersOf(directory, namespace)).toEqual([{ id: ann.id, userName: 'ann', relation: 'read' }]);
  });

  it('lists none through a dangling binding', async () => {
    const directory = createDirectory();
    const ann = await directory.createUser('ann');
    const group = await directory.createGroup('g1', [ann.id]);
    const namespace = freshNamespace();
    await bind(directory, group.id, 'read', namespace);

    await directory.delete('Group', 'g1');

    expect(await usersOf(directory, namespace)).toEqual([]);
  });

  it('lists users of every provider that has a bound group', async () => {
    const one = createDirectory();
    const other = createDirectory();
    const namespace = freshNamespace();
    for (const directory of [one, other]) {
      const ann = await directory.createUser('ann');
      const group = await directory.createGroup('g1', [ann.id]);
      await bind(directory, group.id, 'read', namespace);
    }

    const users = await usersOf(one, namespace);

    expect(users.map(({ id }) => id)).toEqual([one.userId('ann'), other.userId('ann')].sort());
  });

  it('continues after a user, by code point of the id', async () => {
    const directory = createDirectory();
    const names = ['\u{1F600}', 'a', '\uFA0E', 'B', '-'];
    const users = await Promise.all(names.map((name) => directory.createUser(name)));
    const group = await directory.createGroup(
      'g1',
      users.map(({ id }) => id),
    );
    const namespace = freshNamespace();
    await bind(directory, group.id, 'read', namespace);

    const first = await usersOf(directory, namespace, { limit: 2 });
    const second = await usersOf(directory, namespace, { limit: 2, after: first.at(-1)?.id });
    const third = await usersOf(directory, namespace, { limit: 2, after: second.at(-1)?.id });

    const pages = [first, second, third].map((page) => page.map(({ userName }) => userName));
    expect(pages).toEqual([['-', 'B'], ['a', '\uFA0E'], ['\u{1F600}']]);
  });
}
