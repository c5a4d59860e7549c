import { describe, expect, it } from '@jest/globals';
import { DEFAULT_PROVIDER_SETTINGS, StoreUnavailableError, type Store, LOG_START } from '@palisade/domain';
import { queryFor } from './support/queries.js';
import { changeAt, freshNamespace, freshProvider, type CreateStore } from './support/store-harness.js';
import { recordOf, freshProxyId, freshTenantId, proxyDraft, STANDARD, tenantDraft } from './support/tenancy-samples.js';
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

      await expect(store.close()).resolves.toBe(0);
      await dispose();
    });
  });
}

function operationsOn(store: Store): (() => Promise<unknown>)[] {
  const directory = new TestDirectory(store);
  const { provider } = directory;
  const { bindings, providers } = store;
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
    () => providers.getOrCreateSigningKey('log', async () => '{}'),
    ...controlPlaneOperationsOn(store),
  ];
}

function controlPlaneOperationsOn({
  tenants,
  proxies,
  caps,
  usage,
  leases,
  operations,
  log,
}: Store): (() => Promise<unknown>)[] {
  const [tenant, proxy] = [freshTenantId(), freshProxyId()];
  const draft = tenantDraft([tenant]);
  const at = new Date(0);
  const lease = { name: 'leader', holder: 'a', epoch: 1, expiresAt: at };
  const version = { id: 'v', revision: 1, hash: 'h', type: 'haproxy', method: 'none', result: 'unchanged' } as const;
  return [
    () => tenants.register(tenant, 'api', draft, changeAt(0)),
    () => tenants.replace(tenant, draft, changeAt(0), { source: 'api' }),
    () => tenants.remove(tenant, changeAt(0), { source: 'api' }),
    () => tenants.find(tenant),
    () => tenants.list({ limit: 1 }),
    () => tenants.revision(),
    () => tenants.changesSince(0, 1),
    () => proxies.put(proxy, 'static', proxyDraft(), changeAt(0)),
    () => proxies.heartbeat(proxy, {}),
    () => proxies.silences(),
    () => proxies.remove(proxy, changeAt(0)),
    () => proxies.find(proxy),
    () => proxies.list(),
    () => proxies.observe([{ id: proxy, health: 'healthy', at }], changeAt(0)),
    () => caps.report(STANDARD, []),
    () => caps.release(proxy),
    () => caps.ledgers(),
    () => usage.put(proxy, STANDARD, { namespaces: [] }),
    () => usage.list({ maxAgeMs: 1, limit: 1 }),
    () => usage.remove(proxy, 1),
    () => leases.acquire('leader', 'a', 1000),
    () => leases.release('leader', 'a'),
    () => leases.find('leader'),
    () => operations.recordVersion({ ...version, actor: 'a', at, durationMs: 1 }, lease),
    () => operations.listVersions({ limit: 1 }),
    () => operations.report({ component: 'dns', detail: {}, holder: 'a', at }, lease),
    () => operations.statuses(),
    () => log.append([recordOf()]),
    () => log.seal(),
    () => log.list({ limit: 1 }),
    () => log.ends(),
    () => log.unsealed(),
    () => log.removeBefore(at),
    () => log.readThrough(),
    () => log.findReader('a'),
    () => log.moveReader('a', LOG_START),
  ];
}
