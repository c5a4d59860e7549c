import { describe, expect, it } from '@jest/globals';
import {
  type BindingKey,
  type BindingQuery,
  type GroupId,
  type ListedBinding,
  type NamespaceBinding,
} from '@palisade/domain';
import { createProvider } from './support/provider-samples.js';
import { changeAt, freshNamespace } from './support/store-harness.js';
import type { TestDirectory } from './support/test-directory.js';

/** Namespace bindings: how they come, go and are listed. */
export function describeBindingStoreContract(createDirectory: () => TestDirectory): void {
  describe('bindings', () => {
    describe('add', () => describeAdd(createDirectory));
    describe('remove', () => describeRemove(createDirectory));
    describe('state', () => describeState(createDirectory));
    describe('after their provider was deleted', () => describeSuspension(createDirectory));
    describe('list', () => describeList(createDirectory));
  });
}

type NewBinding = Omit<NamespaceBinding, 'createdAt'>;

/** Read access to a fresh namespace, approved by root, unless told otherwise. */
function bindingOf(boundSubject: GroupId, overrides: Partial<NewBinding> = {}): NewBinding {
  return {
    namespace: freshNamespace(),
    boundSubject,
    relation: 'read',
    source: 'manual',
    approvedBy: 'root',
    ...overrides,
  };
}

function keyOf({ namespace, boundSubject, relation }: BindingKey): BindingKey {
  return { namespace, boundSubject, relation };
}

function describeAdd(createDirectory: () => TestDirectory): void {
  it('binds a group that exists', async () => {
    const directory = createDirectory();
    const group = await directory.create('Group', 'g1', { displayName: 'Staff' });
    const binding = bindingOf(group.id);

    const result = await directory.store.bindings.add(binding, changeAt(4));

    const listed = { ...binding, createdAt: new Date('2026-01-01T00:00:04Z'), state: 'active', display: 'Staff' };
    expect(result).toEqual({ added: true, binding: listed });
    expect(await listOf(directory, { namespace: binding.namespace })).toEqual([listed]);
  });

  it('changes nothing when the identical binding is added again; the first approval stands', async () => {
    const directory = createDirectory();
    const group = await directory.createGroup('g1');
    const binding = bindingOf(group.id);
    const first = await directory.store.bindings.add(binding, changeAt(4));

    const again = await directory.store.bindings.add({ ...binding, approvedBy: 'other' }, changeAt(9));

    expect(again).toEqual({ added: false, binding: first.binding });
    expect(await listOf(directory, { namespace: binding.namespace })).toEqual([first.binding]);
  });

  it('makes one binding of parallel equal ones', async () => {
    const directory = createDirectory();
    const group = await directory.createGroup('g1');
    const binding = bindingOf(group.id);

    const results = await Promise.all(
      Array.from({ length: 10 }, () => directory.store.bindings.add(binding, changeAt(4))),
    );

    expect(results.filter(({ added }) => added)).toHaveLength(1);
    expect(await listOf(directory, { namespace: binding.namespace })).toHaveLength(1);
  });

  it('rejects the same key from another source; the first binding stands', async () => {
    const directory = createDirectory();
    const group = await directory.createGroup('g1');
    const binding = bindingOf(group.id);
    const first = await directory.store.bindings.add(binding, changeAt(4));

    const add = directory.store.bindings.add({ ...binding, source: 'import' }, changeAt(9));

    await expect(add).rejects.toMatchObject({
      code: 'BINDING_CONFLICT',
      key: keyOf(binding),
      existingSource: 'manual',
    });
    expect(await listOf(directory, { namespace: binding.namespace })).toEqual([first.binding]);
  });

  it('keeps several relations of one group to one namespace', async () => {
    const directory = createDirectory();
    const group = await directory.createGroup('g1');
    const namespace = freshNamespace();

    for (const relation of ['write', 'read', 'admin'] as const) {
      await directory.store.bindings.add(bindingOf(group.id, { namespace, relation }), changeAt(4));
    }

    expect(await listOf(directory, { namespace })).toHaveLength(3);
  });

  it('rejects a group that does not exist', async () => {
    const directory = createDirectory();
    const binding = bindingOf(directory.groupId('g1'));

    const add = directory.store.bindings.add(binding, changeAt(4));

    await expect(add).rejects.toMatchObject({ code: 'UNKNOWN_SUBJECT', subject: directory.groupId('g1') });
    expect(await listOf(directory, { namespace: binding.namespace })).toEqual([]);
  });

  it.each(['user:scim:%s:g1', 'group:scim:%s:', 'group:scim:%s:g\0', 'g1', 'group:scim:Bad Provider:g1'])(
    'rejects what is no identifier of a group, even when it may be pending: %j',
    async (pattern) => {
      const directory = createDirectory();
      await directory.createUser('g1');
      const binding = bindingOf(pattern.replace('%s', directory.provider) as GroupId);

      const add = directory.store.bindings.add(binding, changeAt(4), { pending: true });

      await expect(add).rejects.toMatchObject({ code: 'UNKNOWN_SUBJECT' });
    },
  );

  it('binds a group before it exists when it may be pending', async () => {
    const directory = createDirectory();
    const binding = bindingOf(directory.groupId('g1'));

    const { added, binding: listed } = await directory.store.bindings.add(binding, changeAt(4), { pending: true });

    expect(added).toBe(true);
    expect(listed).toEqual({ ...binding, createdAt: new Date('2026-01-01T00:00:04Z'), state: 'dangling' });
  });
}

