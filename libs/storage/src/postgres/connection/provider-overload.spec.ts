import { describe, expect, it } from '@jest/globals';
import { parseNamespaceId, parseProviderId } from '@palisade/domain';
import { PoolExhaustedError, PoolTimeoutError, type PoolSnapshot } from '@palisade/isolation/postgres';
import { toProviderBusy } from './provider-overload.js';

const P1 = parseProviderId('p1');

function snapshot(active: number, max: number): PoolSnapshot {
  const counts = { active, max, reserved: 0, weight: 1, idle: 0, opening: 0, closing: 0, queued: 7, failures: 0 };
  return {
    name: 'postgres/p1',
    namespace: parseNamespaceId('p1'),
    ...counts,
    counters: {} as PoolSnapshot['counters'],
  };
}

describe(toProviderBusy.name, () => {
  it('blames the provider for operations that fill its queue', () => {
    const cause = new PoolExhaustedError('postgres/p1', 'queued', 200);
    expect(toProviderBusy(cause, P1)).toMatchObject({ code: 'PROVIDER_BUSY', provider: P1, queued: 200, cause });
  });

  it('blames the provider for a wait while it had all the connections that it may have', () => {
    expect(toProviderBusy(new PoolTimeoutError(snapshot(5, 5), 30_000), P1)).toMatchObject({ queued: 7 });
  });

  it.each([
    ['a wait for connections that others had', new PoolTimeoutError(snapshot(4, 5), 30_000)],
    ['too many providers', new PoolExhaustedError('postgres', 'namespaces', 1000)],
    ['any other error', new Error('boom')],
  ])('does not blame it for %s', (_, error) => {
    expect(toProviderBusy(error, P1)).toBeUndefined();
  });
});
