import { describe, expect, it } from '@jest/globals';
import {
  DEFAULT_PROVIDER_SETTINGS,
  formatResourceId,
  parseNamespaceId,
  parseProviderId,
  type ChangeContext,
} from '@palisade/domain';
import { MemoryBindingStore } from './memory-binding-store.js';
import { MemoryDirectoryStore } from './directory/memory-directory-store.js';
import { ProviderDirectory } from './directory/provider-directory.js';
import { MemoryState } from './memory-state.js';
import { MemoryProviderStore } from './memory-provider-store.js';

const provider = parseProviderId('acme');
const user = formatResourceId('User', provider, 'u1');
const group = formatResourceId('Group', provider, 'g1');
const change: ChangeContext = { actor: 'tester', at: new Date('2026-01-01T00:00:00Z') };
const userDraft = { externalId: 'u1', attributes: { userName: 'ann' }, search: { userName: 'ann' } };
const groupDraft = { attributes: { displayName: 'Staff' }, search: { displayName: 'staff' } };

describe(MemoryState.name, () => {
  it('keeps nothing of a provider whose last object is deleted', async () => {
    const state = new MemoryState();
    const directory = new MemoryDirectoryStore(() => state);
    await directory.create(provider, 'User', user, userDraft, change);
    const pending = formatResourceId('User', provider, 'later');
    const options = { members: [user, pending], unknownMembers: 'accept' } as const;
    await directory.create(provider, 'Group', group, groupDraft, change, options);
    const objects = state.directories.get(provider);

    await directory.delete(provider, 'User', 'u1', change);
    expect(state.directories.size).toBe(1);
    await directory.delete(provider, 'Group', 'g1', change);

    expect(state.directories.size).toBe(0);
    expect(objects).toEqual(new ProviderDirectory(provider));
  });

  it('keeps nothing of a provider that is only asked about', async () => {
    const state = new MemoryState();
    const directory = new MemoryDirectoryStore(() => state);

    await directory.find(provider, 'User', 'u1');
    await directory.reconcileDeprovisioned(provider, { apply: true }, change);
    await directory.create(provider, 'Group', group, groupDraft, change, { members: [user] }).catch(() => {});

    expect(state.directories.size).toBe(0);
  });

  it('keeps nothing of a provider that is deleted, nor of bindings that are removed', async () => {
    const state = new MemoryState();
    const providers = new MemoryProviderStore(() => state);
    const bindings = new MemoryBindingStore(() => state);
    await providers.create(provider, { settings: DEFAULT_PROVIDER_SETTINGS }, change);
    const token = { id: 't1', provider, kind: 'bearer', digest: 'd', hint: 'h', createdAt: change.at } as const;
    await providers.addToken(token, change);
    await new MemoryDirectoryStore(() => state).create(provider, 'Group', group, groupDraft, change);
    const key = { namespace: parseNamespaceId('orders'), boundSubject: group, relation: 'read' } as const;
    await bindings.add({ ...key, source: 'manual', approvedBy: 'root' }, change);

    await providers.delete(provider, change);
    await bindings.remove(key, change);

    const { directories, tokens, bindings: kept } = state;
    expect([state.providers.size, directories.size, tokens.size, kept.size]).toEqual([0, 0, 0, 0]);
  });
});
