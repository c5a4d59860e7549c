import { beforeEach, describe, expect, it } from '@jest/globals';
import { MemoryStore } from '@palisade/storage';
import { Leadership } from '../leadership/leadership.js';
import { StatusService } from './status.service.js';

describe(StatusService.name, () => {
  let store: MemoryStore;
  let service: StatusService;
  beforeEach(() => {
    store = new MemoryStore();
    const options = { name: 'control-plane', holder: 'c', ttlMs: 5000, mayLead: false };
    service = new StatusService(store, new Leadership([store.leases], options));
  });

  it('says that a report is out of date while nobody leads, and once another replica leads', async () => {
    const lease = await store.leases.acquire('control-plane', 'a', 60_000);
    const detail = { tenants: { state: 'following' } };
    await store.operations.report({ component: 'kubernetes', detail, holder: 'a', at: new Date(0) }, lease);
    const isCurrent = async () => (await service.get()).components.map(({ is_current }) => is_current);
    expect(await isCurrent()).toEqual([true]);
    await store.leases.release('control-plane', 'a');
    expect(await isCurrent()).toEqual([false]);
    await store.leases.acquire('control-plane', 'b', 60_000);
    expect(await isCurrent()).toEqual([false]);
  });
});
