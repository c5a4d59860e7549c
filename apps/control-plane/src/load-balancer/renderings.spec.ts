import * as fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { parseNamespacePattern, parsePoolName, parseProxyId } from '@palisade/domain';
import type { LoadBalancerSettings } from '../config/control-plane-settings.js';
import { EnvoyDriver } from './envoy/envoy.driver.js';
import { RejectedStateError } from './load-balancer.errors.js';
import { OWNERSHIP_MARK } from './rendering/rendered-file.js';
import { HaproxyDriver } from './haproxy/haproxy.driver.js';
import type { LoadBalancerDriver } from './load-balancer-driver.js';
import { NginxDriver } from './nginx/nginx.driver.js';
import type { ResolvedServer, ResolvedState } from './rendering/resolved-state.js';

const SETTINGS: LoadBalancerSettings = {
  type: 'haproxy',
  configPath: '/etc/palisade/balancer.cfg',
  bind: { host: '0.0.0.0', port: 8080 },
  certificateFile: '/etc/palisade/tls.pem',
  masterSocket: '/run/palisade/master.sock',
  runtimeSocket: '/run/palisade/runtime.sock',
  binary: 'haproxy',
  namespaceHeader: 'X-Palisade-Namespace',
  namespaceSource: 'header',
  coalesceMs: 0,
  commandTimeoutMs: 1000,
  driftIntervalMs: 60_000,
  policyWaitMs: 2000,
};
const STANDARD = parsePoolName('standard');
const PREMIUM = parsePoolName('premium');
const SERVER: ResolvedServer = { id: parseProxyId('a'), host: '10.0.0.7', port: 8080, weight: 1, state: 'up' };
const STATE: ResolvedState = {
  revision: 1,
  pools: [
    { name: PREMIUM, servers: [] },
    { name: STANDARD, servers: [SERVER] },
  ],
  exact: new Map([
    ['acme', STANDARD],
    ['globex', PREMIUM],
  ]),
  prefixes: new Map([['eu-', STANDARD]]),
  wildcards: new Map([[parseNamespacePattern('*-x?'), PREMIUM]]),
  fallback: STANDARD,
  unresolved: [],
};

type Make = (settings: LoadBalancerSettings) => LoadBalancerDriver;
const DRIVERS: [string, Make][] = [
  ['haproxy', (settings) => new HaproxyDriver(settings) as LoadBalancerDriver],
  ['nginx', (settings) => new NginxDriver(settings)],
  ['envoy', (settings) => new EnvoyDriver(settings) as LoadBalancerDriver],
];

/** Each puts a text into another place. */
const PLACES: Readonly<Record<string, (text: string) => { state?: Partial<ResolvedState>; settings?: object }>> = {
  'a name': (text) => ({ state: { exact: new Map([[text, STANDARD]]) } }),
  'a prefix': (text) => ({ state: { prefixes: new Map([[text, STANDARD]]) } }),
  'a wildcard': (text) => ({ state: { wildcards: new Map([[text as never, STANDARD]]) } }),
  'a destination': (text) => ({ state: { exact: new Map([['acme', text as never]]) } }),
  'the fallback': (text) => ({ state: { fallback: text as never } }),
  'the pool of a split': (text) => ({ state: { fallback: { parts: [{ pool: text as never, weight: 1 }] } } }),
  'a pool': (text) => ({ state: { pools: [{ name: text as never, servers: [SERVER] }] } }),
  'the id of a server': (text) => ({
    state: { pools: [{ name: STANDARD, servers: [{ ...SERVER, id: text as never }] }] },
  }),
  'the host of a server': (text) => ({ state: { pools: [{ name: STANDARD, servers: [{ ...SERVER, host: text }] }] } }),
  'the port of a server': (text) => ({
    state: { pools: [{ name: STANDARD, servers: [{ ...SERVER, port: text as never }] }] },
  }),
  'the weight of a server': (text) => ({
    state: { pools: [{ name: STANDARD, servers: [{ ...SERVER, weight: text as never }] }] },
  }),
  'the header': (text) => ({ settings: { namespaceHeader: text } }),
  'the address to listen on': (text) => ({ settings: { bind: { host: text, port: 80 } } }),
  'the certificate': (text) => ({ settings: { certificateFile: text } }),
  'the runtime socket': (text) => ({ settings: { runtimeSocket: text } }),
};
/** Has a character that no value may have. */
const EVIL = 'E<VIL';
const evil = fc
  .tuple(
    fc.constantFrom('\n', '\r\n', '\0', ' ', '"', "'", '{', '}', ';', '#', '\\', '$', '%', ',', '/', '*', ''),
    fc.string(),
  )
  .map(([ending, rest]) => `${ending}${EVIL}${rest}`);

describe.each(DRIVERS)('what %s gets', (type, make) => {
  const render = async (state: Partial<ResolvedState> = {}, settings: object = {}) => {
    const { files, hash } = await make({ ...SETTINGS, ...settings }).render({ ...STATE, ...state }, undefined);
    return { hash, files: files.map(({ path, pieces }) => [path, pieces.join('')] as const) };
  };

  it('is the same for the same state, in whatever order its patterns come', async () => {
    const reversed = { exact: new Map([...STATE.exact].toReversed()) };
    expect(await render(reversed)).toEqual(await render());
  });

  it('has another hash when anything is different', async () => {
    const others = await Promise.all([
      render(),
      render({ exact: new Map() }),
      render({ prefixes: new Map() }),
      render({ wildcards: new Map() }),
      render({ fallback: undefined }),
      render({ pools: [{ name: STANDARD, servers: [{ ...SERVER, state: 'down' }] }] }),
      render({}, { bind: { host: '0.0.0.0', port: 8081 } }),
    ]);
    expect(new Set(others.map(({ hash }) => hash)).size).toBe(others.length);
  });

  it('says in the main file whose it is', async () => {
    const { files } = await render();
    const [, main = ''] = files.find(([path]) => path === SETTINGS.configPath) ?? [];
    expect(main.slice(0, 1000)).toContain(OWNERSHIP_MARK);
  });

  it.each(Object.entries(PLACES))('never has %s that is not what it should be', async (_, place) => {
    await fc.assert(
      fc.asyncProperty(evil, async (text) => {
        const { state, settings } = place(text);
        const rendered = await render(state, settings).catch((error: unknown) => {
          expect(error).toBeInstanceOf(RejectedStateError);
          return undefined;
        });
        // Some kinds do not need the value at all.
        expect(JSON.stringify(rendered ?? '').includes(EVIL)).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  it('has servers of IPv6', async () => {
    const state = { pools: [{ name: STANDARD, servers: [{ ...SERVER, host: '2001:db8::1' }] }] };
    const { files } = await render(state);
    expect(files.map(([, text]) => text).join('')).toContain(type === 'envoy' ? '"2001:db8::1"' : '[2001:db8::1]:8080');
  });
});
