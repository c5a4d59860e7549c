import { describe, expect, it } from '@jest/globals';
import type { Store } from '@palisade/domain';
import { setTimeout } from 'node:timers/promises';
import { freshLabel } from './support/tenancy-samples.js';

const SHORTEST_MS = 1_000;
const LONG_MS = 60_000;

/** Leases: one holder at a time. */
export function describeLeaseStoreContract(store: () => Store): void {
  describe('leases', () => {
    describe('acquire', () => describeAcquire(store));
    describe('release and find', () => describeRelease(store));
    describe('hostile requests', () => describeHostileRequests(store));
  });
}

/** Waits until nobody holds the lease. */
async function expiry(store: Store, name: string): Promise<void> {
  while (await store.leases.find(name)) {
    await setTimeout(20);
  }
}

function describeAcquire(store: () => Store): void {
  it('gives a free lease, and to nobody else while it is held', async () => {
    const name = freshLabel();

    const lease = await store().leases.acquire(name, 'a', LONG_MS);
    const rejected = await store().leases.acquire(name, 'b', LONG_MS);

    expect(lease).toEqual({ name, holder: 'a', epoch: 1, expiresAt: expect.any(Date) });
    expect(rejected).toEqual(lease);
    expect(await store().leases.find(name)).toEqual(lease);
  });

  it('extends the lease of its holder in the same epoch', async () => {
    const name = freshLabel();
    const first = await store().leases.acquire(name, 'a', SHORTEST_MS);

    const extended = await store().leases.acquire(name, 'a', LONG_MS);

    expect(extended).toMatchObject({ holder: 'a', epoch: 1 });
    expect(extended.expiresAt.getTime() - first.expiresAt.getTime()).toBeGreaterThanOrEqual(LONG_MS - SHORTEST_MS);
  });

  it('gives a lease that has run out to the next, in the next epoch', async () => {
    const name = freshLabel();
    await store().leases.acquire(name, 'a', SHORTEST_MS);
    await expiry(store(), name);

    const next = await store().leases.acquire(name, 'b', LONG_MS);

    expect(next).toMatchObject({ holder: 'b', epoch: 2 });
    expect(await store().leases.acquire(name, 'a', LONG_MS)).toEqual(next);
  });

  it('keeps the epoch of a holder whose lease ran out when nobody else had it', async () => {
    const name = freshLabel();
    await store().leases.acquire(name, 'a', SHORTEST_MS);
    await expiry(store(), name);

    expect(await store().leases.acquire(name, 'a', LONG_MS)).toMatchObject({ holder: 'a', epoch: 1 });
  });

  it('gives the lease to one of many who want it at once', async () => {
    const name = freshLabel();
    const holders = Array.from({ length: 20 }, (_, index) => `holder-${index}`);

    const leases = await Promise.all(holders.map((holder) => store().leases.acquire(name, holder, LONG_MS)));

    expect(new Set(leases.map(({ holder }) => holder)).size).toBe(1);
    expect(new Set(leases.map(({ epoch }) => epoch))).toEqual(new Set([1]));
  });

  it('keeps leases of different names apart', async () => {
    const [one, two] = [freshLabel(), freshLabel()];

    await store().leases.acquire(one, 'a', LONG_MS);

    expect(await store().leases.acquire(two, 'b', LONG_MS)).toMatchObject({ name: two, holder: 'b', epoch: 1 });
  });
}

function describeRelease(store: () => Store): void {
  it('frees the lease, whose next holder has the next epoch', async () => {
    const name = freshLabel();
    await store().leases.acquire(name, 'a', LONG_MS);

    expect(await store().leases.release(name, 'a')).toBe(true);

    expect(await store().leases.find(name)).toBeUndefined();
    expect(await store().leases.acquire(name, 'b', LONG_MS)).toMatchObject({ holder: 'b', epoch: 2 });
  });

  it('begins a new epoch also for the one who gave it up', async () => {
    const name = freshLabel();
    await store().leases.acquire(name, 'a', LONG_MS);
    await store().leases.release(name, 'a');

    expect(await store().leases.acquire(name, 'a', LONG_MS)).toMatchObject({ epoch: 2 });
  });

  it('is rejected to whoever does not have the lease', async () => {
    const name = freshLabel();
    const lease = await store().leases.acquire(name, 'a', LONG_MS);

    expect(await store().leases.release(name, 'b')).toBe(false);
    expect(await store().leases.release(freshLabel(), 'a')).toBe(false);
    expect(await store().leases.find(name)).toEqual(lease);
  });

  it('finds nothing that has run out', async () => {
    const name = freshLabel();
    await store().leases.acquire(name, 'a', SHORTEST_MS);
    await expiry(store(), name);

    expect(await store().leases.find(name)).toBeUndefined();
    expect(await store().leases.release(name, 'a')).toBe(false);
  });
}

function describeHostileRequests(store: () => Store): void {
  it.each([999, 60_001, 0, -1, Number.NaN, Infinity])('rejects %d milliseconds', async (ttlMs) => {
    await expect(store().leases.acquire(freshLabel(), 'a', ttlMs)).rejects.toThrow(RangeError);
  });

  it.each(['', 'a\0b', '\ud800', 'n'.repeat(256)])('rejects the name and holder %j', async (text) => {
    await expect(store().leases.acquire(text, 'a', LONG_MS)).rejects.toMatchObject({ code: 'INVALID_IDENTIFIER' });
    await expect(store().leases.acquire('n', text, LONG_MS)).rejects.toMatchObject({ code: 'INVALID_IDENTIFIER' });
    expect(await store().leases.find(text)).toBeUndefined();
    expect(await store().leases.release(text, text)).toBe(false);
  });
}
