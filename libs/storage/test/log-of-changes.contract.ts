import { describe, expect, it } from '@jest/globals';
import { DEFAULT_PROVIDER_SETTINGS, type LogRecord, type Store } from '@palisade/domain';
import { listSealed, withoutPlace } from './support/log-harness.js';
import { tokenOf } from './support/provider-samples.js';
import { changeAt, freshNamespace, freshProvider } from './support/store-harness.js';
import { TestDirectory } from './support/test-directory.js';

/** What each change writes to the log. */
export function describeLogOfChangesContract(store: () => Store): void {
  describe('log of changes', () => {
    describe('of the directory', () => describeDirectoryRecords(() => new TestDirectory(store())));
    describe('of bindings and providers', () => describeOtherRecords(store));
  });
}

/** Everything of the provider, without places in the log. */
async function recordsOf({ store, provider }: Pick<TestDirectory, 'store' | 'provider'>): Promise<LogRecord[]> {
  return (await listSealed(store, { provider })).map(withoutPlace);
}

function describeDirectoryRecords(createDirectory: () => TestDirectory): void {
  /** A record of `changeAt(second)`. */
  function recordAt(second: number, { provider }: TestDirectory, action: string, resource: string): LogRecord {
    const { actor, requestId, at } = changeAt(second);
    return { timestamp: at, userId: actor, requestId, action, resource, result: 'success', provider };
  }

  it('tells of creation, change and deletion, and of who asked for it', async () => {
    const directory = createDirectory();
    const { id } = await directory.createUser('ann');
    await directory.revise('User', 'ann', { externalId: 'ann', userName: 'ann', title: 'Chief' }, 1);
    await directory.store.directory.deactivateUser(directory.provider, 'ann', changeAt(2));
    await directory.delete('User', 'ann', 3);

    expect(await recordsOf(directory)).toEqual([
      recordAt(0, directory, 'user.create', id),
      recordAt(1, directory, 'user.update', id),
      recordAt(2, directory, 'user.update', id),
      recordAt(3, directory, 'user.delete', id),
    ]);
  });

  it('tells how many members a change of a group added and removed', async () => {
    const directory = createDirectory();
    const users = await Promise.all(['a', 'b', 'c'].map((name) => directory.createUser(name)));
    const [a, b, c] = users.map(({ id }) => id) as [
      (typeof users)[0]['id'],
      (typeof users)[0]['id'],
      (typeof users)[0]['id'],
    ];
    const { id } = await directory.createGroup('g1', [a]);
    await directory.changeMembers('g1', [{ kind: 'add', ids: [a, b, c] }], 1);
    await directory.changeMembers('g1', [{ kind: 'replace', ids: [b] }], 2);
    await directory.revise('Group', 'g1', { externalId: 'g1', displayName: 'Renamed' }, 3);
    await directory.delete('Group', 'g1', 4);

    expect((await recordsOf(directory)).filter(({ resource }) => resource === id)).toEqual([
      recordAt(0, directory, 'group.create', id),
      { ...recordAt(1, directory, 'group.update', id), detail: { members_added: 2, members_removed: 0 } },
      { ...recordAt(2, directory, 'group.update', id), detail: { members_added: 0, members_removed: 2 } },
      recordAt(3, directory, 'group.update', id),
      recordAt(4, directory, 'group.delete', id),
    ]);
  });

  it('has no request id when the change has none', async () => {
    const directory = createDirectory();
    const draft = { attributes: { userName: 'ann' }, search: { userName: 'ann' } };
    const change = { actor: 'programmatic', at: new Date('2026-01-01T00:00:00Z') };

    await directory.store.directory.create(directory.provider, 'User', directory.userId('ann'), draft, change);

    const [record] = await recordsOf(directory);
    expect(record).not.toHaveProperty('requestId');
  });

  it('says nothing of changes that change nothing or are rejected', async () => {
    const directory = createDirectory();
    const ann = await directory.createUser('ann');
    await directory.createGroup('g1', [ann.id]);

    await directory.createUser('ann');
    await directory.revise('User', 'ann', { externalId: 'ann', userName: 'ann' });
    await directory.changeMembers('g1', [{ kind: 'add', ids: [ann.id] }]);
    await Promise.allSettled([
      directory.createUser('other', { userName: 'ann' }),
      directory.changeMembers('g1', [{ kind: 'add', ids: [directory.userId('nobody')] }]),
      directory.delete('User', 'nobody'),
    ]);
    await directory.store.directory.reconcileDeprovisioned(directory.provider, { apply: true }, changeAt(1));

    expect((await recordsOf(directory)).map(({ action }) => action)).toEqual(['user.create', 'group.create']);
  });

  it('tells of each membership that reconciliation ends', async () => {
    const directory = createDirectory();
    const ann = await directory.createUser('ann', { active: false });
    const bob = await directory.createUser('bob', { active: false });
    const group = await directory.createGroup('g1', [ann.id, bob.id]);

    await directory.store.directory.reconcileDeprovisioned(directory.provider, { apply: false }, changeAt(4));
    await directory.store.directory.reconcileDeprovisioned(directory.provider, { apply: true }, changeAt(5));

    const records = (await recordsOf(directory)).filter(({ timestamp }) => timestamp.getUTCSeconds() > 0);
    const removal = recordAt(5, directory, 'membership.remove', group.id);
    expect(records).toHaveLength(2);
    expect(records).toEqual(
      expect.arrayContaining([
        { ...removal, detail: { member: ann.id } },
        { ...removal, detail: { member: bob.id } },
      ]),
    );
  });
}

