import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ControlApp } from './support/control-app.js';

let app: ControlApp;
beforeAll(async () => {
  app = await ControlApp.start();
});
afterAll(() => app.close());

const GOOD = { tenant_id: 'acme', namespace_pattern: 'acme-*', pool: 'standard' };
const NESTED = 100_000;

async function expectNobody(): Promise<void> {
  const { body } = await app.api('get', '/tenants').expect(200);
  expect(body.items).toEqual([]);
}

describe('a tenant id', () => {
  it.each([
    '',
    '-acme',
    'acme-',
    'Acme',
    'a.b',
    '../etc',
    'a:b',
    'a*',
    'a>b',
    'a b',
    'a\r\nX-Evil: 1',
    'a\0b',
    'асме',
    'a{b}',
    '"a"',
    'a'.repeat(64),
    '__proto__',
  ])('is rejected as %j', async (tenant_id) => {
    const { body } = await app
      .api('post', '/tenants')
      .send({ ...GOOD, tenant_id })
      .expect(400);
    expect(['VALIDATION_FAILED', 'INVALID_IDENTIFIER']).toContain(body.code);
    await expectNobody();
  });

  it.each(['Acme', '..%2f..', 'a%00b', 'a%0d%0ab', 'a*', 'a'.repeat(64), '%D0%B0', 'constructor%20'])(
    'is rejected in a path as %s',
    async (id) => {
      for (const method of ['get', 'delete'] as const) {
        expect((await app.api(method, `/tenants/${id}`)).status).toBe(400);
      }
      await app.api('put', `/tenants/${id}`).send(GOOD).expect(400);
    },
  );
});

