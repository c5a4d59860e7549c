import { describe, expect, it } from '@jest/globals';
import { parsePoolName, parseProxyId, type Proxy, type ProxyHealth } from '@palisade/domain';
import { poolsOf, serversOf } from './pool-servers.js';

function proxy(id: string, health: ProxyHealth, overrides: Partial<Proxy> = {}): Proxy {
  const pool = parsePoolName('standard');
  const place = { pool, host: `${id}.internal`, port: 8080, weight: 100, isDraining: false };
  return { id: parseProxyId(id), source: 'static', registeredAt: new Date(0), health, ...place, ...overrides };
}

const statesOf = (proxies: readonly Proxy[], threshold = 50) =>
  serversOf(proxies, threshold).map(({ id, state }) => `${id} ${state}`);

describe(serversOf.name, () => {
  it('gives requests to healthy proxies only, in order of id', () => {
    const proxies = [proxy('c', 'unknown'), proxy('b', 'healthy'), proxy('a', 'healthy')];
    expect(statesOf(proxies)).toEqual(['a up', 'b up', 'c down']);
  });

  it('keeps all when fewer than the threshold are healthy', () => {
    expect(statesOf([proxy('a', 'healthy'), proxy('b', 'unhealthy'), proxy('c', 'unhealthy')])).toEqual([
      'a up',
      'b up',
      'c up',
    ]);
  });

  it('takes the others out when just the threshold is healthy', () => {
    expect(statesOf([proxy('a', 'healthy'), proxy('b', 'unhealthy')])).toEqual(['a up', 'b down']);
  });

  it('never keeps unhealthy proxies at a threshold of 0', () => {
    expect(statesOf([proxy('a', 'unhealthy')], 0)).toEqual(['a down']);
  });

  it('lets a proxy drain whatever its health, and does not count it', () => {
    const proxies = [proxy('a', 'healthy', { isDraining: true }), proxy('b', 'unhealthy')];
    expect(statesOf(proxies)).toEqual(['a drain', 'b up']);
  });
});

describe(poolsOf.name, () => {
  it('has every pool once, in order of name, with or without proxies', () => {
    const names = ['standard', 'premium', 'standard'].map(parsePoolName);
    expect(poolsOf(names, [proxy('a', 'healthy')], 50)).toEqual([
      { name: 'premium', servers: [] },
      { name: 'standard', servers: [{ id: 'a', host: 'a.internal', port: 8080, weight: 100, state: 'up' }] },
    ]);
  });
});
