import { describe, expect, it } from '@jest/globals';
import { parsePoolName, parseProxyId } from '@palisade/domain';
import type { LoadBalancerSettings } from '../../config/control-plane-settings.js';
import type { ResolvedPool } from '../rendering/resolved-state.js';
import { fingerprintOf, printConfiguration, type HaproxyLayout } from './haproxy-configuration.js';

const SETTINGS: LoadBalancerSettings = {
  type: 'haproxy',
  configPath: '/etc/palisade/haproxy.cfg',
  bind: { host: '0.0.0.0', port: 8080 },
  runtimeSocket: '/run/palisade/haproxy.sock',
  binary: 'haproxy',
  namespaceHeader: 'X-Palisade-Namespace',
  namespaceSource: 'header',
  coalesceMs: 0,
  commandTimeoutMs: 1000,
  driftIntervalMs: 60_000,
  policyWaitMs: 2000,
};
const MAPS = { namespaces: '/etc/palisade/haproxy.namespaces.map', wildcards: '/etc/palisade/haproxy.wildcards.map' };
const POOL: ResolvedPool = {
  name: 'standard',
  servers: [
    { id: parseProxyId('a'), host: '10.0.0.7', port: 8080, weight: 3, state: 'up' },
    { id: parseProxyId('b'), host: '2001:db8::1', port: 8080, weight: 3, state: 'drain' },
    { id: parseProxyId('c'), host: '10.0.0.9', port: 8080, weight: 3, state: 'down' },
  ],
};
const layout = (changes: Partial<HaproxyLayout> = {}): HaproxyLayout => ({
  settings: SETTINGS,
  pools: [POOL],
  splits: [],
  ...changes,
});
const linesOf = (changes: Partial<HaproxyLayout> = {}) =>
  printConfiguration(layout(changes), MAPS, 'palisade-1')
    .split('\n')
    .map((line) => line.trim());

describe(printConfiguration.name, () => {
  it('has a backend for each pool, with servers that are up, drain and are down', () => {
    const lines = linesOf();
    expect(lines.slice(lines.indexOf('backend palisade-pool-standard from palisade-defaults'))).toEqual([
      'backend palisade-pool-standard from palisade-defaults',
      'balance roundrobin',
      'server a 10.0.0.7:8080 weight 3 check inter 2s fall 3 rise 1',
      'server b [2001:db8::1]:8080 weight 0 check inter 2s fall 3 rise 1',
      'server c 10.0.0.9:8080 weight 3 check inter 2s fall 3 rise 1 disabled',
      '',
    ]);
  });

  it('lets reloads wait for clients that keep their connections', () => {
    expect(linesOf()).toContain('option idle-close-on-response');
  });

  it('lets only its own group administer it', () => {
    expect(linesOf()).toContain('stats socket /run/palisade/haproxy.sock mode 660 level admin');
  });

  it('divides namespaces by their checksum', () => {
    const parts = [
      { pool: parsePoolName('a'), weight: 30 },
      { pool: parsePoolName('b'), weight: 70 },
    ];
    const lines = linesOf({ splits: [['_1', { parts }]] });
    expect(lines.filter((line) => line.includes('crc32'))).toEqual([
      'http-request set-var(txn.palisade_pool) str(a) if { var(txn.palisade_pool) -m str _1 } { var(txn.palisade_ns),crc32,mod(100) lt 30 }',
      'http-request set-var(txn.palisade_pool) str(b) if { var(txn.palisade_pool) -m str _1 } { var(txn.palisade_ns),crc32,mod(100) lt 100 }',
    ]);
  });

  it('listens with TLS 1.2 or later where there is a certificate', () => {
    const settings = { ...SETTINGS, certificateFile: '/etc/palisade/tls.pem' };
    expect(linesOf({ settings })).toContain(
      'bind 0.0.0.0:8080 ssl crt /etc/palisade/tls.pem ssl-min-ver TLSv1.2 alpn h2,http/1.1',
    );
  });
});

describe(fingerprintOf.name, () => {
  const fingerprint = (changes: Partial<HaproxyLayout> = {}) => fingerprintOf(layout(changes), MAPS);

  it('is the same whatever servers there are', () => {
    expect(fingerprint({ pools: [{ ...POOL, servers: [] }] })).toBe(fingerprint());
  });

  it.each<[string, Partial<HaproxyLayout>]>([
    ['a pool', { pools: [] }],
    ['the address', { settings: { ...SETTINGS, bind: { host: '0.0.0.0', port: 81 } } }],
    ['a split', { splits: [['_1', { parts: [{ pool: parsePoolName('a'), weight: 1 }] }]] }],
  ])('is another one with another %s', (_, changes) => {
    expect(fingerprint(changes)).not.toBe(fingerprint());
  });
});
