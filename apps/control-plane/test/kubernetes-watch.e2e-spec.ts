import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { asFields } from '../src/kubernetes/api/objects.js';
import { tenantsPath } from '../src/kubernetes/tenants/prism-tenant.js';
import { ResourceWatch, type WatchTiming } from '../src/kubernetes/api/resource-watch.js';
import { TestCluster } from './support/kubernetes/test-cluster.js';
import { until } from '../../../test/support/until.js';

const QUICK: Partial<WatchTiming> = { retryMinMs: 20, retryMaxMs: 100, confirmPauseMs: 20 };
const LIST = /^GET .*limit=/;
const WATCH = /^GET .*watch=true/;

/** Follows tenants of the cluster; keeps their pools. */
describe(ResourceWatch.name, () => {
  let cluster: TestCluster;
  let stop: AsyncDisposableStack;
  beforeAll(async () => {
    Logger.overrideLogger(false);
    cluster = await TestCluster.start();
  });
  afterAll(async () => {
    await cluster[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    stop = new AsyncDisposableStack();
  });
  afterEach(async () => {
    await stop.disposeAsync();
    cluster.link.clear();
    await cluster.empty();
  });

  function start(timing: Partial<WatchTiming> = {}, labelSelector?: string): ResourceWatch<unknown> {
    const api = cluster.connect(1000);
    const resource = {
      label: 'tenants',
      path: tenantsPath(cluster.namespace),
      labelSelector,
      read: (_: unknown, object: Readonly<Record<string, unknown>>) => asFields(object['spec'])?.['pool'],
    };
    const listener = { listed: () => {}, changed: () => {} };
    const watch = new ResourceWatch(api, resource, listener, { timing: { ...QUICK, ...timing } });
    const term = new AbortController();
    const ended = watch.run(term.signal);
    stop.defer(async () => {
      term.abort();
      await ended;
      api.close();
    });
    return watch;
  }

  const create = (name: string, pool = 'standard') => cluster.createTenant(name, { namespaces: [name], pool });
  const expectExactly = (watch: ResourceWatch<unknown>, expected: Readonly<Record<string, string>>) => {
    const text = JSON.stringify(expected);
    return until(() => JSON.stringify(Object.fromEntries([...watch.objects].sort())) === text);
  };
  const expectWatching = () => until(() => cluster.link.openWatches === 1);
  const count = (pattern: RegExp) => cluster.link.requests.filter((each) => pattern.test(each)).length;
  /** Requests like that which the action leads to. */
  async function requestsOf(pattern: RegExp, action: () => Promise<void>): Promise<number> {
    const before = count(pattern);
    await action();
    return count(pattern) - before;
  }

  it('has what there was, what comes, what changes, and not what goes', async () => {
    await create('a');
    await create('b');
    const watch = start();
    await expectExactly(watch, { a: 'standard', b: 'standard' });
    await create('c', 'premium');
    await cluster.changeTenant('a', { spec: { pool: 'premium' } });
    await cluster.deleteTenant('b');
    await expectExactly(watch, { a: 'premium', c: 'premium' });
  });

  it('has all pages of a long list', async () => {
    const names = Array.from({ length: 260 }, (_, index) => `t-${1000 + index}`);
    for (const name of names) {
      await create(name);
    }
    const watch = start();
    await until(() => watch.isComplete);
    expect([...watch.objects.keys()].sort()).toEqual(names);
  });

  it('begins a list again whose next page has expired', async () => {
    for (let index = 0; index < 251; index++) {
      await create(`t-${1000 + index}`);
    }
    cluster.link.answerNext(/continue=/, { status: 410, body: '{"code":410,"reason":"Expired"}' });
    const watch = start();
    await until(() => watch.isComplete);
    expect(watch.objects.size).toBe(251);
  });

  it('has only what the selector selects, and loses what it selects no more', async () => {
    await create('a');
    await cluster.changeTenant('a', { metadata: { labels: { kind: 'x' } } });
    await create('b');
    const watch = start({}, 'kind in (x, y)');
    await expectExactly(watch, { a: 'standard' });
    await cluster.changeTenant('b', { metadata: { labels: { kind: 'y' } } });
    await expectExactly(watch, { a: 'standard', b: 'standard' });
    await cluster.changeTenant('a', { metadata: { labels: { kind: 'z' } } });
    await expectExactly(watch, { b: 'standard' });
  });

  it('goes on where a watch has ended, without a list', async () => {
    await create('a');
    const watch = start({ watchMs: 1000 });
    await expectExactly(watch, { a: 'standard' });
    const lists = await requestsOf(LIST, async () => {
      const watches = count(WATCH);
      await until(() => count(WATCH) >= watches + 2);
      await create('b');
      await expectExactly(watch, { a: 'standard', b: 'standard' });
    });
    expect(lists).toBe(0);
  });

  it('goes on where a connection was cut, without a list', async () => {
    await create('a');
    const watch = start();
    await expectExactly(watch, { a: 'standard' });
    await expectWatching();
    const lists = await requestsOf(LIST, async () => {
      cluster.link.cut();
      await create('b');
      await cluster.deleteTenant('a');
      await expectExactly(watch, { b: 'standard' });
    });
    expect([lists, watch.health.snapshot.state]).toEqual([0, 'following']);
  });

  it('loses nothing when a connection is cut in the middle of a line', async () => {
    await create('a');
    const watch = start();
    await expectExactly(watch, { a: 'standard' });
    await expectWatching();
    const lists = await requestsOf(LIST, async () => {
      cluster.link.cutInNextLine();
      await create('b');
      await cluster.changeTenant('b', { spec: { pool: 'premium' } });
      await expectExactly(watch, { a: 'standard', b: 'premium' });
    });
    expect(lists).toBe(0);
  });

  it('reads all again when the state that it names has expired', async () => {
    await create('a');
    const watch = start();
    await expectExactly(watch, { a: 'standard' });
    await expectWatching();
    const lists = await requestsOf(LIST, async () => {
      cluster.link.beforeNext(WATCH, async (url) => {
        await cluster.deleteTenant('a');
        await create('b');
        url.searchParams.set('resourceVersion', '1');
      });
      cluster.link.cut();
      await expectExactly(watch, { b: 'standard' });
    });
    expect([lists, watch.health.snapshot.state]).toEqual([1, 'following']);
  });

  it.each([
    ['410', { status: 410, body: '{"code":410,"message":"too old resource version"}' }],
    ['an event that says 410', { status: 200, body: '{"type":"ERROR","object":{"code":410,"message":"too old"}}\n' }],
    ['a line that is no JSON', { status: 200, body: 'gateway timeout\n' }],
    ['an event without an object', { status: 200, body: '{"type":"ADDED"}\n' }],
    ['an object without a version', { status: 200, body: '{"type":"ADDED","object":{"metadata":{"name":"x"}}}\n' }],
    ['a line without end', { status: 200, body: 'x'.repeat(9 * 2 ** 20) }],
  ])('reads all again after %s', async (_, substitute) => {
    await create('a');
    cluster.link.answerNext(WATCH, substitute);
    const before = count(LIST);
    const watch = start();
    await until(() => count(LIST) >= before + 2);
    await create('b');
    await expectExactly(watch, { a: 'standard', b: 'standard' });
    expect(watch.health.snapshot.state).toBe('following');
  });

  it.each([
    ['500', { status: 500, body: '{"message":"etcdserver: leader changed"}' }],
    ['429', { status: 429, body: '', headers: { 'Retry-After': 'soon' } }],
    ['an event that says 500', { status: 200, body: '{"type":"ERROR","object":{"code":500,"message":"oops"}}\n' }],
    ['the end at once', { status: 200, body: '' }],
    ['a redirect', { status: 302, body: '', headers: { Location: 'http://169.254.169.254/' } }],
  ])('goes on after %s, without a list', async (_, substitute) => {
    await create('a');
    const watch = start();
    await expectExactly(watch, { a: 'standard' });
    await expectWatching();
    const lists = await requestsOf(LIST, async () => {
      cluster.link.answerNext(WATCH, substitute, 3);
      cluster.link.cut();
      await create('b');
      await expectExactly(watch, { a: 'standard', b: 'standard' });
    });
    expect([lists, watch.health.snapshot.state]).toEqual([0, 'following']);
  });

  it('gives up a watch from which nothing comes any more, and reads all again', async () => {
    await create('a');
    const watch = start({ watchMs: 1000, graceMs: 200 });
    await expectExactly(watch, { a: 'standard' });
    await expectWatching();
    cluster.link.stall();
    await create('b');
    const lists = await requestsOf(LIST, () => expectExactly(watch, { a: 'standard', b: 'standard' }));
    expect(lists).toBeGreaterThanOrEqual(1);
  });

  it('waits for an API server that is away, keeps what it knows, and tells', async () => {
    await create('a');
    await cluster.link.down();
    const watch = start();
    await until(() => watch.health.snapshot.state === 'failing');
    expect(watch.isComplete).toBe(false);
    expect(watch.health.snapshot.error).toMatch(/^GET \/apis\/prism\.io\/.*: connect ECONNREFUSED/);
    await cluster.link.up();
    await expectExactly(watch, { a: 'standard' });
    await cluster.link.down();
    await until(() => watch.health.snapshot.state === 'failing');
    await expectExactly(watch, { a: 'standard' });
    await cluster.deleteTenant('a');
    await create('b');
    await cluster.link.up();
    await expectExactly(watch, { b: 'standard' });
    expect(watch.health.snapshot).toMatchObject({ state: 'following' });
  });

  it('reads all again from time to time, whatever the watch says', async () => {
    await create('a');
    const watch = start({ watchMs: 1000, relistIntervalMs: 1 });
    await expectExactly(watch, { a: 'standard' });
    const before = count(LIST);
    await until(() => count(LIST) >= before + 2);
    expect(watch.health.snapshot.state).toBe('following');
  });

  it.each([
    ['lists', LIST],
    ['watches', WATCH],
  ])('ends at once while it %s', async (_, pattern) => {
    const held = Promise.withResolvers<void>();
    const isAsked = Promise.withResolvers<void>();
    cluster.link.beforeNext(pattern, async () => {
      isAsked.resolve();
      await held.promise;
    });
    await create('a');
    const watch = start();
    await isAsked.promise;
    await stop.disposeAsync();
    held.resolve();
    expect(watch.health.snapshot).toEqual({ state: 'stopped' });
  });
});
