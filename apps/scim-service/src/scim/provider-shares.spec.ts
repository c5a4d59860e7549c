import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { parseProviderId } from '@palisade/domain';
import { ProviderBusyError } from './provider-busy.error.js';
import { ProviderShares } from './provider-shares.js';

const okta = parseProviderId('okta');
const entra = parseProviderId('entra');

describe(ProviderShares.name, () => {
  let shares: ProviderShares;

  beforeEach(() => {
    jest.useFakeTimers();
    shares = new ProviderShares();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  function fill(count: number): Promise<Disposable[]> {
    return Promise.all(Array.from({ length: count }, () => shares.acquire(okta)));
  }

  it('lets five requests of a provider run, and others of other providers', async () => {
    await fill(5);
    const started: string[] = [];
    void shares.acquire(okta).then(() => started.push('sixth'));
    await shares.acquire(entra).then(() => started.push('other'));
    expect(started).toEqual(['other']);
  });

  it('gives a freed place to the oldest waiter, not to a newcomer', async () => {
    const [first] = await fill(5);
    const started: string[] = [];
    const oldest = shares.acquire(okta).then(() => started.push('oldest'));
    void shares.acquire(okta).then(() => started.push('second'));
    first?.[Symbol.dispose]();
    void shares.acquire(okta).then(() => started.push('newcomer'));
    await oldest;
    expect(started).toEqual(['oldest']);
  });

  it('refuses more than 200 waiters', async () => {
    await fill(5);
    const waiting = Array.from({ length: 200 }, () => shares.acquire(okta));
    await expect(shares.acquire(okta)).rejects.toBeInstanceOf(ProviderBusyError);
    expect(waiting).toHaveLength(200);
  });

  it('refuses a waiter after half a minute, who then takes no place', async () => {
    const held = await fill(5);
    const late = expect(shares.acquire(okta)).rejects.toBeInstanceOf(ProviderBusyError);
    jest.advanceTimersByTime(30_000);
    await late;
    held.forEach((share) => share[Symbol.dispose]());
    expect(shares.size).toBe(0);
  });

  it('forgets a provider without requests', async () => {
    const held = [...(await fill(3)), await shares.acquire(entra)];
    expect(shares.size).toBe(2);
    held.forEach((share) => share[Symbol.dispose]());
    expect(shares.size).toBe(0);
  });
});