function describeRemove(createDirectory: () => TestDirectory): void {
  it('removes a binding by its key, and no other', async () => {
    const directory = createDirectory();
    const group = await directory.createGroup('g1');
    const namespace = freshNamespace();
    const read = bindingOf(group.id, { namespace });
    const write = bindingOf(group.id, { namespace, relation: 'write' });
    await directory.store.bindings.add(read, changeAt(4));
    await directory.store.bindings.add(write, changeAt(4));

    expect(await directory.store.bindings.remove(keyOf(read), changeAt(5))).toBe(true);

    expect(await listOf(directory, { namespace })).toMatchObject([{ relation: 'write' }]);
  });

  it('says when there was nothing to remove', async () => {
    const directory = createDirectory();
    const group = await directory.createGroup('g1');
    const binding = bindingOf(group.id);
    await directory.store.bindings.add(binding, changeAt(4));
    await directory.store.bindings.remove(keyOf(binding), changeAt(5));

    expect(await directory.store.bindings.remove(keyOf(binding), changeAt(5))).toBe(false);
    expect(await directory.store.bindings.remove(keyOf(bindingOf(group.id)), changeAt(5))).toBe(false);
  });
}

function describeState(createDirectory: () => TestDirectory): void {
  it('dangles when the group is deleted and is active again when it is re-created', async () => {
    const directory = createDirectory();
    const group = await directory.createGroup('g1');
    const binding = bindingOf(group.id);
    await directory.store.bindings.add(binding, changeAt(4));
    const query = { namespace: binding.namespace };

    await directory.delete('Group', 'g1');
    const [dangling] = await listOf(directory, query);
    await directory.create('Group', 'g1', { externalId: 'g1', displayName: 'Again' });
    const [active] = await listOf(directory, query);

    expect(dangling).toEqual({ ...binding, createdAt: new Date('2026-01-01T00:00:04Z'), state: 'dangling' });
    expect(active).toEqual({ ...dangling, state: 'active', display: 'Again' });
  });

  it('becomes active when a pending group is pushed', async () => {
    const directory = createDirectory();
    const binding = bindingOf(directory.groupId('g1'));
    await directory.store.bindings.add(binding, changeAt(4), { pending: true });

    await directory.createGroup('g1');

    expect(await listOf(directory, { namespace: binding.namespace })).toMatchObject([
      { state: 'active', display: 'g1' },
    ]);
  });

  it('answers a repeated add of a dangling binding with its state', async () => {
    const directory = createDirectory();
    const group = await directory.createGroup('g1');
    const binding = bindingOf(group.id);
    await directory.store.bindings.add(binding, changeAt(4));
    await directory.delete('Group', 'g1');

    const again = await directory.store.bindings.add(binding, changeAt(9));

    expect(again).toMatchObject({ added: false, binding: { state: 'dangling', approvedBy: 'root' } });
  });

  it('follows the identifier of a group, not its external id', async () => {
    const directory = createDirectory();
    const group = await directory.createGroup('g1');
    const binding = bindingOf(group.id);
    await directory.store.bindings.add(binding, changeAt(4));

    await directory.revise('Group', 'g1', { externalId: 'g2', displayName: 'Moved' });

    expect(await listOf(directory, { namespace: binding.namespace })).toMatchObject([
      { state: 'active', display: 'Moved' },
    ]);
  });

  it('is that of the bound provider, whatever groups others have', async () => {
    const directory = createDirectory();
    const other = createDirectory();
    await other.createGroup('g1');
    const binding = bindingOf(directory.groupId('g1'));

    await directory.store.bindings.add(binding, changeAt(4), { pending: true });

    expect(await listOf(directory, { namespace: binding.namespace })).toMatchObject([{ state: 'dangling' }]);
  });
}

