import { describe, expect, it } from '@jest/globals';
import {
  DEFAULT_PROVIDER_SETTINGS,
  type AuditEvent,
  type AuditQuery,
  type RecordedAuditEvent,
  type Store,
} from '@palisade/domain';
import { tokenOf } from './support/provider-samples.js';
import { changeAt, freshNamespace, freshProvider } from './support/store-harness.js';
import { TestDirectory } from './support/test-directory.js';

/** The audit trail: what each change writes to it, and how it is read. */
export function describeAuditStoreContract(store: () => Store): void {
  describe('audit', () => {
    describe('append and list', () => describeTrail(store));
    describe('changes of the directory', () => describeDirectoryEvents(() => new TestDirectory(store())));
    describe('changes of bindings and providers', () => describeOtherEvents(store));
  });
}

function deniedOf(overrides: Partial<AuditEvent> = {}): AuditEvent {
  return {
    at: new Date('2026-01-01T00:00:00Z'),
    actor: 'someone',
    action: 'authentication',
    resource: 'scim',
    result: 'denied',
    ...overrides,
  };
}

function listOf(store: Store, query: Partial<AuditQuery>): Promise<RecordedAuditEvent[]> {
  return store.audit.list({ limit: 1000, ...query });
}

/** Everything of the provider, without sequence numbers. */
async function eventsOf({ store, provider }: Pick<TestDirectory, 'store' | 'provider'>): Promise<AuditEvent[]> {
  const recorded = await listOf(store, { provider });
  return recorded.map((event) => ({ ...event, sequence: undefined }));
}

