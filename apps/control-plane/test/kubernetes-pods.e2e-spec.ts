import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parseProxyId, type JsonObject, type Proxy } from '@palisade/domain';
import { MemoryStore } from '@palisade/storage';
import { KubernetesReport } from '../src/kubernetes/api/kubernetes-report.js';
import { StaticDiscoveryDuty } from '../src/discovery/static-discovery.duty.js';
import { PodDiscoveryDuty } from '../src/kubernetes/pod-discovery.duty.js';
import { DutyRun } from './support/kubernetes/duty-run.js';
import { TestCluster } from './support/kubernetes/test-cluster.js';
import { STANDARD, routingSettings } from './support/routing-settings.js';
import { until } from '../../../test/support/until.js';

const CHANGE = { actor: 'ann@example.com', at: new Date(0) };
const TIMING = { retryMinMs: 20, retryMaxMs: 200, confirmPauseMs: 50 };

describe(PodDiscoveryDuty.name, () => {
  let cluster: TestCluster;
  let store: MemoryStore;
  let stop: AsyncDisposableStack;
  beforeAll(async () => {
    Logger.overrideLogger(false);
    cluster = await TestCluster.start();
  });
  afterAll(async () => {
    await cluster[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    store = new MemoryStore();
    stop = new AsyncDisposableStack();
  });
  afterEach(async () => {
    await stop.disposeAsync();
    cluster.link.clear();
    await cluster.empty();
  });

  async function start(): Promise<void> {
    const api = cluster.connect();
    stop.defer(() => api.close());
    const duty = new PodDiscoveryDuty(store.proxies, api, new KubernetesReport(store.operations), {
      pools: routingSettings().pools,
      poolLabel: 'prism.io/pool',
      portName: 'proxy',
      namespace: cluster.namespace,
      labelSelector: 'app=proxy',
      watch: { timing: TIMING },
    });
    stop.use(await DutyRun.start(duty, store));
  }
  async function end(): Promise<void> {
    await stop.disposeAsync();
    stop = new AsyncDisposableStack();
  }

  const find = (id: string): Promise<Proxy | undefined> => store.proxies.find(parseProxyId(id));
  const expectExactly = (...ids: string[]) =>
    until(async () => (await store.proxies.list()).map(({ id }) => id).join() === ids.join());
  const expectState = (id: string, state: Partial<Proxy>) =>
    until(async () => {
      const proxy = await find(id);
      return proxy !== undefined && Object.entries(state).every(([name, value]) => proxy[name as 'id'] === value);
    });
  async function reported(): Promise<JsonObject> {
    const [status] = await store.operations.statuses();
    return (status?.detail['pods'] ?? {}) as JsonObject;
  }

  it('makes proxies of ready pods, of the pool and with the weight that they say', async () => {
    await start();
    await cluster.createPod('a', { ip: '10.1.0.1' });
    await cluster.createPod('b', {
      ip: 'fd00::2',
      labels: { 'prism.io/pool': 'premium' },
      annotations: { 'prism.io/weight': '5' },
      ports: [
        { name: 'metrics', containerPort: 9090 },
        { name: 'proxy', containerPort: 8443 },
      ],
    });
    await expectExactly('b', 'a');
    expect(await store.proxies.list()).toMatchObject([
      { id: 'b', source: 'kubernetes', pool: 'premium', host: 'fd00::2', port: 8443, weight: 5, isDraining: false },
      { id: 'a', source: 'kubernetes', pool: 'standard', host: '10.1.0.1', port: 8080, weight: 1, health: 'unknown' },
    ]);
  });

  it('has nothing to do with pods that the selector does not select', async () => {
    await cluster.createPod('a');
    await cluster.createPod('other', { labels: { app: 'other' } });
    await start();
    await expectExactly('a');
    await cluster.changePod('a', { metadata: { labels: { app: 'other' } } });
    await expectExactly();
    expect(await reported()).toMatchObject({ problems: [] });
  });

  it('waits until a pod is ready', async () => {
    await start();
    await cluster.createPod('a', { isReady: false });
    await cluster.createPod('b');
    await expectExactly('b');
    await cluster.setPodState('a', { isReady: true });
    await expectExactly('a', 'b');
  });

  it('takes a pod out that is not ready any more, but not the last ones of a pool', async () => {
    await cluster.createPod('a', { ip: '10.1.0.1' });
    await cluster.createPod('b', { ip: '10.1.0.2' });
    await start();
    await expectExactly('a', 'b');
    await cluster.setPodState('a', { isReady: false });
    await expectExactly('b');
    await cluster.setPodState('b', { isReady: false });
    await cluster.createPod('c', { ip: '10.1.0.3', isReady: false });
    await until(async () => (await reported())['resources'] === 3);
    await expectExactly('b');
    await cluster.setPodState('c', { isReady: true });
    await expectExactly('c');
  });

  it('drains a pod that terminates, until it is gone', async () => {
    await cluster.createPod('a', { ip: '10.1.0.1' });
    await cluster.createPod('b', { ip: '10.1.0.2' });
    await start();
    await expectExactly('a', 'b');
    await cluster.terminatePod('a');
    await expectState('a', { isDraining: true });
    expect(await find('b')).toMatchObject({ isDraining: false });
    await cluster.deletePod('a');
    await expectExactly('b');
  });

  it('has nothing to do with a pod that was terminating before it was known', async () => {
    await cluster.createPod('a');
    await cluster.terminatePod('a');
    await cluster.createPod('b');
    await start();
    await expectExactly('b');
    expect(await find('a')).toBeUndefined();
  });

  it('gives requests to a pod that has the name of one that was terminating', async () => {
    await cluster.createPod('proxy-0', { ip: '10.1.0.1' });
    await start();
    await expectExactly('proxy-0');
    await cluster.terminatePod('proxy-0');
    await expectState('proxy-0', { isDraining: true });
    await end();
    await cluster.deletePod('proxy-0');
    await cluster.createPod('proxy-0', { ip: '10.1.0.9' });
    await start();
    await expectState('proxy-0', { host: '10.1.0.9', isDraining: false });
  });

  it('keeps a proxy draining that an operator has drained', async () => {
    await cluster.createPod('a', { ip: '10.1.0.1' });
    await start();
    await expectExactly('a');
    const draft = { pool: STANDARD, host: '10.1.0.1', port: 8080, weight: 1, isDraining: true };
    await store.proxies.put(parseProxyId('a'), 'kubernetes', draft, CHANGE);
    await cluster.changePod('a', { metadata: { annotations: { 'prism.io/weight': '7' } } });
    await expectState('a', { weight: 7 });
    expect(await find('a')).toMatchObject({ isDraining: true });
  });

  it('leaves proxies of other sources alone, also where a pod has their name', async () => {
    const draft = { pool: STANDARD, host: 'own.test', port: 1, weight: 1, isDraining: false };
    await store.proxies.put(parseProxyId('a'), 'registration', draft, CHANGE);
    await cluster.createPod('a');
    await cluster.createPod('b');
    await start();
    await expectExactly('a', 'b');
    expect(await find('a')).toMatchObject({ source: 'registration', host: 'own.test' });
  });

  it.each([
    ['no pool', { labels: { 'prism.io/pool': '' } }, 'label prism.io/pool: expected the name of a pool, found ""'],
    [
      'an unknown pool',
      { labels: { 'prism.io/pool': 'gold' } },
      'label prism.io/pool: expected the name of a pool, found "gold"',
    ],
    [
      'no port of that name',
      { ports: [{ name: 'http', containerPort: 80 }] },
      'expected a container port of the name "proxy", found none',
    ],
  ])('leaves a pod out that has %s, and tells', async (_, sample, problem) => {
    await cluster.createPod('odd', sample);
    await cluster.createPod('b');
    await start();
    await expectExactly('b');
    await until(async () => JSON.stringify((await reported())['problems']) !== '[]');
    expect(await reported()).toMatchObject({
      state: 'following',
      resources: 2,
      problems: [{ pod: 'odd', problem }],
    });
  });

  it.each(['0', '257', '-1', '1.5', 'heavy', '', '1'.repeat(30)])(
    'takes the weight %j for 1, and tells',
    async (weight) => {
      await cluster.createPod('a', { annotations: { 'prism.io/weight': weight } });
      await start();
      await expectState('a', { weight: 1 });
      await until(async () => JSON.stringify((await reported())['problems']).includes('annotation prism.io/weight'));
      expect(await reported()).toMatchObject({ problems: [{ pod: 'a' }] });
    },
  );

  it('catches up with what happened while nobody looked', async () => {
    await cluster.createPod('a', { ip: '10.1.0.1' });
    await cluster.createPod('b', { ip: '10.1.0.2' });
    await start();
    await expectExactly('a', 'b');
    await end();
    await cluster.deletePod('a');
    await cluster.createPod('c', { ip: '10.1.0.3' });
    await start();
    await expectExactly('b', 'c');
    expect(await find('b')).toMatchObject({ host: '10.1.0.2' });
  });

  it('keeps proxies while the API server is away', async () => {
    await cluster.createPod('a');
    await start();
    await expectExactly('a');
    await end();
    await cluster.link.down();
    await start();
    await until(async () => (await reported())['state'] === 'failing');
    expect(await reported()).toMatchObject({ error: expect.stringContaining('ECONNREFUSED') });
    expect(await find('a')).toMatchObject({ host: '10.0.0.1' });
    await cluster.link.up();
    await until(async () => (await reported())['state'] === 'following');
  });

  it('puts back what somebody removes from the store', async () => {
    await cluster.createPod('a');
    await start();
    await expectExactly('a');
    await store.proxies.remove(parseProxyId('a'), CHANGE);
    await expectExactly('a');
    expect(await find('a')).toMatchObject({ source: 'kubernetes' });
  });
});

describe(StaticDiscoveryDuty.name, () => {
  it('removes the proxies that pods were, and no others', async () => {
    const store = new MemoryStore();
    const draft = { pool: STANDARD, host: '10.0.0.1', port: 1, weight: 1, isDraining: false };
    await store.proxies.put(parseProxyId('pod'), 'kubernetes', draft, CHANGE);
    await store.proxies.put(parseProxyId('own'), 'registration', draft, CHANGE);
    await using _ = await DutyRun.start(new StaticDiscoveryDuty(store.proxies, 'kubernetes', []), store);
    await until(async () => (await store.proxies.list()).length === 1);
    expect(await store.proxies.list()).toMatchObject([{ id: 'own' }]);
  });
});
