import { createHash, randomUUID } from 'node:crypto';
import { DEFAULT_PROVIDER_SETTINGS, type ProviderId, type ProviderToken, type Store } from '@palisade/domain';
import { changeAt, freshProvider } from './store-harness.js';

/** A provider with default settings. */
export async function createProvider(store: Store, id: ProviderId = freshProvider()): Promise<ProviderId> {
  await store.providers.create(id, { settings: DEFAULT_PROVIDER_SETTINGS }, changeAt(0));
  return id;
}

/** A bearer token with a digest of its own. */
export function tokenOf(provider: ProviderId, overrides: Partial<ProviderToken> = {}): ProviderToken {
  const id = randomUUID();
  return {
    id,
    provider,
    kind: 'bearer',
    digest: createHash('sha256').update(id).digest('hex'),
    hint: 'wxyz',
    createdAt: new Date('2026-01-01T00:00:00Z'),
    ...overrides,
  };
}
