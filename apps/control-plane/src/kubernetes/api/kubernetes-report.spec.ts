import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LeaseLostError, type HeldLease } from '@palisade/domain';
import { MemoryStore } from '@palisade/storage';
import { KubernetesReport, describeWatch } from './kubernetes-report.js';

describe(KubernetesReport.name, () => {
  let store: MemoryStore;
  let report: KubernetesReport;
  beforeEach(() => {
    store = new MemoryStore();
    report = new KubernetesReport(store.operations);
  });
  const termOf = (lease: HeldLease) => ({
    signal: new AbortController().signal,
    lease: () => lease,
    isHeld: () => true,
  });

  it('tells of all parts as one component', async () => {
    const term = termOf(await store.leases.acquire('leader', 'a', 60_000));
    await report.tell('tenants', { resources: 1 }, term);
    await report.tell('pods', { resources: 2 }, term);
    expect(await store.operations.statuses()).toMatchObject([
      { component: 'kubernetes', holder: 'a', detail: { tenants: { resources: 1 }, pods: { resources: 2 } } },
    ]);
  });

  it('stores nothing again that has not changed, but in a new term', async () => {
    const first = termOf(await store.leases.acquire('leader', 'a', 60_000));
    const stored = jest.spyOn(store.operations, 'report');
    await report.tell('tenants', { resources: 1 }, first);
    await report.tell('tenants', { resources: 1 }, first);
    expect(stored).toHaveBeenCalledTimes(1);
    await store.leases.release('leader', 'a');
    await report.tell('tenants', { resources: 1 }, termOf(await store.leases.acquire('leader', 'a', 60_000)));
    expect(stored).toHaveBeenCalledTimes(2);
  });

  it('is rejected after the term', async () => {
    const term = termOf(await store.leases.acquire('leader', 'a', 60_000));
    await store.leases.release('leader', 'a');
    await expect(report.tell('tenants', {}, term)).rejects.toThrow(LeaseLostError);
  });
});

describe(describeWatch.name, () => {
  it('says since when only while something is wrong, so that it stays the same while nothing is', () => {
    const lastContactAt = new Date(0);
    expect(describeWatch({ state: 'following', lastContactAt })).toEqual({ state: 'following' });
    expect(describeWatch({ state: 'failing', lastContactAt, error: 'connect ECONNREFUSED' })).toEqual({
      state: 'failing',
      last_contact_at: '1970-01-01T00:00:00.000Z',
      error: 'connect ECONNREFUSED',
    });
  });
});
