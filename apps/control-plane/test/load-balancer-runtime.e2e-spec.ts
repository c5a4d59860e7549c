import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { requireBinary } from '../../../test/support/test-services.js';
import { HaproxyDriver } from '../src/load-balancer/haproxy/haproxy.driver.js';
import { HaproxyMaster } from '../src/load-balancer/haproxy/haproxy-master.js';
import { HaproxySocket } from '../src/load-balancer/haproxy/haproxy-socket.js';
import { BalancerUnderTest, type BalancerOptions } from './support/load-balancer/balancer-under-test.js';
import { desiredServer, desiredState, type StateText } from './support/load-balancer/desired-states.js';
import { KeepAliveLoad, KeptConnection } from './support/load-balancer/keep-alive-load.js';
import { EchoProxy } from './support/load-balancer/proxies.js';
import { until } from './support/load-balancer/server-program.js';

describe(HaproxyDriver.name, () => {
  let stack: AsyncDisposableStack;
  beforeEach(() => {
    stack = new AsyncDisposableStack();
  });
  afterEach(() => stack.disposeAsync());

  const startProxy = async (id: string): Promise<EchoProxy> => stack.use(await EchoProxy.start(id));
  const start = async (text: StateText, settings?: BalancerOptions['settings']) => {
    const options = { type: 'haproxy' as const, binary: requireBinary('haproxy'), settings };
    return stack.use(await BalancerUnderTest.start(desiredState(text), options));
  };
  const masterOf = ({ settings }: BalancerUnderTest): HaproxyMaster =>
    new HaproxyMaster(new HaproxySocket(settings.masterSocket ?? '', 5000), 5000);
  const reloadsOf = async (under: BalancerUnderTest) => (await masterOf(under).processes()).reloads;
  /** How often each proxy is met in so many requests. */
  const meet = async (under: BalancerUnderTest, namespace: string, requests: number) => {
    const met: Record<string, number> = {};
    for (let left = requests; left > 0; left--) {
      const route = await under.routeOf(namespace);
      met[route] = (met[route] ?? 0) + 1;
    }
    return met;
  };

  describe('with changes of namespaces', () => {
    let pools: NonNullable<StateText['pools']>;
    beforeEach(async () => {
      const [a, b] = [await startProxy('a'), await startProxy('b')];
      pools = { standard: [desiredServer('a', a.port)], premium: [desiredServer('b', b.port)] };
    });

    it.each<[string, StateText['routes'], string, string | number]>([
      ['a new name', { acme: 'standard', globex: 'premium' }, 'globex', 'b'],
      ['a moved name', { acme: 'premium' }, 'acme', 'b'],
      ['a name that has gone', {}, 'acme', 404],
      ['a new prefix', { acme: 'standard', 'glo*': 'premium' }, 'globex', 'b'],
      ['a new wildcard', { acme: 'standard', '*bex': 'premium' }, 'globex', 'b'],
      ['a wildcard before a prefix', { 'glo*': 'standard', 'glo*x': 'premium' }, 'globex', 'b'],
    ])('makes the worker know %s without a reload', async (_, routes, namespace, route) => {
      const under = await start({ pools, routes: { acme: 'standard' } });
      const version = await under.apply(desiredState({ revision: 2, pools, routes }));
      expect(version).toMatchObject({ revision: 2, method: 'maps', result: 'applied', actor: 'test' });
      expect(await under.routeOf(namespace)).toBe(route);
      expect(await reloadsOf(under)).toBe(0);
    });

    it('replaces a whole map when much has changed', async () => {
      const under = await start({ pools, routes: { acme: 'standard' } });
      const routes = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`t-${index}`, 'premium']));
      expect(await under.apply(desiredState({ pools, routes }))).toMatchObject({ method: 'maps', result: 'applied' });
      expect(await Promise.all(['t-0', 't-4999', 'acme'].map((name) => under.routeOf(name)))).toEqual(['b', 'b', 404]);
      expect(await under.ask('show map')).toMatch(/namespaces\.map\).*curr_ver=1 next_ver=1 entry_cnt=5000/);
    });

    it('has told the files what it told the worker', async () => {
      const under = await start({ pools, routes: { acme: 'standard' } });
      await under.apply(desiredState({ pools, routes: { globex: 'premium', '*-eu': 'premium' } }));
      await under.stop();
      await under.run();
      expect(await Promise.all(['acme', 'globex', 'x-eu'].map((name) => under.routeOf(name)))).toEqual([404, 'b', 'b']);
    });

    it('changes nothing when nothing has changed', async () => {
      const text = { pools, routes: { acme: 'standard' } };
      const under = await start(text);
      const version = await under.apply(desiredState({ revision: 7, ...text }));
      expect(version).toMatchObject({ revision: 7, method: 'none', result: 'unchanged' });
    });

    it('replaces the map when the worker does not have as many entries as it should', async () => {
      const under = await start({ pools, routes: { acme: 'standard', stale: 'standard' } });
      const { configPath } = under.settings;
      await under.ask(`del map ${configPath.replace('.cfg', '.namespaces.map')} /acme.`);
      const version = await under.apply(desiredState({ pools, routes: { acme: 'standard', globex: 'premium' } }));
      expect(version).toMatchObject({ method: 'maps', result: 'applied' });
      expect(await under.routeOf('acme')).toBe('a');
    });

    it('reloads for a pool that is new', async () => {
      const under = await start({ pools, routes: { acme: 'standard' } });
      const gold = [desiredServer('b', pools['premium']?.[0]?.port ?? 0)];
      const state = desiredState({ pools: { ...pools, gold }, routes: { acme: 'gold' } });
      expect(await under.apply(state)).toMatchObject({ method: 'reload', result: 'applied' });
      expect(await under.routeOf('acme')).toBe('b');
      expect(await reloadsOf(under)).toBe(1);
    });

    it('reloads when it is forced to, though nothing has changed', async () => {
      const text = { pools, routes: { acme: 'standard' } };
      const under = await start(text);
      const version = await under.balancer.reload(desiredState(text), 'operator');
      expect(version).toMatchObject({ method: 'reload', result: 'unchanged', actor: 'operator' });
      expect(await reloadsOf(under)).toBe(1);
    });

    it('tells a worker that has been replaced, for clients that have kept their connections to it', async () => {
      const under = await start({ pools, routes: { acme: 'standard', globex: 'standard' } });
      const clients = ['new', 'acme', 'globex'].map((namespace) => stack.use(new KeptConnection(under, namespace)));
      await Promise.all(clients.map((client) => client.get()));
      await under.balancer.reload(desiredState({ pools, routes: { acme: 'standard', globex: 'standard' } }), 'test');
      await under.apply(desiredState({ pools, routes: { acme: 'premium', new: 'premium' } }));
      expect(await Promise.all(clients.map((client) => client.get()))).toEqual(['b', 'b', 404]);
      expect(clients.map(({ connections }) => connections)).toEqual([1, 1, 1]);
    });

    it('changes by reloads where there is no runtime socket', async () => {
      const under = await start({ pools, routes: { acme: 'standard' } }, () => ({ runtimeSocket: undefined }));
      const version = await under.apply(desiredState({ pools, routes: { acme: 'premium' } }));
      expect(version).toMatchObject({ method: 'reload', result: 'applied' });
      expect(await under.routeOf('acme')).toBe('b');
    });

    it('reloads by a command, without a master socket', async () => {
      const under = await start({ pools, routes: { acme: 'standard' } }, (directory) => ({
        masterSocket: undefined,
        reloadCommand: ['/bin/sh', '-c', 'kill -USR2 "$(cat "$0")"', `${directory}/pid`],
      }));
      const state = desiredState({ pools: { ...pools, gold: [] }, routes: { acme: 'premium' } });
      expect(await under.apply(state)).toMatchObject({ method: 'reload', result: 'applied' });
      expect(await under.routeOf('acme')).toBe('b');
    });
  });

  describe('with changes of servers', () => {
    it('adds a server without a reload', async () => {
      const [a, b] = [await startProxy('a'), await startProxy('b')];
      const under = await start({ pools: { standard: [desiredServer('a', a.port)] }, fallback: 'standard' });
      const pools = { standard: [desiredServer('a', a.port), desiredServer('b', b.port)] };
      expect(await under.apply(desiredState({ pools, fallback: 'standard' }))).toMatchObject({
        method: 'servers',
        result: 'applied',
      });
      expect(await meet(under, 'acme', 10)).toEqual({ a: 5, b: 5 });
      expect(await reloadsOf(under)).toBe(0);
    });

    it.each<[string, Parameters<typeof desiredServer>[2] | undefined, Record<string, number>]>([
      ['a weight', { weight: 4 }, { a: 2, b: 8 }],
      ['draining', { state: 'drain' }, { a: 10 }],
      ['being down', { state: 'down' }, { a: 10 }],
      ['being gone', undefined, { a: 10 }],
    ])('follows %s at once', async (_, change, expected) => {
      const [a, b] = [await startProxy('a'), await startProxy('b')];
      const pools = { standard: [desiredServer('a', a.port), desiredServer('b', b.port)] };
      const under = await start({ pools, fallback: 'standard' });
      const others = change === undefined ? [] : [desiredServer('b', b.port, change)];
      const after = desiredState({
        pools: { standard: [desiredServer('a', a.port), ...others] },
        fallback: 'standard',
      });
      expect(await under.apply(after)).toMatchObject({ method: 'servers', result: 'applied' });
      expect(await meet(under, 'acme', 10)).toEqual(expected);
      expect(await under.apply(desiredState({ pools, fallback: 'standard' }))).toMatchObject({ method: 'servers' });
      expect(await meet(under, 'acme', 10)).toEqual({ a: 5, b: 5 });
      expect(await reloadsOf(under)).toBe(0);
    });

    it('follows another address of the same server', async () => {
      const [a, b] = [await startProxy('a'), await startProxy('b')];
      const under = await start({ pools: { standard: [desiredServer('a', a.port)] }, fallback: 'standard' });
      const moved = desiredState({ pools: { standard: [desiredServer('a', b.port)] }, fallback: 'standard' });
      expect(await under.apply(moved)).toMatchObject({ method: 'servers', result: 'applied' });
      expect(await under.routeOf('acme')).toBe('b');
    });

    it('reloads rather than keep many servers that have gone', async () => {
      const a = await startProxy('a');
      const under = await start({ pools: { standard: [desiredServer('a', a.port)] }, fallback: 'standard' });
      const crowd = Array.from({ length: 201 }, (_, index) => desiredServer(`gone-${index}`, 9, { state: 'down' }));
      await under.apply(
        desiredState({ pools: { standard: [desiredServer('a', a.port), ...crowd] }, fallback: 'standard' }),
      );
      const alone = desiredState({ pools: { standard: [desiredServer('a', a.port)] }, fallback: 'standard' });
      expect(await under.apply(alone)).toMatchObject({ method: 'reload', result: 'applied' });
      expect((await under.ask('show servers state')).match(/ gone-/g)).toBeNull();
    });

    it('leaves out a server whose name has no address, and serves the others', async () => {
      const a = await startProxy('a');
      const servers = [desiredServer('a', a.port, { host: 'localhost' }), desiredServer('b', 9, { host: 'b.invalid' })];
      const under = await start({ pools: { standard: servers }, fallback: 'standard' });
      expect(await under.routeOf('acme')).toBe('a');
      expect(under.balancer.status().unresolved).toEqual([{ id: 'b', host: 'b.invalid' }]);
    });
  });

  it('makes changes that come shortly after each other in one reload', async () => {
    const a = await startProxy('a');
    const pools = { standard: [desiredServer('a', a.port)] };
    const under = await start({ pools }, () => ({ coalesceMs: 200 }));
    const versions = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        under.apply(
          desiredState({ revision: index + 2, pools: { ...pools, [`p-${index}`]: [] }, fallback: 'standard' }),
        ),
      ),
    );
    expect(new Set(versions.map(({ id }) => id)).size).toBe(1);
    expect(versions[0]).toMatchObject({ revision: 21, method: 'reload', result: 'applied' });
    expect(await reloadsOf(under)).toBe(1);
  });

  it('previews what would change, and changes nothing', async () => {
    const a = await startProxy('a');
    const pools = { standard: [desiredServer('a', a.port)] };
    const under = await start({ pools, routes: { acme: 'standard' } });
    const state = desiredState({ revision: 9, pools, routes: { globex: 'standard' } });
    const { files, ...preview } = await under.balancer.preview(state);
    expect(preview).toEqual({ revision: 9, method: 'maps', hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(files.map(({ change, added, removed, sample }) => ({ change, added, removed, sample }))).toEqual([
      { change: 'changed', added: 1, removed: 1, sample: ['+ /globex. standard/64', '- /acme. standard/64'] },
      { change: 'none', added: 0, removed: 0, sample: [] },
      { change: 'none', added: 0, removed: 0, sample: [] },
    ]);
    expect(await under.routeOf('globex')).toBe(404);
    expect((await under.apply(state)).hash).toBe(preview.hash);
  });

  it('fails no request of clients that keep their connections, whatever is changed meanwhile', async () => {
    const proxies = [await startProxy('a'), await startProxy('b'), await startProxy('c')];
    const [a, b, c] = proxies.map(({ id, port }) => desiredServer(id, port));
    if (a === undefined || b === undefined || c === undefined) {
      throw new TypeError('three proxies were started');
    }
    const routes = { 't-0': 'standard', 't-1': 'standard', 't-*': 'premium' };
    const under = await start({ pools: { standard: [a, b], premium: [c] }, routes });
    let sent = 0;
    const headers = () => ({ 'X-Palisade-Namespace': `t-${(sent += 1) % 4}` });
    await using load = new KeepAliveLoad({ port: under.settings.bind.port, connections: 16, headers });
    const changes: StateText[] = [
      { pools: { standard: [a, b], premium: [c] }, routes: { ...routes, 't-2': 'standard' } },
      { pools: { standard: [a, { ...b, state: 'drain' }], premium: [c] }, routes: { ...routes, 't-2': 'premium' } },
      { pools: { standard: [a], premium: [c] }, routes },
      { pools: { standard: [a], premium: [b, c] }, routes },
      { pools: { standard: [{ ...a, weight: 9 }], premium: [{ ...b, state: 'down' }, c], gold: [] }, routes },
      { pools: { standard: [a, b], premium: [c] }, routes },
    ];
    const methods: string[] = [];
    for (let round = 0; load.succeeded < 20_000 || round < 10; round++) {
      const text = changes[round % changes.length] ?? {};
      const version = await under.apply(desiredState({ revision: round, ...text }));
      expect(version).toMatchObject({ result: 'applied' });
      methods.push(version.method);
      const before = load.succeeded;
      await until(async () => load.succeeded > before + 300, 'requests to meet the change');
    }
    await load.stop();
    expect(load.failures).toEqual(new Map());
    expect(methods.filter((method) => method === 'reload').length).toBeGreaterThanOrEqual(3);
    expect(new Set(methods)).toEqual(new Set(['maps', 'servers', 'reload']));
  });
});