describe('a body of a tenant', () => {
  it.each<[string, object]>([
    ['no id', { tenant_id: undefined }],
    ['a number for an id', { tenant_id: 7 }],
    ['no pattern', { namespace_pattern: undefined }],
    ['both a pattern and patterns', { namespace_patterns: ['x'] }],
    ['an empty list of patterns', { namespace_pattern: undefined, namespace_patterns: [] }],
    ['a text for a list of patterns', { namespace_pattern: undefined, namespace_patterns: 'acme' }],
    ['a number among patterns', { namespace_pattern: undefined, namespace_patterns: ['a', 7] }],
    ['an object among patterns', { namespace_pattern: undefined, namespace_patterns: [{}] }],
    [
      '1001 patterns',
      { namespace_pattern: undefined, namespace_patterns: Array.from({ length: 1001 }, (_, at) => `n${at}`) },
    ],
    ['a pattern of 64 characters', { namespace_pattern: 'a'.repeat(64) }],
    ['an empty pattern', { namespace_pattern: '' }],
    ['a pattern with a class', { namespace_pattern: '[a-z]*' }],
    ['a pattern with alternatives', { namespace_pattern: '{a,b}' }],
    ['a pattern with a path', { namespace_pattern: 'a/../b' }],
    ['a pattern with NUL', { namespace_pattern: 'a\0*' }],
    ['a pattern with a line feed', { namespace_pattern: 'a*\n' }],
    ['a pattern in capitals', { namespace_pattern: 'ACME-*' }],
    ['null for a pool', { pool: null }],
    ['a pool of the wrong form', { pool: 'Standard!' }],
    ['a pool that is a key of every object', { pool: 'constructor' }],
    ['an unknown isolation level', { isolation_level: 'shared' }],
    ['null for an isolation level', { isolation_level: null }],
    ['an isolation level in capitals', { isolation_level: 'NAMESPACE' }],
    ['an unknown tier', { tier: 'gold' }],
    ['a negative revenue', { annual_revenue: -1 }],
    ['a text for a revenue', { annual_revenue: '10' }],
    ['a revenue beyond all bounds', { annual_revenue: 1e16 }],
    ['an unknown field', { colour: 'red' }],
    ['a list for connections', { connection_pools: [] }],
    ['an unknown backend', { connection_pools: { mongo: {} } }],
    ['an unknown setting', { connection_pools: { redis: { connections: 5 } } }],
    ['no connections', { connection_pools: { redis: { max_connections: 0 } } }],
    ['half a connection', { connection_pools: { redis: { max_connections: 1.5 } } }],
    ['too many connections', { connection_pools: { redis: { max_connections: 1_000_001 } } }],
    ['a list for a backend', { connection_pools: { redis: [{ max_connections: 1 }] } }],
    ['no requests at all', { resource_limits: { max_rps: 0 } }],
    ['fewer requests than none', { resource_limits: { max_rps: -5 } }],
    ['half a request', { resource_limits: { max_rps: 0.5 } }],
    ['more requests than can be counted', { resource_limits: { max_rps: 1_000_001 } }],
    ['requests as a text', { resource_limits: { max_rps: '5' } }],
    ['null for requests', { resource_limits: { max_rps: null } }],
    ['cores that are none', { resource_limits: { cpu: 'NaN' } }],
    ['no cores', { resource_limits: { cpu: '0' } }],
    ['fewer cores than none', { resource_limits: { cpu: '-1' } }],
    ['cores as a number', { resource_limits: { cpu: 1 } }],
    ['more cores than there are', { resource_limits: { cpu: '1025' } }],
    ['no memory', { resource_limits: { memory: '0' } }],
    ['less memory than none', { resource_limits: { memory: '-1Mi' } }],
    ['more memory than there is', { resource_limits: { memory: '65Ti' } }],
    ['memory with an exponent', { resource_limits: { memory: '1e3' } }],
    ['an unknown limit', { resource_limits: { rps: 5 } }],
    ['limits by namespace', { resource_limits: { per_namespace: { max_rps: 5 } } }],
    ['a list for limits', { resource_limits: [] }],
    ['null for limits', { resource_limits: null }],
    ['null for a backend', { connection_pools: { redis: null } }],
    [
      'more connections of a namespace than in all',
      { connection_pools: { redis: { connections_per_namespace: 6, max_total_connections: 5 } } },
    ],
  ])('is rejected for %s', async (_, change) => {
    const { body, headers } = await app
      .api('post', '/tenants')
      .send({ ...GOOD, ...change })
      .expect(400);
    expect(headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(body).toMatchObject({
      status: 400,
      code: expect.stringMatching(/^[A-Z_]+$/),
      request_id: expect.any(String),
    });
    expect(JSON.stringify(body)).not.toMatch(/\bat \S+ \(|\.ts:\d|\.js:\d|node_modules/);
    await expectNobody();
  });

  it.each([
    ['broken JSON', '{"tenant_id":', 400],
    ['null', 'null', 400],
    ['a list', `[${JSON.stringify(GOOD)}]`, 400],
    ['a text', '"acme"', 400],
    ['100,000 nested lists', '['.repeat(NESTED) + ']'.repeat(NESTED), 400],
    ['100,000 open braces', '{"a":'.repeat(NESTED), 400],
    ['2 MiB', JSON.stringify({ ...GOOD, pool: 'x'.repeat(2 * 2 ** 20) }), 413],
  ])('is rejected when it is %s', async (_, text, status) => {
    await app.api('post', '/tenants').type('application/json').send(text).expect(status);
    await expectNobody();
  });

  it('is rejected when it is not UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from('{"tenant_id":"a'), Buffer.from([0xff]), Buffer.from('"}')]);
    await app
      .api('post', '/tenants')
      .type('application/json')
      .serialize((raw: unknown) => raw as string)
      .send(bytes)
      .expect(400);
  });

  it('is rejected when it inflates beyond 1 MiB', async () => {
    const bomb = gzipSync(Buffer.alloc(100 * 2 ** 20, ' '));
    const sent = app.api('post', '/tenants').type('application/json').set('Content-Encoding', 'gzip');
    await sent
      .serialize((raw: unknown) => raw as string)
      .send(bomb)
      .expect(413);
  });

  it.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'application/json; charset=utf-16'])(
    'is rejected as %s',
    async (type) => {
      await app.api('post', '/tenants').set('Content-Type', type).send(JSON.stringify(GOOD)).expect(415);
    },
  );

  it.each(['__proto__', 'constructor', 'prototype'])('loses a field %s, which pollutes nothing', async (name) => {
    const field = `"${name}":{"polluted":true}`;
    const text = `{"tenant_id":"proto","namespace_pattern":"proto","pool":"standard",${field},"connection_pools":{${field}}}`;
    const { body } = await app.api('post', '/tenants').type('application/json').send(text).expect(201);
    expect(JSON.stringify(body)).not.toContain('polluted');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    await app.api('delete', '/tenants/proto').expect(204);
  });

  it('is not read before the caller is known', async () => {
    await app.request('post', '/api/v1/tenants').type('application/json').send('{"tenant_id":').expect(401);
  });
});