function describeOtherRecords(store: () => Store): void {
  it('tells of bindings that are added and removed, with their namespace', async () => {
    const directory = new TestDirectory(store());
    const boundSubject = directory.groupId('g1');
    const namespace = freshNamespace();
    const binding = { namespace, boundSubject, relation: 'write', source: 'manual', approvedBy: 'root' } as const;

    await store().bindings.add(binding, changeAt(1), { pending: true });
    await store().bindings.add(binding, changeAt(2), { pending: true });
    await store().bindings.remove(binding, changeAt(3));
    await store().bindings.remove(binding, changeAt(4));

    const resource = `namespace:${namespace}#write@${boundSubject}`;
    const common = { userId: 'tester', resource, result: 'success', provider: directory.provider, namespace };
    expect(await recordsOf(directory)).toEqual([
      { ...common, action: 'binding.add', timestamp: changeAt(1).at, requestId: 'request-1' },
      { ...common, action: 'binding.remove', timestamp: changeAt(3).at, requestId: 'request-3' },
    ]);
  });

  it('tells of providers and their tokens, once per change', async () => {
    const provider = freshProvider();
    const { providers } = store();
    const token = tokenOf(provider);
    const expiresAt = new Date('2026-02-01T00:00:00Z');

    await providers.create(provider, { settings: DEFAULT_PROVIDER_SETTINGS }, changeAt(0));
    for (const _repetition of [1, 2]) {
      await providers.update(provider, { displayName: 'Acme', settings: DEFAULT_PROVIDER_SETTINGS }, changeAt(1));
    }
    await providers.addToken(token, changeAt(2));
    await providers.touchToken(token.id, new Date('2026-01-02T00:00:00Z'));
    for (const _repetition of [1, 2]) {
      await providers.expireToken(provider, token.id, expiresAt, changeAt(3));
      await providers.revokeToken(provider, token.id, changeAt(4));
    }
    await providers.delete(provider, changeAt(5));

    const records = await recordsOf({ store: store(), provider });
    expect(records.map(({ action, resource }) => [action, resource])).toEqual([
      ['provider.create', `provider:${provider}`],
      ['provider.update', `provider:${provider}`],
      ['token.create', `token:${token.id}`],
      ['token.expire', `token:${token.id}`],
      ['token.revoke', `token:${token.id}`],
      ['provider.delete', `provider:${provider}`],
    ]);
  });
}
