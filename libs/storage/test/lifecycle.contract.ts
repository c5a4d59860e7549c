import { describe, expect, it } from '@jest/globals';
import { DEFAULT_PROVIDER_SETTINGS, StoreUnavailableError, type Store } from '@palisade/domain';
import { queryFor } from './support/queries.js';
import { changeAt, freshNamespace, freshProvider, type CreateStore } from './support/store-harness.js';
import { TestDirectory } from './support/test-directory.js';

/** Opening and closing. */
export function describeLifecycleContract(create: CreateStore): void {
  describe('life of a store', () => {
    it('is usable after migrate, which several may call at once and again', async () => {
      const { store, dispose } = await create();

      await Promise.all([store.migrate(), store.migrate()]);
      await store.migrate();

      await expect(store.check()).resolves.toBeUndefined();
      await dispose();
    });

    it('is unavailable for every operation once it is closed', async () => {
      const { store, dispose } = await create();
      await store.close();

      for (const operation of operationsOn(store)) {
        await expect(operation()).rejects.toThrow(StoreUnavailableError);
      }
      await dispose();
    });

    it('can be closed twice', async () => {
      const { store, dispose } = await create();
      await store.close();

      await expect(store.close()).resolves.toBeUndefined();
      await dispose();
    });
  });
}

function operationsOn(store: Store): (() => Promise<unknown>)[] {
  const directory = new TestDirectory(store);
  const { provider } = directory;
  const { bindings, providers, audit } = store;
  const key = { namespace: freshNamespace(), boundSubject: directory.groupId('g1'), relation: 'read' } as const;
  const draft = { settings: DEFAULT_PROVIDER_SETTINGS };
  return [
    () => store.check(),
    () => directory.createUser('u1'),
    () => directory.find('User', 'u1'),
    () => store.directory.list(provider, queryFor({})),
    () => directory.revise('User', 'u1', { userName: 'u1' }),
    () => directory.delete('User', 'u1'),
    () => store.directory.deactivateUser(provider, 'u1', changeAt(0)),
    () => store.directory.reconcileDeprovisioned(provider, { apply: true }, changeAt(0)),
    () => bindings.add({ ...key, source: 'manual', approvedBy: 'x' }, changeAt(0), { pending: true }),
    () => bindings.remove(key, changeAt(0)),
    () => bindings.list({ limit: 1 }),
    () => bindings.grantsOf(provider, 'u1'),
    () => bindings.usersOf({ namespace: key.namespace, relation: 'read', limit: 1 }),
    () => providers.create(freshProvider(), draft, changeAt(0)),
    () => providers.update(provider, draft, changeAt(0)),
    () => providers.find(provider),
    () => providers.list({ limit: 1 }),
    () => providers.delete(provider, changeAt(0)),
    () => providers.findByIssuer('x'),
    () => providers.findTokenByDigest('x'),
    () => providers.listTokens(provider),
    () => providers.getOrCreateSigningKey(async () => '{}'),
    () => audit.append([]),
    () => audit.list({ limit: 1 }),
  ];
}
