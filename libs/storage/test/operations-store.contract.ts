import { describe, expect, it } from '@jest/globals';
import type { ComponentStatus, HeldLease, LoadBalancerVersion, Store } from '@palisade/domain';
import { v7 as uuid } from 'uuid';
import { freshLabel } from './support/tenancy-samples.js';

/** What the leader keeps, and that nobody else can write it. */
export function describeOperationsStoreContract(store: () => Store): void {
  describe('operations', () => {
    describe('versions of the load balancer', () => describeVersions(store));
    describe('status of components', () => describeStatuses(store));
    describe('requests for a reload', () => describeReloads(store));
    describe('writes without the lease', () => describeFencing(store));
  });
}

function leaseOf(store: Store, holder = 'leader', name = freshLabel()): Promise<HeldLease> {
  return store.leases.acquire(name, holder, 60_000);
}

function versionOf(overrides: Partial<LoadBalancerVersion> = {}): LoadBalancerVersion {
  return {
    id: uuid(),
    revision: 7,
    epoch: 3,
    hash: 'ab'.repeat(32),
    type: 'haproxy',
    method: 'reload',
    result: 'applied',
    actor: 'leader',
    at: new Date('2026-01-01T00:00:00.123Z'),
    durationMs: 12.5,
    ...overrides,
  };
}

function statusOf(overrides: Partial<ComponentStatus> = {}): ComponentStatus {
  return { component: freshLabel(), detail: { ok: true }, holder: 'r1', at: new Date(1_000), ...overrides };
}

function describeVersions(store: () => Store): void {
  it('keeps versions as they are and lists them, newest first', async () => {
    const lease = await leaseOf(store());
    const versions = [
      versionOf(),
      versionOf({ result: 'rejected', hash: '', reason: 'line 7:\nno "}"' }),
      versionOf({ epoch: undefined }),
    ];
    for (const version of versions) {
      await store().operations.recordVersion(version, lease);
    }

    expect(await store().operations.listVersions({ limit: 3 })).toEqual(versions.toReversed());
    expect(await store().operations.listVersions({ before: versions[1]?.id, limit: 1 })).toEqual([versions[0]]);
  });

  it('keeps the first when a version is recorded again', async () => {
    const lease = await leaseOf(store());
    const version = versionOf();

    await store().operations.recordVersion(version, lease);
    await store().operations.recordVersion({ ...version, result: 'failed' }, lease);

    expect(await store().operations.listVersions({ limit: 1 })).toEqual([version]);
  });

  it('cleans and cuts what a program printed', async () => {
    const version = versionOf({ reason: `\0${'x'.repeat(10_000)}` });

    await store().operations.recordVersion(version, await leaseOf(store()));

    const [kept] = await store().operations.listVersions({ limit: 1 });
    expect(kept).toEqual({ ...version, reason: `\ufffd${'x'.repeat(8191)}` });
  });

  it('forgets all but the latest thousand', async () => {
    const lease = await leaseOf(store());
    const oldest = versionOf({ id: '00000000-0000-7000-8000-000000000000' });
    await store().operations.recordVersion(oldest, lease);
    for (let count = 0; count <= 1001; count++) {
      await store().operations.recordVersion(versionOf(), lease);
    }

    const kept = await store().operations.listVersions({ limit: 10_000 });

    expect(kept.length).toBeGreaterThanOrEqual(1000);
    expect(kept.length).toBeLessThanOrEqual(1001);
    expect(kept.at(-1)?.id).not.toBe(oldest.id);
  });

  it.each(['', 'a\0b', '\ud800'])('rejects the id %j, and lists nothing before it', async (id) => {
    const record = store().operations.recordVersion(versionOf({ id }), await leaseOf(store()));

    await expect(record).rejects.toMatchObject({ code: 'INVALID_IDENTIFIER' });
    expect(await store().operations.listVersions({ before: id, limit: 10 })).toEqual([]);
  });
}

function describeStatuses(store: () => Store): void {
  it('keeps the latest status of each component', async () => {
    const lease = await leaseOf(store());
    const first = statusOf();
    const latest = {
      ...first,
      detail: { ok: false, why: ['a\0b', null, { deep: 1.5 }] },
      holder: 'r2',
      at: new Date(2_000),
    };
    const other = statusOf();
    for (const status of [first, other, latest]) {
      await store().operations.report(status, lease);
    }

    const statuses = await store().operations.statuses();

    expect(statuses.filter(({ component }) => component === first.component)).toEqual([latest]);
    expect(statuses.filter(({ component }) => component === other.component)).toEqual([other]);
    const components = statuses.map(({ component }) => component);
    expect(components).toEqual(components.toSorted());
  });

  it.each(['', 'a\0b', '\ud800'])('rejects the component and holder %j', async (text) => {
    const lease = await leaseOf(store());

    for (const status of [statusOf({ component: text }), statusOf({ holder: text })]) {
      await expect(store().operations.report(status, lease)).rejects.toMatchObject({ code: 'INVALID_IDENTIFIER' });
    }
  });
}

