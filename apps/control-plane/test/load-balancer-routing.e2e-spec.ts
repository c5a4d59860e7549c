import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  comparePatterns,
  matchesNamespace,
  parseNamespacePattern,
  patternShape,
  type NamespacePattern,
} from '@palisade/domain';
import * as fc from 'fast-check';
import { requireBinary } from '../../../test/support/test-services.js';
import type { DesiredState } from '../src/routing/table/desired-state.js';
import { BalancerUnderTest, NAMESPACE_HEADER } from './support/load-balancer/balancer-under-test.js';
import { desiredServer, desiredState, type StateText } from './support/load-balancer/desired-states.js';
import { balancerKinds } from './support/load-balancer/kinds.js';
import { EchoProxy, type ProxyAnswer } from './support/load-balancer/proxies.js';

const POOLS = ['one', 'two', 'three'];
/** Every namespace of up to four of these characters. */
const NAMESPACES = everyText(['a', 'b', '-'], 4).filter((text) => /^[ab]$|^[ab].*[ab]$/.test(text));

function everyText(characters: readonly string[], maxLength: number): string[] {
  const shorter = maxLength === 1 ? [''] : ['', ...everyText(characters, maxLength - 1)];
  return [...new Set(shorter.flatMap((text) => characters.map((character) => character + text)))];
}

const pattern = fc
  .string({ unit: fc.constantFrom('a', 'b', '-', '*', '?'), minLength: 1, maxLength: 5 })
  .filter((text) => /^[ab*?]$|^[ab*?].*[ab*?]$/.test(text))
  .map((text) => text.replaceAll(/\*+/g, '*'));
const routes = fc.dictionary(pattern, fc.constantFrom(...POOLS), { maxKeys: 12, noNullPrototype: true });
const fallback = fc.option(fc.constantFrom(...POOLS), { nil: undefined });

/** Where the decisions say that a namespace goes. */
function expectedRoute({ routes = {}, fallback }: StateText, namespace: string): unknown {
  const [first] = Object.keys(routes)
    .map(parseNamespacePattern)
    .filter((each) => (patternShape(each) === 'exact' ? each === namespace : matchesNamespace(each, namespace)))
    .sort(comparePatterns) as (NamespacePattern | undefined)[];
  return first === undefined ? (fallback ?? 404) : routes[first];
}

