import { describe, expect, it } from '@jest/globals';
import { parseProxyId, type Proxy } from '@palisade/domain';
import { PREMIUM, STANDARD, routingSettings } from '../../test/support/routing-settings.js';
import { podsToProxies, type PodProxies } from './pods-to-proxies.js';
import type { ProxyPod } from './proxy-pod.js';

function pod(name: string, overrides: Partial<ProxyPod> = {}): ProxyPod {
  const place = { ip: '10.0.0.1', port: 8080, pool: 'standard' };
  return { name, isReady: true, isTerminating: false, hasEnded: false, ...place, ...overrides };
}

function known(name: string, overrides: Partial<Proxy> = {}): [string, Proxy] {
  const place = { pool: STANDARD, host: '10.0.0.1', port: 8080, weight: 1, isDraining: false };
  const id = parseProxyId(name);
  return [name, { id, source: 'kubernetes', health: 'healthy', registeredAt: new Date(0), ...place, ...overrides }];
}

function convert(pods: readonly ProxyPod[], ...before: readonly [string, Proxy][]): PodProxies {
  const { pools } = routingSettings();
  return podsToProxies(pods, new Map(before), { pools, poolLabel: 'prism.io/pool', portName: 'proxy' });
}
const idsOf = ({ proxies }: PodProxies): unknown[] => proxies.map(({ id }) => id);

describe(podsToProxies.name, () => {
  it('has ready pods', () => {
    expect(idsOf(convert([pod('a'), pod('b', { isReady: false }), pod('c')]))).toEqual(['a', 'c']);
  });

  it.each([
    ['has ended', { hasEnded: true }],
    ['has no address yet', { ip: undefined }],
  ])('has nothing of a pod that %s, which is no problem', (_, state) => {
    const { proxies, problems } = convert([pod('a', state)], known('a'));
    expect([proxies.length, problems.size]).toEqual([0, 0]);
  });

  it('keeps pods that are not ready while none of their pool is, if they were proxies', () => {
    const pods = [
      pod('a', { isReady: false }),
      pod('new', { isReady: false }),
      pod('p', { pool: 'premium' }),
      pod('q', { pool: 'premium', isReady: false }),
    ];
    const before = [known('a'), known('p', { pool: PREMIUM }), known('q', { pool: PREMIUM })];
    expect(idsOf(convert(pods, ...before))).toEqual(['a', 'p']);
  });

  it('does not count a pod that terminates among those that are ready', () => {
    const pods = [pod('a', { isTerminating: true }), pod('b', { isReady: false })];
    expect(idsOf(convert(pods, known('a'), known('b')))).toEqual(['a', 'b']);
  });

  it('drains what terminates, ready or not', () => {
    const pods = [pod('a', { isTerminating: true }), pod('b', { isTerminating: true, isReady: false }), pod('c')];
    expect(convert(pods, known('a'), known('b')).proxies).toMatchObject([
      { id: 'a', isDraining: true },
      { id: 'b', isDraining: true },
      { id: 'c' },
    ]);
  });

  it('leaves it to the operator whether a pod drains that is where it was', () => {
    const [proxy] = convert([pod('a')], known('a', { isDraining: true })).proxies;
    expect(proxy?.isDraining).toBeUndefined();
  });

  it.each([{ ip: '10.0.0.2' }, { port: 9090 }])('does not drain what is somewhere else now: %j', (place) => {
    const [proxy] = convert([pod('a', place)], known('a', { isDraining: true })).proxies;
    expect(proxy?.isDraining).toBe(false);
  });

  it.each([
    [{ pool: undefined }, 'label prism.io/pool: expected the name of a pool, found nothing'],
    [{ pool: 'constructor' }, 'label prism.io/pool: expected the name of a pool, found "constructor"'],
    [{ port: undefined }, 'expected a container port of the name "proxy", found none'],
    [{ ip: '10.0.0.1/../x' }, 'expected an address, found "10.0.0.1/../x"'],
    [{ name: 'a..b' }, 'its name cannot be the id of a proxy'],
    [{ name: '__proto__' }, 'its name cannot be the id of a proxy'],
  ])('leaves out %j, and tells why', (overrides, problem) => {
    const { proxies, problems } = convert([pod('a', overrides)]);
    expect([proxies, [...problems.values()]]).toEqual([[], [problem]]);
  });

  it.each([
    ['1', 1],
    ['256', 256],
    [undefined, 1],
  ])('takes the weight %j', (weight, expected) => {
    const { proxies, problems } = convert([pod('a', { weight })]);
    expect([proxies[0]?.weight, problems.size]).toEqual([expected, 0]);
  });

  it.each(['0', '257', '1e2', ' 5', '0x10', '٣'])('takes the weight %j for 1, and tells', (weight) => {
    const { proxies, problems } = convert([pod('a', { weight })]);
    expect(proxies[0]?.weight).toBe(1);
    expect(problems.get('a')).toBe(`annotation prism.io/weight: expected 1 to 256, found ${JSON.stringify(weight)}`);
  });
});