function describeSuspension(createDirectory: () => TestDirectory): void {
  /** User `ann` in group `g1`, bound, of a provider that was deleted and created again with the same user and group. */
  async function createSuspended() {
    const directory = createDirectory();
    const { providers, bindings } = directory.store;
    await createProvider(directory.store, directory.provider);
    const push = async () => directory.createGroup('g1', [(await directory.createUser('ann')).id]);
    const group = await push();
    const binding = bindingOf(group.id);
    await bindings.add(binding, changeAt(4));
    await providers.delete(directory.provider, changeAt(5));
    await createProvider(directory.store, directory.provider);
    await push();
    const grantsOfAnn = () => bindings.grantsOf(directory.provider, 'ann', binding.namespace);
    const users = () => bindings.usersOf({ namespace: binding.namespace, relation: 'read', limit: 10 });
    return { directory, bindings, binding, grantsOfAnn, users };
  }

  it('are suspended and grant nothing, also to the same group of a new provider of that name', async () => {
    const { directory, bindings, binding, grantsOfAnn, users } = await createSuspended();

    expect(await listOf(directory, { namespace: binding.namespace })).toEqual([
      { ...binding, createdAt: new Date('2026-01-01T00:00:04Z'), state: 'suspended' },
    ]);
    expect(await grantsOfAnn()).toEqual([]);
    expect(await users()).toEqual([]);
    expect(await bindings.suspendedGrantsOf(directory.provider, 'ann', binding.namespace)).toMatchObject([
      { groups: [binding.boundSubject], binding: { relation: 'read' } },
    ]);
  });

  it('are found by their state, and by no other', async () => {
    const { directory, binding } = await createSuspended();
    const { namespace } = binding;

    expect(await listOf(directory, { namespace, state: 'suspended' })).toHaveLength(1);
    expect(await listOf(directory, { namespace, state: 'active' })).toEqual([]);
    expect(await listOf(directory, { namespace, state: 'dangling' })).toEqual([]);
  });

  it('are active again once an admin has added them again, approved by that admin', async () => {
    const { directory, bindings, binding, grantsOfAnn, users } = await createSuspended();

    const result = await bindings.add({ ...binding, source: 'import', approvedBy: 'other' }, changeAt(9));

    expect(result).toMatchObject({ added: true, binding: { state: 'active', source: 'import', approvedBy: 'other' } });
    expect(result.binding.createdAt).toEqual(new Date('2026-01-01T00:00:09Z'));
    expect(await grantsOfAnn()).toHaveLength(1);
    expect(await users()).toHaveLength(1);
    expect(await bindings.suspendedGrantsOf(directory.provider, 'ann', binding.namespace)).toEqual([]);
  });

  it('stay suspended when the group to confirm does not exist', async () => {
    const { directory, bindings, binding } = await createSuspended();
    await directory.delete('Group', 'g1');

    await expect(bindings.add(binding, changeAt(9))).rejects.toMatchObject({ code: 'UNKNOWN_SUBJECT' });

    expect(await listOf(directory, { namespace: binding.namespace })).toMatchObject([{ state: 'suspended' }]);
  });

  it('are suspended when they were pending, and can be removed', async () => {
    const directory = createDirectory();
    await createProvider(directory.store, directory.provider);
    const binding = bindingOf(directory.groupId('g1'));
    await directory.store.bindings.add(binding, changeAt(4), { pending: true });

    await directory.store.providers.delete(directory.provider, changeAt(5));

    expect(await listOf(directory, { namespace: binding.namespace })).toMatchObject([{ state: 'suspended' }]);
    expect(await directory.store.bindings.remove(keyOf(binding), changeAt(6))).toBe(true);
  });
}

