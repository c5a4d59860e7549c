import { describe, expect, it, jest } from '@jest/globals';
import { DEFAULT_PROVIDER_SETTINGS, StoreUnavailableError, parseProviderId, type Store } from '@palisade/domain';
import { MemoryStore } from '@palisade/storage';
import type { AuthenticationConfig } from './authentication.config.js';
import { ConfiguredProvider } from './configured-provider.js';
import { ProviderCache } from './provider-cache.js';

const acme = parseProviderId('acme');
const change = { actor: 'test', at: new Date() };

function create(store: Store, overrides: Partial<AuthenticationConfig> = {}): ConfiguredProvider {
  const config = { scimBearerToken: 'token', scimProviderId: acme, adminTokenDigests: [], ...overrides };
  return new ConfiguredProvider(config, store, new ProviderCache(store));
}

describe(ConfiguredProvider.name, () => {
  it('creates the provider with the configured dialect', async () => {
    const store = new MemoryStore();
    await create(store, { scimDialect: 'okta' }).ensure();
    expect((await store.providers.find(acme))?.settings).toEqual({ ...DEFAULT_PROVIDER_SETTINGS, dialect: 'okta' });
  });

  it('gives an existing provider the configured dialect and leaves its other settings', async () => {
    const store = new MemoryStore();
    const settings = { ...DEFAULT_PROVIDER_SETTINGS, repeatCreate: 'conflict' as const };
    await store.providers.create(acme, { displayName: 'Acme', settings }, change);
    await create(store, { scimDialect: 'entra' }).ensure();
    expect(await store.providers.find(acme)).toMatchObject({
      displayName: 'Acme',
      settings: { dialect: 'entra', repeatCreate: 'conflict' },
    });
  });

  it("leaves the provider's own dialect when none is configured", async () => {
    const store = new MemoryStore();
    await store.providers.create(acme, { settings: { ...DEFAULT_PROVIDER_SETTINGS, dialect: 'okta' } }, change);
    await create(store).ensure();
    expect((await store.providers.find(acme))?.settings.dialect).toBe('okta');
  });

  it('creates nothing without a token', async () => {
    const store = new MemoryStore();
    await create(store, { scimBearerToken: undefined }).ensure();
    expect(await store.providers.find(acme)).toBeUndefined();
  });

  it('lets two replicas start at once', async () => {
    const store = new MemoryStore();
    await Promise.all([create(store).ensure(), create(store).ensure()]);
    expect(await store.providers.list({ limit: 10 })).toHaveLength(1);
  });

  it('tries again after the store was unreachable', async () => {
    const store = new MemoryStore();
    jest.spyOn(store.providers, 'find').mockRejectedValueOnce(new StoreUnavailableError(1));
    const configured = create(store);
    await expect(configured.ensure()).rejects.toThrow(StoreUnavailableError);
    await configured.ensure();
    expect(await store.providers.find(acme)).toBeDefined();
  });
});