function describeTrail(store: () => Store): void {
  it('keeps events as they are, in the order in which they came', async () => {
    const provider = freshProvider();
    const full = deniedOf({
      provider,
      namespace: 'n1',
      requestId: 'r1',
      result: 'failure',
      detail: { code: 'X', nested: { list: [1, 'two', null] } },
    });
    await store().audit.append([full, deniedOf({ provider, actor: 'second' })]);
    await store().audit.append([]);
    await store().audit.append([deniedOf({ provider, actor: 'third' })]);

    expect(await eventsOf({ store: store(), provider })).toEqual([
      full,
      deniedOf({ provider, actor: 'second' }),
      deniedOf({ provider, actor: 'third' }),
    ]);
  });

  it('numbers events upwards and reads on after a number', async () => {
    const provider = freshProvider();
    await store().audit.append(['a', 'b', 'c', 'd', 'e'].map((actor) => deniedOf({ provider, actor })));

    const first = await listOf(store(), { provider, limit: 2 });
    const second = await listOf(store(), { provider, limit: 2, after: first.at(-1)?.sequence });
    const third = await listOf(store(), { provider, limit: 2, after: second.at(-1)?.sequence });

    const events = [...first, ...second, ...third];
    expect(events.map(({ actor }) => actor)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(events.map(({ sequence }) => sequence)).toEqual(
      events.map(({ sequence }) => sequence).toSorted((a, b) => a - b),
    );
    expect(new Set(events.map(({ sequence }) => sequence)).size).toBe(5);
  });

  it('selects by provider, action and namespaces, and by all of them together', async () => {
    const provider = freshProvider();
    const [one, two] = [freshNamespace(), freshNamespace()];
    await store().audit.append([
      deniedOf({ provider, actor: 'a', namespace: one }),
      deniedOf({ provider, actor: 'b', namespace: two, action: 'binding.add' }),
      deniedOf({ provider, actor: 'c' }),
      deniedOf({ provider: freshProvider(), actor: 'd', namespace: one }),
    ]);
    const actors = async (query: Partial<AuditQuery>) => (await listOf(store(), query)).map(({ actor }) => actor);

    expect(await actors({ provider })).toEqual(['a', 'b', 'c']);
    expect(await actors({ provider, action: 'binding.add' })).toEqual(['b']);
    expect(await actors({ namespaces: [one] })).toEqual(['a', 'd']);
    expect(await actors({ namespaces: [one, two] })).toEqual(['a', 'b', 'd']);
    expect(await actors({ namespaces: [] })).toEqual([]);
    expect(await actors({ provider, namespaces: [one, two], action: 'authentication' })).toEqual(['a']);
  });
}

function describeDirectoryEvents(createDirectory: () => TestDirectory): void {
  /** An event of `changeAt(second)`. */
  function eventAt(second: number, { provider }: TestDirectory, action: string, resource: string): AuditEvent {
    const { actor, requestId, at } = changeAt(second);
    return { at, actor, requestId, action, resource, result: 'success', provider };
  }

  it('tells of creation, change and deletion, and of who asked for it', async () => {
    const directory = createDirectory();
    const { id } = await directory.createUser('ann');
    await directory.revise('User', 'ann', { externalId: 'ann', userName: 'ann', title: 'Chief' }, 1);
    await directory.store.directory.deactivateUser(directory.provider, 'ann', changeAt(2));
    await directory.delete('User', 'ann', 3);

    expect(await eventsOf(directory)).toEqual([
      eventAt(0, directory, 'user.create', id),
      eventAt(1, directory, 'user.update', id),
      eventAt(2, directory, 'user.update', id),
      eventAt(3, directory, 'user.delete', id),
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

    expect((await eventsOf(directory)).filter(({ resource }) => resource === id)).toEqual([
      eventAt(0, directory, 'group.create', id),
      { ...eventAt(1, directory, 'group.update', id), detail: { membersAdded: 2, membersRemoved: 0 } },
      { ...eventAt(2, directory, 'group.update', id), detail: { membersAdded: 0, membersRemoved: 2 } },
      eventAt(3, directory, 'group.update', id),
      eventAt(4, directory, 'group.delete', id),
    ]);
  });

  it('has no request id when the change has none', async () => {
    const directory = createDirectory();
    const draft = { attributes: { userName: 'ann' }, search: { userName: 'ann' } };
    const change = { actor: 'programmatic', at: new Date('2026-01-01T00:00:00Z') };

    await directory.store.directory.create(directory.provider, 'User', directory.userId('ann'), draft, change);

    const [event] = await eventsOf(directory);
    expect(event).not.toHaveProperty('requestId');
  });

  it('says nothing of changes that change nothing or are refused', async () => {
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

    expect((await eventsOf(directory)).map(({ action }) => action)).toEqual(['user.create', 'group.create']);
  });

  it('tells of each membership that reconciliation ends', async () => {
    const directory = createDirectory();
    const ann = await directory.createUser('ann', { active: false });
    const bob = await directory.createUser('bob', { active: false });
    const group = await directory.createGroup('g1', [ann.id, bob.id]);

    await directory.store.directory.reconcileDeprovisioned(directory.provider, { apply: false }, changeAt(4));
    await directory.store.directory.reconcileDeprovisioned(directory.provider, { apply: true }, changeAt(5));

    const events = (await eventsOf(directory)).filter(({ at }) => at.getUTCSeconds() > 0);
    const removal = eventAt(5, directory, 'membership.remove', group.id);
    expect(events).toHaveLength(2);
    expect(events).toEqual(
      expect.arrayContaining([
        { ...removal, detail: { member: ann.id } },
        { ...removal, detail: { member: bob.id } },
      ]),
    );
  });
}

function describeOtherEvents(store: () => Store): void {
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
    const common = { actor: 'tester', resource, result: 'success', provider: directory.provider, namespace };
    expect(await eventsOf(directory)).toEqual([
      { ...common, action: 'binding.add', at: changeAt(1).at, requestId: 'request-1' },
      { ...common, action: 'binding.remove', at: changeAt(3).at, requestId: 'request-3' },
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

    const events = await eventsOf({ store: store(), provider });
    expect(events.map(({ action, resource }) => [action, resource])).toEqual([
      ['provider.create', `provider:${provider}`],
      ['provider.update', `provider:${provider}`],
      ['token.create', `token:${token.id}`],
      ['token.expire', `token:${token.id}`],
      ['token.revoke', `token:${token.id}`],
      ['provider.delete', `provider:${provider}`],
    ]);
  });
}
