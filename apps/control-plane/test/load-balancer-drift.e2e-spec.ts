import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { requireBinary } from '../../../test/support/test-services.js';
import { HaproxyMaster } from '../src/load-balancer/haproxy/haproxy-master.js';
import { HaproxySocket } from '../src/load-balancer/haproxy/haproxy-socket.js';
import { BalancerUnderTest } from './support/load-balancer/balancer-under-test.js';
import { desiredServer, desiredState, type StateText } from './support/load-balancer/desired-states.js';
import { EchoProxy } from './support/load-balancer/proxies.js';

describe('drift of HAProxy', () => {
  let stack: AsyncDisposableStack;
  let text: StateText;
  let under: BalancerUnderTest;
  let maps: string;
  beforeEach(async () => {
    stack = new AsyncDisposableStack();
    const [a, b] = [stack.use(await EchoProxy.start('a')), stack.use(await EchoProxy.start('b'))];
    const pools = { standard: [desiredServer('a', a.port)], premium: [desiredServer('b', b.port)] };
    text = { pools, routes: { acme: 'standard', 'globex*': 'premium', '*-eu': 'premium' } };
    const options = { type: 'haproxy' as const, binary: requireBinary('haproxy') };
    under = stack.use(await BalancerUnderTest.start(desiredState(text), options));
    maps = under.settings.configPath.replace('.cfg', '');
  });
  afterEach(() => stack.disposeAsync());
  const master = () => new HaproxyMaster(new HaproxySocket(under.settings.masterSocket ?? '', 5000), 5000);
  const reloads = async () => (await master().processes()).reloads;
  const kinds = async () => (await under.balancer.detectDrift(desiredState(text))).map(({ kind }) => kind);

  it('finds nothing where everything is as it should be', async () => {
    expect(await kinds()).toEqual([]);
  });

  it.each<[string, string, () => Promise<unknown>]>([
    ['a changed file', 'file', () => appendFile(under.settings.configPath, '# mine\n')],
    ['an entry that is missing', 'map', () => under.ask(`del map ${maps}.namespaces.map /acme.`)],
    ['an entry too many', 'map', () => under.ask(`add map ${maps}.namespaces.map /evil. premium/64`)],
    ['another destination', 'map', () => under.ask(`set map ${maps}.namespaces.map /acme. premium/64`)],
    ['a wildcard too many', 'map', () => under.ask(`add map ${maps}.wildcards.map ^evil$ premium/9`)],
    ['a server of another weight', 'server', () => under.ask('set server palisade-pool-standard/a weight 7')],
    ['a server in maintenance', 'server', () => under.ask('set server palisade-pool-standard/a state maint')],
    ['a server that drains', 'server', () => under.ask('set server palisade-pool-standard/a state drain')],
  ])('finds %s, and repairs it without a reload', async (_, kind, spoil) => {
    await spoil();
    expect(await kinds()).toEqual([kind]);
    expect(await under.apply(desiredState(text))).toMatchObject({ method: 'servers', result: 'applied' });
    expect(await kinds()).toEqual([]);
    expect(await Promise.all(['acme', 'globex', 'x-eu', 'evil'].map((name) => under.routeOf(name)))).toEqual([
      'a',
      'b',
      'b',
      404,
    ]);
    expect(await reloads()).toBe(0);
  });

  it('finds another configuration, and repairs it by a reload', async () => {
    const own = await readFile(under.settings.configPath, 'utf8');
    await writeFile(under.settings.configPath, own.replace(/description .*/, 'description mine'));
    await master().reload({ check: async () => {} });
    expect(await kinds()).toEqual(['file', 'process']);
    expect(await under.apply(desiredState(text))).toMatchObject({ method: 'reload', result: 'applied' });
    expect(await kinds()).toEqual([]);
  });

  it('finds that nobody listens', async () => {
    await under.stop();
    expect(await kinds()).toEqual(['process']);
  });

  it('tells when it was last looked for', async () => {
    await under.ask('set server palisade-pool-standard/a weight 7');
    await kinds();
    expect(under.balancer.status().lastDrift).toEqual({
      at: expect.any(Date),
      drifts: [{ kind: 'server', detail: 'standard/a: weight' }],
    });
  });

  it('lets another leader take over without a change', async () => {
    const other = under.create();
    expect(await other.apply(desiredState(text), 'test')).toMatchObject({ method: 'none', result: 'unchanged' });
  });

  it('lets another leader take over with a change at runtime', async () => {
    const other = under.create();
    const changed = desiredState({ ...text, routes: { acme: 'premium' } });
    expect(await other.apply(changed, 'test')).toMatchObject({ method: 'servers', result: 'applied' });
    expect(await under.routeOf('acme')).toBe('b');
    expect(await reloads()).toBe(0);
  });
});
