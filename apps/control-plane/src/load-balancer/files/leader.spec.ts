import { beforeEach, describe, expect, it } from '@jest/globals';
import type { HeldLease } from '@palisade/domain';
import { MemoryStore } from '@palisade/storage';
import type { LeaderTerm } from '../../leadership/leader-duty.js';
import { leaderOfTerm } from './leader.js';

describe(leaderOfTerm.name, () => {
  let store: MemoryStore;
  beforeEach(() => {
    store = new MemoryStore();
  });
  const acquire = (holder: string): Promise<HeldLease> => store.leases.acquire('leader', holder, 60_000);
  const termOf = (held: HeldLease): LeaderTerm => ({
    signal: new AbortController().signal,
    lease: () => held,
    isHeld: () => true,
  });

  it('has the epoch of the lease, and is confirmed as long as the store says the same', async () => {
    const leader = leaderOfTerm(termOf(await acquire('a')), store.leases);
    expect([leader.epoch, await leader.isConfirmed()]).toEqual([1, true]);
  });

  it('is not confirmed when another one has the lease', async () => {
    const leader = leaderOfTerm(termOf(await acquire('a')), store.leases);
    await store.leases.release('leader', 'a');
    await acquire('b');
    expect(await leader.isConfirmed()).toBe(false);
  });

  it('is not confirmed in a later term of its own', async () => {
    const leader = leaderOfTerm(termOf(await acquire('a')), store.leases);
    await store.leases.release('leader', 'a');
    await acquire('a');
    expect(await leader.isConfirmed()).toBe(false);
  });

  it('is not confirmed when nobody leads', async () => {
    const leader = leaderOfTerm(termOf(await acquire('a')), store.leases);
    await store.leases.release('leader', 'a');
    expect(await leader.isConfirmed()).toBe(false);
  });
});
