import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  DEFAULT_PROVIDER_SETTINGS,
  StoreUnavailableError,
  formatResourceId,
  parseNamespaceId,
  parseProviderId,
  type AccessChange,
  type GroupId,
} from '@palisade/domain';
import { MemoryStore } from '@palisade/storage';
import { draftOf } from '../../../../libs/storage/test/support/drafts.js';
import { AccessWatch } from './access-watch.js';

const PROVIDER = parseProviderId('okta');
const CHANGE = { actor: 'test', at: new Date(Date.UTC(2026, 10, 20)) };
const ADA = formatResourceId('User', PROVIDER, 'ada');
const INNER = formatResourceId('Group', PROVIDER, 'inner');
const OUTER = formatResourceId('Group', PROVIDER, 'outer');
const [ORDERS, BILLS] = ['orders', 'bills'].map(parseNamespaceId) as [
  ReturnType<typeof parseNamespaceId>,
  ReturnType<typeof parseNamespaceId>,
];

describe(AccessWatch.name, () => {
  let store: MemoryStore;
  let watch: AccessWatch;
  let heard: AccessChange[];

  beforeEach(async () => {
    jest.useFakeTimers();
    Logger.overrideLogger(false);
    store = new MemoryStore();
    await store.providers.create(PROVIDER, { settings: DEFAULT_PROVIDER_SETTINGS }, CHANGE);
    const user = draftOf('User', { externalId: 'ada', userName: 'ada' });
    await store.directory.create(PROVIDER, 'User', ADA, user, CHANGE);
    await createGroup('inner', [ADA]);
    await createGroup('outer', [INNER]);
    await bind(OUTER, ORDERS);
    await bind(INNER, BILLS);
    await store.log.seal();
    watch = new AccessWatch(store);
    heard = [];
    watch.subscribe((change) => heard.push(change));
    await until(() => heard.length > 0);
    heard.length = 0;
  });

  afterEach(async () => {
    jest.useRealTimers();
    Logger.overrideLogger(['log', 'warn', 'error']);
    await watch.onModuleDestroy();
    await store.close();
  });

  async function createGroup(name: string, members: readonly string[]): Promise<void> {
    const draft = draftOf('Group', { externalId: name, displayName: name });
    await store.directory.create(PROVIDER, 'Group', formatResourceId('Group', PROVIDER, name), draft, CHANGE, {
      members: members as GroupId[],
    });
  }

  async function bind(boundSubject: GroupId, namespace: typeof ORDERS): Promise<void> {
    const binding = { namespace, boundSubject, relation: 'read', source: 'manual', approvedBy: 'root' } as const;
    await store.bindings.add(binding, CHANGE);
  }

  /** The next event that names anybody. */
  async function next(): Promise<AccessChange> {
    await store.log.seal();
    let found: AccessChange | undefined;
    await until(() => {
      found = heard.find(
        ({ users, namespaces, providers, everything }) =>
          [users, namespaces, providers].some(({ length }) => length > 0) || everything === true,
      );
      return found !== undefined;
    });
    return found as AccessChange;
  }

  it('names a user who is deactivated', async () => {
    await store.directory.deactivateUser(PROVIDER, 'ada', CHANGE);
    expect(await next()).toEqual({ users: [ADA], namespaces: [], providers: [] });
  });

  it('names the namespaces bound above a group that loses a member', async () => {
    const members = [{ kind: 'remove', ids: [ADA] }] as const;
    await store.directory.update(PROVIDER, 'Group', INNER, () => ({ members }), CHANGE);
    expect(await next()).toEqual({ users: [], namespaces: [BILLS, ORDERS], providers: [] });
  });

  it('names the namespace of a binding that is removed', async () => {
    await store.bindings.remove({ namespace: ORDERS, boundSubject: OUTER, relation: 'read' }, CHANGE);
    expect(await next()).toEqual({ users: [], namespaces: [ORDERS], providers: [] });
  });

  it('names the provider of a group that is deleted, as nobody knows what contained it', async () => {
    await store.directory.delete(PROVIDER, 'Group', INNER, CHANGE);
    expect(await next()).toEqual({ users: [], namespaces: [], providers: [PROVIDER] });
  });

  it('names nobody when somebody is added or a binding is made', async () => {
    await createGroup('new', [ADA]);
    await bind(OUTER, BILLS);
    await store.log.seal();
    await until(() => heard.length > 0);
    expect(heard).toEqual(heard.map(() => ({ users: [], namespaces: [], providers: [] })));
  });

  it('confirms while the log can be read, and says nothing while it cannot', async () => {
    await until(() => heard.length > 1);
    const list = store.log.list.bind(store.log);
    store.log.list = () => Promise.reject(new StoreUnavailableError(1));
    heard.length = 0;
    await jest.advanceTimersByTimeAsync(1500); // longer than two confirmations are apart
    expect(heard).toEqual([]);
    await store.directory.deactivateUser(PROVIDER, 'ada', CHANGE);
    store.log.list = list;
    expect(await next()).toMatchObject({ users: [ADA] });
  });

  it('says that everything may have changed when records have been removed unread', async () => {
    store.log.list = () => Promise.resolve([{ position: 1000 } as never]);
    expect(await next()).toMatchObject({ everything: true });
  });

  it('does not read the log while nobody listens', async () => {
    let reads = 0;
    const idle = new MemoryStore();
    idle.log.ends = async () => {
      reads += 1;
      return { removed: { position: 0, seal: '' }, head: { position: 0, seal: '' } };
    };
    const other = new AccessWatch(idle);
    const subscription = other.subscribe(() => {});
    await until(() => reads > 0);
    subscription[Symbol.dispose]();
    await jest.advanceTimersByTimeAsync(300); // three rounds
    const before = reads;
    await jest.advanceTimersByTimeAsync(1500); // longer than two confirmations are apart
    expect(reads).toBe(before);
    await idle.close();
  });
});

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) {
    await jest.advanceTimersByTimeAsync(10);
  }
}