describe.each(balancerKinds())('routing by $type', ({ type, binary }) => {
  let stack: AsyncDisposableStack;
  let pools: StateText['pools'];
  beforeEach(async () => {
    stack = new AsyncDisposableStack();
    const started = await Promise.all(POOLS.map((name) => EchoProxy.start(name)));
    started.forEach((proxy) => stack.use(proxy));
    pools = Object.fromEntries(started.map(({ id, port }) => [id, [desiredServer(id, port)]]));
  });
  afterEach(() => stack.disposeAsync());

  const start = async (text: StateText, settings: Partial<BalancerUnderTest['settings']> = {}) =>
    stack.use(
      await BalancerUnderTest.start(desiredState({ pools, ...text }), { type, binary, settings: () => settings }),
    );

  it('gives every namespace to the most exact pattern, whatever the patterns are', async () => {
    const under = await start({});
    await fc.assert(
      fc.asyncProperty(routes, fallback, async (routes, fallback) => {
        expect(await under.apply(desiredState({ pools, routes, fallback }))).not.toHaveProperty('reason');
        const found = await Promise.all(NAMESPACES.map((namespace) => under.routeOf(namespace)));
        expect(found).toEqual(NAMESPACES.map((namespace) => expectedRoute({ routes, fallback }, namespace)));
      }),
      { numRuns: type === 'haproxy' ? 40 : 12, endOnFailure: true },
    );
  });

  it('knows namespaces that mean something to its own configuration', async () => {
    const names = ['default', 'hostnames', 'include', 'volatile', 'http', 'none', 'tenant', 'node', 'r', 'n', 't'];
    const own = Object.fromEntries(names.map((name) => [name, 'two']));
    const under = await start({ routes: { '*': 'one', ...own } });
    expect(await Promise.all(names.map((name) => under.routeOf(name)))).toEqual(names.map(() => 'two'));
    expect(await under.routeOf('another')).toBe('one');
  });

  it('answers 404 with a problem for a namespace that it does not know', async () => {
    const under = await start({ routes: { acme: 'one' } });
    const answer = await under.get({ [NAMESPACE_HEADER]: 'globex' });
    expect(answer).toMatchObject({ status: 404, contentType: 'application/problem+json' });
    expect(JSON.parse(answer.body)).toMatchObject({ status: 404, code: 'NAMESPACE_NOT_FOUND' });
  });

  it.each([
    '',
    'A',
    'Acme',
    '-a',
    'a-',
    'a'.repeat(64),
    'a.b',
    'a/b',
    'a,b',
    '%61',
    'a b',
    '..',
    '*',
    'a"b',
    "a'b",
    'é',
  ])('answers 400 with a problem for %j in the header', async (namespace) => {
    const under = await start({ routes: { '*': 'one' } });
    const answer = await under.get({ [NAMESPACE_HEADER]: namespace });
    expect(answer).toMatchObject({ status: 400, contentType: 'application/problem+json' });
    expect(JSON.parse(answer.body)).toMatchObject({ status: 400, code: 'INVALID_NAMESPACE' });
  });

  it('answers 400 for a request without a namespace', async () => {
    const under = await start({ routes: { '*': 'one' } });
    expect(await under.get({})).toMatchObject({ status: 400 });
  });

  it('answers 503 for a pool that has no server to give requests to', async () => {
    const [, port] = [pools, pools?.['one']?.[0]?.port ?? 0];
    const idle = {
      none: [],
      drained: [desiredServer('x', port, { state: 'drain' })],
      down: [desiredServer('y', port, { state: 'down' })],
    };
    const under = await start({
      pools: { ...pools, ...idle },
      routes: { a: 'none', b: 'drained', c: 'down', d: 'one' },
    });
    expect(await Promise.all(['a', 'b', 'c', 'd'].map((name) => under.routeOf(name)))).toEqual([503, 503, 503, 'one']);
  });

  it('gives proxies one namespace, the one that the request was routed by, whatever else the client sends', async () => {
    const under = await start({ routes: { acme: 'one', globex: 'two' } });
    const headers = { [NAMESPACE_HEADER]: 'acme', X_Palisade_Namespace: 'globex', 'X-Palisade_Namespace': 'globex' };
    const { id, namespaces, headers: got } = JSON.parse((await under.get(headers)).body) as ProxyAnswer;
    expect({ id, namespaces, others: Object.keys(got).filter((name) => /palisade_/i.test(name)) }).toEqual({
      id: 'one',
      namespaces: ['acme'],
      others: [],
    });
  });

  it('never routes by one namespace and passes on another one', async () => {
    const under = await start({ routes: { acme: 'one', globex: 'two' } });
    const { status, body } = await under.get({ [NAMESPACE_HEADER]: ['acme', 'globex'] });
    const passed = status === 200 ? (JSON.parse(body) as ProxyAnswer) : { id: status, namespaces: [] };
    expect([
      { id: 400, namespaces: [] },
      { id: 'one', namespaces: ['acme'] },
    ]).toContainEqual({ id: passed.id, namespaces: passed.namespaces });
  });

  it('takes hosts in upper case for the same, or rejects them', async () => {
    const under = await start({ routes: { acme: 'one' } }, { namespaceSource: 'host' });
    const { status, body } = await under.get({ host: 'ACME.example.com' });
    const { namespaces } = status === 200 ? (JSON.parse(body) as ProxyAnswer) : { namespaces: [] };
    expect({ status, namespaces }).toEqual(
      type === 'envoy' ? { status: 400, namespaces: [] } : { status: 200, namespaces: ['acme'] },
    );
  });

  it.each(['acme', 'acme.example.com', 'acme.example.com:8080', 'acme:80'])(
    'takes the namespace from the host %s, not from the header',
    async (host) => {
      const under = await start({ routes: { acme: 'one', 'acme*': 'two', evil: 'two' } }, { namespaceSource: 'host' });
      const { id, namespaces } = JSON.parse(
        (await under.get({ host, [NAMESPACE_HEADER]: 'evil' })).body,
      ) as ProxyAnswer;
      expect({ id, namespaces }).toEqual({ id: 'one', namespaces: ['acme'] });
    },
  );

  it.each([
    ['acme-eu.example.com', 'two'],
    ['x-eu.example.com', 'three'],
    ['other.example.com', 404],
    ['-x.example.com', 400],
    ['[::1]', 400],
  ])('routes the host %s to %s', async (host, route) => {
    const under = await start(
      { routes: { acme: 'one', 'acme*': 'two', '?-eu': 'three' } },
      { namespaceSource: 'host' },
    );
    const { status, body } = await under.get({ host });
    expect(status === 200 ? (JSON.parse(body) as ProxyAnswer).id : status).toBe(route);
  });

  it('passes the path on as it is', async () => {
    const under = await start({ routes: { acme: 'one' } });
    const { body } = await under.get({ [NAMESPACE_HEADER]: 'acme' }, '/a%2Fb//c/?x=%20&y=1');
    expect((JSON.parse(body) as ProxyAnswer).url).toBe('/a%2Fb//c/?x=%20&y=1');
  });

  it('speaks TLS with the certificate', async () => {
    const certificateFile = writeCertificate(stack);
    const under = await start({ routes: { acme: 'one' } }, { certificateFile });
    const { headers } = JSON.parse((await under.get({ [NAMESPACE_HEADER]: 'acme' })).body) as ProxyAnswer;
    expect(headers['x-forwarded-proto']).toBe('https');
  });
});