function describeList(createDirectory: () => TestDirectory): void {
  /** Bindings of groups `a`, `B` and `\u{1F600}` of one provider to namespaces `<prefix>-1` and `<prefix>0`. */
  async function createBindings(directory: TestDirectory) {
    const prefix = freshNamespace();
    const namespaces = [`${prefix}-1`, `${prefix}0`] as NewBinding['namespace'][];
    const groups = ['\u{1F600}', 'a', '\uFA0E', 'B'].map((name) => directory.groupId(name));
    for (const namespace of namespaces.toReversed()) {
      for (const boundSubject of groups) {
        for (const relation of ['read', 'write', 'admin'] as const) {
          await directory.store.bindings.add(bindingOf(boundSubject, { namespace, relation }), changeAt(0), {
            pending: true,
          });
        }
      }
    }
    return { namespaces, groups: ['B', 'a', '\uFA0E', '\u{1F600}'].map((name) => directory.groupId(name)) };
  }

  it('lists by namespace, group and relation, by code point', async () => {
    const directory = createDirectory();
    const { namespaces, groups } = await createBindings(directory);

    const listed = await listOf(directory, { namespaces });

    expect(listed.map(keyOf)).toEqual(
      namespaces.flatMap((namespace) =>
        groups.flatMap((boundSubject) =>
          (['admin', 'read', 'write'] as const).map((relation) => ({ namespace, boundSubject, relation })),
        ),
      ),
    );
  });

  it('continues after a key, also one that does not exist, in pages that neither overlap nor skip', async () => {
    const directory = createDirectory();
    const { namespaces } = await createBindings(directory);
    const atOnce = await listOf(directory, { namespaces });

    const pages: ListedBinding[][] = [];
    let page = await listOf(directory, { namespaces, limit: 5 });
    while (page.length > 0) {
      pages.push(page);
      const after = page.at(-1);
      await directory.store.bindings.remove(keyOf(after ?? bindingOf(directory.groupId('a'))), changeAt(1));
      page = await listOf(directory, { namespaces, limit: 5, after });
    }

    expect(pages.flat()).toEqual(atOnce);
    expect(pages.map(({ length }) => length)).toEqual([5, 5, 5, 5, 4]);
  });

  it('fills a page with bindings of the state asked for, however many others lie between', async () => {
    const directory = createDirectory();
    const { namespaces } = await createBindings(directory);
    await directory.createGroup('B');
    const [{ id: existing }] = [await directory.createGroup('a')];

    const active = await listOf(directory, { namespaces, state: 'active', limit: 8 });
    const dangling = await listOf(directory, { namespaces, state: 'dangling', limit: 8 });
    const rest = await listOf(directory, { namespaces, state: 'dangling', limit: 8, after: dangling.at(-1) });

    expect(active.map(({ state }) => state)).toEqual(Array.from({ length: 8 }, () => 'active'));
    expect(active.some(({ boundSubject }) => boundSubject === existing)).toBe(true);
    expect([...dangling, ...rest].map(({ state }) => state)).toEqual(Array.from({ length: 12 }, () => 'dangling'));
  });

  it('restricts to a namespace, to namespaces, to a group and to a provider', async () => {
    const directory = createDirectory();
    const other = createDirectory();
    const { namespaces, groups } = await createBindings(directory);
    const [namespace] = namespaces;
    const foreign = bindingOf(other.groupId('a'), { namespace });
    await other.store.bindings.add(foreign, changeAt(0), { pending: true });

    expect(await listOf(directory, { namespace })).toHaveLength(13);
    expect(await listOf(directory, { namespaces: [] })).toEqual([]);
    expect(await listOf(directory, { namespace, namespaces: [freshNamespace()] })).toEqual([]);
    expect(await listOf(directory, { provider: directory.provider })).toHaveLength(24);
    expect(await listOf(directory, { provider: other.provider })).toMatchObject([keyOf(foreign)]);
    expect(await listOf(directory, { boundSubject: groups[0] })).toHaveLength(6);
    expect(await listOf(directory, { boundSubject: groups[0], namespace, provider: other.provider })).toEqual([]);
  });

  it('gives values that a caller can change without changing the binding', async () => {
    const directory = createDirectory();
    const binding = bindingOf(directory.groupId('g1'));
    const { binding: added } = await directory.store.bindings.add(binding, changeAt(4), { pending: true });

    added.createdAt.setTime(0);

    expect(await listOf(directory, { namespace: binding.namespace })).toMatchObject([
      { createdAt: new Date('2026-01-01T00:00:04Z') },
    ]);
  });
}

function listOf({ store }: TestDirectory, query: Partial<BindingQuery>): Promise<ListedBinding[]> {
  return store.bindings.list({ limit: 1000, ...query });
}
