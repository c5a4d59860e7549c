import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { StoreUnavailableError, type LeaseStore, type Store } from '@palisade/domain';
import { MemoryStore } from '@palisade/storage';
import { describeLeaseStoreContract } from '../../../libs/storage/test/lease-store.contract.js';
import { KubernetesLeaseStore } from '../src/kubernetes/kubernetes-lease-store.js';
import { Leadership } from '../src/leadership/leadership.js';
import type { LeaderTerm } from '../src/leadership/leader-duty.js';
import { TestCluster } from './support/kubernetes/test-cluster.js';
import { until } from '../../../test/support/until.js';

/** The one that the role allows. */
const NAME = 'control-plane';
const OBJECT = `palisade-${NAME}`;
const TTL_MS = 2000;

describe(KubernetesLeaseStore.name, () => {
  let cluster: TestCluster;
  let clock: { at: number };
  let stop: AsyncDisposableStack;
  beforeAll(async () => {
    Logger.overrideLogger(false);
    cluster = await TestCluster.start();
  });
  afterAll(async () => {
    await cluster[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    clock = { at: 0 };
    stop = new AsyncDisposableStack();
  });
  afterEach(async () => {
    await stop.disposeAsync();
    cluster.link.clear();
    await cluster.empty();
  });

  /** A replica, with a clock of its own unless another one is given. */
  function replica(monotonicNow?: () => number): KubernetesLeaseStore {
    const api = cluster.connect(1000);
    stop.defer(() => api.close());
    return new KubernetesLeaseStore(api, { namespace: cluster.namespace, prefix: 'palisade-', monotonicNow });
  }
  const specOf = async (): Promise<unknown> => (await cluster.getLease(OBJECT))['spec'];

  describe('as any store of leases', () => {
    describeLeaseStoreContract(() => {
      const options = { namespace: cluster.namespace, prefix: '' };
      const leases: LeaseStore = new KubernetesLeaseStore(cluster.connectAsAdministrator(), options);
      return { leases: shared(leases) } as Store;
    });
    /** The contract asks for the store again each time: one and the same must answer. */
    let first: LeaseStore | undefined;
    function shared(leases: LeaseStore): LeaseStore {
      first ??= leases;
      return first;
    }
  });

  it('writes what kubectl and other clients understand', async () => {
    await replica().acquire(NAME, 'a', TTL_MS);
    expect(await specOf()).toEqual({
      holderIdentity: 'a',
      leaseDurationSeconds: 2,
      leaseTransitions: 0,
      acquireTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      renewTime: expect.stringMatching(/\.\d{6}Z$/),
    });
  });

  it('says when the lease was taken, not when it was renewed', async () => {
    const store = replica();
    await store.acquire(NAME, 'a', TTL_MS);
    const { acquireTime } = (await specOf()) as { readonly acquireTime: string };
    await until(() => Date.now() > Date.parse(acquireTime) + 1);
    await store.acquire(NAME, 'a', TTL_MS);
    expect(await specOf()).toMatchObject({ acquireTime, renewTime: expect.not.stringMatching(acquireTime) });
  });

  it('leaves what others have noted on the Lease', async () => {
    const store = replica();
    await store.acquire(NAME, 'a', TTL_MS);
    await cluster.changeLease(OBJECT, { metadata: { labels: { team: 'proxies' } } });
    await store.acquire(NAME, 'a', TTL_MS);
    expect(await cluster.getLease(OBJECT)).toMatchObject({ metadata: { labels: { team: 'proxies' } } });
  });

  it.each([-86_400_000, 86_400_000])('waits for a holder whose clock differs by %d ms', async (differenceMs) => {
    await replica().acquire(NAME, 'a', TTL_MS);
    const renewTime = new Date(Date.now() + differenceMs).toISOString().replace('Z', '000Z');
    await cluster.changeLease(OBJECT, { spec: { renewTime } });
    const other = replica(() => clock.at);
    expect(await other.acquire(NAME, 'b', TTL_MS)).toMatchObject({ holder: 'a' });
    clock.at = 1999;
    expect(await other.acquire(NAME, 'b', TTL_MS)).toMatchObject({ holder: 'a' });
    clock.at = 2000;
    expect(await other.acquire(NAME, 'b', TTL_MS)).toMatchObject({ holder: 'b', epoch: 2 });
  });

  it('waits again after each renewal that it sees', async () => {
    const holder = replica();
    await holder.acquire(NAME, 'a', TTL_MS);
    const other = replica(() => clock.at);
    await other.acquire(NAME, 'b', TTL_MS);
    clock.at = 1999;
    await holder.acquire(NAME, 'a', TTL_MS);
    expect(await other.acquire(NAME, 'b', TTL_MS)).toMatchObject({ holder: 'a' });
    clock.at = 3998;
    expect(await other.acquire(NAME, 'b', TTL_MS)).toMatchObject({ holder: 'a' });
    clock.at = 3999;
    expect(await other.acquire(NAME, 'b', TTL_MS)).toMatchObject({ holder: 'b' });
  });

  it('gives a lease that has run out to one of two who take it at the same time', async () => {
    await replica().acquire(NAME, 'gone', TTL_MS);
    const [b, c] = [replica(() => clock.at), replica(() => clock.at)];
    await Promise.all([b.acquire(NAME, 'b', TTL_MS), c.acquire(NAME, 'c', TTL_MS)]);
    clock.at = TTL_MS;
    // Both have read the same state when the first of them writes.
    cluster.link.beforeNext(/^PATCH/, async () => {
      await c.acquire(NAME, 'c', TTL_MS);
    });
    const [ofB, ofC] = [await b.acquire(NAME, 'b', TTL_MS), await c.find(NAME)];
    expect([ofB, ofC]).toMatchObject([
      { holder: 'c', epoch: 2 },
      { holder: 'c', epoch: 2 },
    ]);
  });

  it('takes a lease whose Lease somebody deletes at the same time', async () => {
    const store = replica();
    await store.acquire(NAME, 'a', TTL_MS);
    cluster.link.beforeNext(/^PATCH/, () => cluster.empty());
    expect(await store.acquire(NAME, 'a', TTL_MS)).toMatchObject({ holder: 'a' });
  });

  it('takes a Lease that somebody has made by hand', async () => {
    await cluster.administer('POST', cluster.pathOf('/apis/coordination.k8s.io/v1', 'leases'), {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: OBJECT },
      spec: {},
    });
    expect(await replica().acquire(NAME, 'a', TTL_MS)).toMatchObject({ holder: 'a', epoch: 2 });
  });

  describe('says that it is unavailable', () => {
    it('while the API server is away', async () => {
      await cluster.link.down();
      stop.defer(() => cluster.link.up());
      await expect(replica().acquire(NAME, 'a', TTL_MS)).rejects.toThrow(StoreUnavailableError);
      await expect(replica().find(NAME)).rejects.toThrow(StoreUnavailableError);
      await expect(replica().release(NAME, 'a')).rejects.toThrow(StoreUnavailableError);
    });

    it.each([500, 503, 429])('when the API server answers %d', async (status) => {
      cluster.link.answerNext(/leases/, { status, body: '' });
      await expect(replica().acquire(NAME, 'a', TTL_MS)).rejects.toThrow(StoreUnavailableError);
    });

    it('when no answer comes within half of the time', async () => {
      const held = Promise.withResolvers<void>();
      cluster.link.beforeNext(/leases/, () => held.promise);
      stop.defer(() => held.resolve());
      await expect(replica().acquire(NAME, 'a', 1000)).rejects.toThrow(StoreUnavailableError);
    });
  });

  it('says what the API server rejects', async () => {
    cluster.link.answerNext(/leases/, { status: 403, body: '{"message":"leases is forbidden"}' });
    await expect(replica().acquire(NAME, 'a', TTL_MS)).rejects.toThrow(/403: leases is forbidden/);
  });
});