describe('divided namespaces', () => {
  const SPLIT = { one: 3, two: 7, three: 1 };
  const names = Array.from({ length: 300 }, (_, index) => `tenant-${index * 7919}`);

  it('go to the same pool as crc32 says here, with HAProxy', async () => {
    await using stack = new AsyncDisposableStack();
    const proxies = await Promise.all(POOLS.map((name) => EchoProxy.start(name)));
    proxies.forEach((proxy) => stack.use(proxy));
    const pools = Object.fromEntries(proxies.map(({ id, port }) => [id, [desiredServer(id, port)]]));
    const large = { one: 2 ** 31, two: 2 ** 30 };
    const state = desiredState({ pools, routes: { 'tenant-*': SPLIT, 'large-*': large } });
    const under = stack.use(
      await BalancerUnderTest.start(state, { type: 'haproxy', binary: requireBinary('haproxy') }),
    );
    const found = await Promise.all(names.map((name) => under.routeOf(name)));
    expect(found).toEqual(
      names.map((name) => ['one', 'one', 'one', ...Array.from({ length: 7 }, () => 'two'), 'three'][crc32(name) % 11]),
    );
    const others = names.map((name) => name.replace('tenant', 'large'));
    expect(await Promise.all(others.map((name) => under.routeOf(name)))).toEqual(
      others.map((name) => (crc32(name) % (2 ** 31 + 2 ** 30) < 2 ** 31 ? 'one' : 'two')),
    );
  });

  it.each(balancerKinds().filter(({ type }) => type !== 'haproxy'))(
    'are rejected by $type',
    async ({ type, binary }) => {
      await using under = await BalancerUnderTest.prepare({ type, binary });
      const state: DesiredState = desiredState({ routes: { 'tenant-*': SPLIT } });
      expect(await under.apply(state)).toMatchObject({
        result: 'rejected',
        reason: expect.stringContaining('cannot divide namespaces between pools (one, two, three)'),
      });
    },
  );
});

/** PEM of a certificate for localhost and its key. */
function writeCertificate(stack: AsyncDisposableStack): string {
  const directory = execFileSync('mktemp', ['-d'], { encoding: 'utf8' }).trim();
  stack.defer(() => void execFileSync('rm', ['-r', directory]));
  const [key, certificate] = [join(directory, 'key.pem'), join(directory, 'certificate.pem')];
  const subject = ['-subj', '/CN=localhost', '-days', '2'];
  const options = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-keyout',
    key,
    '-out',
    certificate,
  ];
  execFileSync(requireBinary('openssl'), ['req', '-x509', ...options, ...subject], { stdio: 'ignore' });
  const both = join(directory, 'both.pem');
  writeFileSync(both, readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'));
  return both;
}