function describeReloads(store: () => Store): void {
  const ask = async (actor = 'ann@example.com'): Promise<string> => {
    const id = uuid();
    await store().operations.requestReload({ id, actor, at: new Date() });
    return id;
  };
  const pendingAmong = async (...ids: string[]): Promise<string[]> =>
    (await store().operations.pendingReloads()).map(({ id }) => id).filter((id) => ids.includes(id));

  it('wait for an answer, oldest first', async () => {
    const [first, second] = [await ask(), await ask()];

    expect(await pendingAmong(second, first)).toEqual([first, second]);
    expect(await store().operations.findReloadAnswer(first)).toBeUndefined();
    const kept = (await store().operations.pendingReloads()).find(({ id }) => id === first);
    expect(kept).toEqual({ id: first, actor: 'ann@example.com', at: expect.any(Date) });
  });

  it('are answered with a version, several with the same one', async () => {
    const lease = await leaseOf(store());
    const [first, second, other] = [await ask(), await ask(), await ask()];
    const version = versionOf({ result: 'unchanged', method: 'none' });
    await store().operations.recordVersion(version, lease);

    await store().operations.answerReloads([first, second], version.id, lease);

    expect(await store().operations.findReloadAnswer(first)).toEqual(version);
    expect(await store().operations.findReloadAnswer(second)).toEqual(version);
    expect(await pendingAmong(first, second, other)).toEqual([other]);
  });

  it('are there once when they are left twice', async () => {
    const id = await ask();
    await store().operations.requestReload({ id, actor: 'bob@example.com', at: new Date() });

    expect(await pendingAmong(id)).toEqual([id]);
  });

  it.each(['', 'a\0b', '\ud800'])('reject the actor %j, and have no answer under that id', async (text) => {
    await expect(ask(text)).rejects.toMatchObject({ code: 'INVALID_IDENTIFIER' });
    expect(await store().operations.findReloadAnswer(text)).toBeUndefined();
  });
}

function describeFencing(store: () => Store): void {
  async function expectRejected(lease: HeldLease): Promise<void> {
    const [version, status] = [versionOf(), statusOf()];
    const lost = { code: 'LEASE_LOST', lease: lease.name, epoch: lease.epoch };
    const request = { id: uuid(), actor: 'a', at: new Date() };
    await store().operations.requestReload(request);

    await expect(store().operations.recordVersion(version, lease)).rejects.toMatchObject(lost);
    await expect(store().operations.report(status, lease)).rejects.toMatchObject(lost);
    await expect(store().operations.answerReloads([request.id], version.id, lease)).rejects.toMatchObject(lost);

    expect((await store().operations.pendingReloads()).map(({ id }) => id)).toContain(request.id);
    expect((await store().operations.listVersions({ limit: 10 })).map(({ id }) => id)).not.toContain(version.id);
    const components = (await store().operations.statuses()).map(({ component }) => component);
    expect(components).not.toContain(status.component);
  }

  it('are rejected after the lease has gone to another', async () => {
    const lease = await leaseOf(store(), 'a');
    await store().leases.release(lease.name, 'a');
    const current = await leaseOf(store(), 'b', lease.name);

    await expectRejected(lease);
    await expect(store().operations.report(statusOf(), current)).resolves.toBeUndefined();
  });

  it('are rejected after the lease was given up, until it is acquired again', async () => {
    const lease = await leaseOf(store(), 'a');
    await store().leases.release(lease.name, 'a');

    await expectRejected(lease);
    const renewed = await leaseOf(store(), 'a', lease.name);
    await expectRejected(lease);
    await expect(store().operations.report(statusOf(), renewed)).resolves.toBeUndefined();
  });

  it('are rejected with a lease that was never given, or is of another', async () => {
    const lease = await leaseOf(store(), 'a');

    await expectRejected({ ...lease, name: freshLabel() });
    await expectRejected({ ...lease, holder: 'b' });
    await expectRejected({ ...lease, epoch: lease.epoch + 1 });
    await expectRejected({ ...lease, holder: 'a\0' });
  });

  it('go on while the holder extends the lease', async () => {
    const lease = await leaseOf(store(), 'a');
    await leaseOf(store(), 'a', lease.name);

    await expect(store().operations.report(statusOf(), lease)).resolves.toBeUndefined();
  });
}
