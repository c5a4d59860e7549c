import { beforeEach, describe, expect, it } from '@jest/globals';
import { formatResourceId, parseNamespaceId, parseProviderId } from '@palisade/domain';
import type { AdminPrincipal } from '@palisade/guards';
import { MemoryStore } from '@palisade/storage';
import { DeniedAttempts, FairTurns } from '@palisade/platform';
import { BindingNotFoundError, NamespaceNotFoundError } from './bindings.errors.js';
import { type BindingRequest, BindingsService } from './bindings.service.js';
import { NamespaceAccess } from './namespace-access.js';

const billing = parseNamespaceId('billing');
const search = parseNamespaceId('search');
const change = { actor: 'ann@example.com', at: new Date(0) };

function admin(namespaces: AdminPrincipal['namespaces']): AdminPrincipal {
  return { kind: 'admin', actor: 'ann@example.com', scopes: ['admin'], namespaces };
}

function request(namespace = billing): BindingRequest {
  const boundSubject = formatResourceId('Group', parseProviderId('acme'), 'g');
  return { key: { namespace, boundSubject, relation: 'write' }, source: 'manual', pending: true };
}

describe(BindingsService.name, () => {
  let store: MemoryStore;
  let recorder: DeniedAttempts;
  let bindings: BindingsService;

  beforeEach(() => {
    store = new MemoryStore();
    recorder = new DeniedAttempts(store);
    bindings = new BindingsService(store, new NamespaceAccess(recorder, store), new FairTurns());
  });

  it('takes the authenticated admin for the approver', async () => {
    const { added, binding } = await bindings.add(admin('*'), request(), change);
    expect([added, binding.approvedBy]).toEqual([true, 'ann@example.com']);
  });

  it('keeps the first approver when the binding is added again', async () => {
    await bindings.add(admin('*'), request(), change);
    const again = await bindings.add({ ...admin('*'), actor: 'bob@example.com' }, request(), change);
    expect([again.added, again.binding.approvedBy]).toEqual([false, 'ann@example.com']);
  });

  it.each([
    ['add', () => bindings.add(admin([search]), request(), change)],
    ['remove', () => bindings.remove(admin([search]), request().key, change)],
    ['list', () => bindings.list(admin([search]), { namespace: billing, limit: 10 })],
  ])('does not %s in a namespace of others', async (_, attempt) => {
    await expect(attempt()).rejects.toThrow(NamespaceNotFoundError);
    expect(await store.bindings.list({ limit: 10 })).toEqual([]);
  });

  it('records a denied attempt with its namespace', async () => {
    await expect(bindings.add(admin([search]), request(), change)).rejects.toThrow(NamespaceNotFoundError);
    await recorder.flush();
    await store.log.seal();
    expect(await store.log.list({ limit: 10 })).toEqual([
      expect.objectContaining({
        userId: 'ann@example.com',
        action: 'binding.add',
        resource: 'namespace:billing',
        namespace: 'billing',
        result: 'denied',
      }),
    ]);
  });

  it("lists only the bindings of the admin's namespaces", async () => {
    await bindings.add(admin('*'), request(billing), change);
    await bindings.add(admin('*'), request(search), change);
    const listed = await bindings.list(admin([search]), { limit: 10 });
    expect(listed.map(({ namespace }) => namespace)).toEqual(['search']);
    expect(await bindings.list(admin([]), { limit: 10 })).toEqual([]);
  });

  it('fails to remove what does not exist', async () => {
    await expect(bindings.remove(admin('*'), request().key, change)).rejects.toThrow(BindingNotFoundError);
  });
});