describe(Leadership.name, () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    Logger.overrideLogger(false);
    cluster = await TestCluster.start();
  });
  afterAll(async () => {
    await cluster[Symbol.asyncDispose]();
  });

  it('goes to another replica when one is cut off from the cluster, and never to two', async () => {
    await using stop = new AsyncDisposableStack();
    const store = new MemoryStore();
    const leading = new Set<string>();
    let mostAtOnce = 0;
    const start = (holder: string, api = cluster.connectAsAdministrator()): Leadership => {
      const leases = new KubernetesLeaseStore(api, { namespace: cluster.namespace, prefix: 'palisade-' });
      const leadership = new Leadership([leases, store.leases], { name: NAME, holder, ttlMs: TTL_MS, mayLead: true });
      leadership.assign({
        name: 'recorded',
        run: async ({ signal }: LeaderTerm) => {
          leading.add(holder);
          mostAtOnce = Math.max(mostAtOnce, leading.size);
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          leading.delete(holder);
        },
      });
      leadership.onApplicationBootstrap();
      stop.defer(() => leadership.onModuleDestroy());
      return leadership;
    };
    const a = start('a', cluster.connect(1000));
    await until(() => a.isLeader);
    const b = start('b');
    await cluster.link.down();
    await until(() => b.isLeader);
    expect([...leading]).toEqual(['b']);
    await cluster.link.up();
    await b.onModuleDestroy();
    await until(() => a.isLeader);
    expect(mostAtOnce).toBe(1);
  });
});