describe('parameters', () => {
  it.each([
    '/tenants?limit=0',
    '/tenants?limit=1001',
    '/tenants?limit=x',
    '/tenants?limit=1.5',
    '/tenants?limit=1&limit=2',
    '/tenants?cursor=',
    '/tenants?cursor=x',
    '/tenants?cursor=bnVsbA',
    `/tenants?cursor=${Buffer.from('["A"]').toString('base64url')}`,
    `/tenants?cursor=${'x'.repeat(3000)}`,
    '/tenants?cursor[]=x',
    '/tenants?pool=Standard',
    '/tenants?pool[a]=b',
    '/tenants?unknown=1',
    '/pools/Standard',
    '/routing/resolve',
    '/routing/resolve?namespace=',
    '/routing/resolve?namespace=ACME',
    '/routing/resolve?namespace=acme-*',
    '/routing/resolve?namespace=a&namespace=b',
    `/routing/resolve?namespace=${'a'.repeat(64)}`,
    '/sizing',
    '/sizing?tenants=0',
    '/sizing?tenants=-5',
    '/sizing?tenants=1.5',
    '/sizing?tenants=many',
    '/sizing?tenants=NaN',
    '/sizing?tenants=Infinity',
    '/sizing?tenants=10000001',
    '/sizing?tenants=1&tenants=2',
  ])('are rejected: %s', async (path) => {
    const { body } = await app.api('get', path).expect(400);
    expect(['VALIDATION_FAILED', 'INVALID_REQUEST', 'INVALID_IDENTIFIER']).toContain(body.code);
  });
});

describe('a tenant that demands what its pool does not offer', () => {
  const DEMANDING = `
deployment: { model: hybrid }
proxy_pools:
  standard: { isolation_level: namespace, isolation_levels: [none, namespace] }
  premium: { isolation_level: namespace }
connection_pools:
  redis: { connections_per_namespace: 5, max_total_connections: 100 }
compliance: { frameworks: [] }
`;
  const redis = (limits: object) => ({ connection_pools: { redis: limits } });

  let strict: ControlApp;
  beforeAll(async () => {
    strict = await ControlApp.start({ yaml: DEMANDING });
    await strict.register('known', { namespace_pattern: 'known', pool: 'standard' });
  });
  afterAll(() => strict.close());

  it.each([
    [
      { isolation_level: 'session' },
      'isolation_level: expected none or namespace, as the pool "standard" offers; found session',
    ],
    [
      redis({ connections_per_namespace: 101 }),
      'connection_pools.redis.connections_per_namespace: expected at most 100, the cap of the pool "standard"; found 101',
    ],
    [
      redis({ per_session_limit: 101 }),
      'connection_pools.redis.per_session_limit: expected at most 100, the cap of the pool "standard"; found 101',
    ],
    [
      redis({ max_total_connections: 50 }),
      'connection_pools.redis.max_total_connections: expected 100, the cap of the pool "standard"; found 50',
    ],
    [
      { resource_limits: { memory: '5Gi' } },
      'resource_limits.memory: expected at most 4Gi, the memory of a proxy of the pool "standard"; found 5Gi',
    ],
    [
      { resource_limits: { cpu: '1' } },
      'resource_limits.cpu: expected none, as proxies measure CPU time only when usage.cpu is true in the configuration file; found 1',
    ],
  ])('is rejected with the reason, first or later: %j', async (demand, detail) => {
    const wanted = { namespace_pattern: 'wanted', pool: 'standard', ...demand };
    const created = await strict
      .api('post', '/tenants')
      .send({ tenant_id: 'wanted', ...wanted })
      .expect(400);
    const replaced = await strict.api('put', '/tenants/known').send(wanted).expect(400);
    for (const { body } of [created, replaced]) {
      expect(body).toMatchObject({ code: 'INVALID_REQUEST', detail });
    }
  });

  it('is accepted in a pool that offers it', async () => {
    const demand = { isolation_level: 'session', ...redis({ connections_per_namespace: 100, per_session_limit: 2 }) };
    const body = { tenant_id: 'wanted', namespace_pattern: 'wanted', pool: 'premium', ...demand };
    const { status } = await strict.api('post', '/tenants').send(body);
    expect(status).toBe(201);
  });

  it('may not have the id that stands for namespaces without a tenant', async () => {
    const { body } = await strict
      .api('post', '/tenants')
      .send({ ...GOOD, tenant_id: 'unregistered' })
      .expect(400);
    expect(body).toMatchObject({
      code: 'INVALID_REQUEST',
      detail: expect.stringMatching(/^tenant_id: expected another/),
    });
  });
});
