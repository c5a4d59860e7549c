import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parsePoolName, parseTenantId, type TenantDraft } from '@palisade/domain';
import type { Response } from 'supertest';
import { ControlApp, TWO_POOLS } from './support/control-app.js';

const ACME = { tenant_id: 'acme', namespace_pattern: 'acme-*', pool: 'standard', isolation_level: 'namespace' };
const STANDARD = parsePoolName('standard');
const PREMIUM = parsePoolName('premium');

let app: ControlApp;
beforeEach(async () => {
  app = await ControlApp.start();
});
afterEach(() => app.close());

describe('registering a tenant', () => {
  it('answers 201 with the tenant and its routing', async () => {
    const { body, headers } = await app.api('post', '/tenants').send(ACME).expect(201);
    expect(body).toEqual({
      tenant_id: 'acme',
      namespace_patterns: ['acme-*'],
      pool: 'standard',
      isolation_level: 'namespace',
      routing: {
        tenancy_model: 'hybrid',
        deployment: 'multi_tenant',
        pool: 'standard',
        pools: ['standard'],
        isolation_level: 'namespace',
        connection_pools: {},
        resource_limits: {},
        matched: { by: 'tenant' },
        healthy_proxies: [],
      },
      settings: [
        { name: 'deployment', value: 'multi_tenant', from: 'deployment.model' },
        { name: 'pool', value: 'standard', from: 'tenant "acme"' },
        { name: 'isolation_level', value: 'namespace', from: 'tenant "acme"' },
      ],
      source: 'api',
      version: 1,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      modified_at: body.created_at,
    });
    expect(headers).toMatchObject({ location: '/api/v1/tenants/acme', etag: expect.stringMatching(/^"1-[\w-]{16}"$/) });
  });

  it('answers 200 and changes nothing when the identical tenant is registered already', async () => {
    const first = await app.api('post', '/tenants').send(ACME).expect(201);
    const again = await app.api('post', '/tenants').send(ACME).expect(200);
    expect([again.body, again.headers['etag']]).toEqual([first.body, first.headers['etag']]);
  });

  it.each([
    ['twice', ['acme', 'acme-*', 'acme']],
    ['in another order', ['acme-*', 'acme']],
  ])('takes the same patterns %s as identical', async (_, namespace_patterns) => {
    await app.register('acme', { namespace_patterns: ['acme', 'acme-*'], pool: 'standard' });
    const body = { tenant_id: 'acme', namespace_patterns, pool: 'standard' };
    await app.api('post', '/tenants').send(body).expect(200);
  });

  it.each([
    ['pool', { pool: 'premium' }],
    ['isolation level', { isolation_level: 'session' }],
    ['pattern', { namespace_pattern: 'acme*' }],
    ['tier', { tier: 'premium' }],
    ['revenue', { annual_revenue: 0 }],
    ['connections', { connection_pools: { redis: { max_connections: 1 } } }],
    ['limit', { resource_limits: { max_rps: 1 } }],
  ])('answers 409 when the tenant is registered with another %s', async (_, other) => {
    await app.api('post', '/tenants').send(ACME).expect(201);
    const { body } = await app
      .api('post', '/tenants')
      .send({ ...ACME, ...other })
      .expect(409);
    expect(body).toMatchObject({ code: 'TENANT_CONFLICT', type: 'urn:palisade:problem:tenant-conflict' });
    expect((await app.api('get', '/tenants/acme')).body.version).toBe(1);
  });

  it.each(['acme-eu', '*-eu', 'acme-?', 'acm*', '*'])(
    'answers 409 naming the other when "%s" overlaps',
    async (pattern) => {
      await app.api('post', '/tenants').send(ACME).expect(201);
      const globex = { tenant_id: 'globex', namespace_pattern: pattern, pool: 'standard' };
      const { body } = await app.api('post', '/tenants').send(globex).expect(409);
      expect(body).toMatchObject({
        code: 'NAMESPACE_OVERLAP',
        detail: `"${pattern}" overlaps with "acme-*" of tenant "acme"`,
      });
      await app.api('get', '/tenants/globex').expect(404);
    },
  );

  it('lets patterns of one tenant overlap', async () => {
    await app.register('acme', { namespace_patterns: ['acme-*', '*-eu', 'acme-eu'], pool: 'standard' });
    const { body } = await app.api('get', '/tenants/acme').expect(200);
    expect(body.namespace_patterns).toEqual(['*-eu', 'acme-*', 'acme-eu']);
  });

  it('answers 400 naming the pools when there is no such pool', async () => {
    const { body } = await app
      .api('post', '/tenants')
      .send({ ...ACME, pool: 'gold' })
      .expect(400);
    expect(body).toMatchObject({
      code: 'UNKNOWN_POOL',
      detail: 'pool: expected one of "premium", "standard", found "gold"',
    });
  });

  it('answers 400 when nothing says the pool', async () => {
    const { body } = await app
      .api('post', '/tenants')
      .send({ tenant_id: 'acme', namespace_pattern: 'acme' })
      .expect(400);
    expect(body.code).toBe('POOL_REQUIRED');
  });

  it('is one action of whoever did it', async () => {
    const token = await app.adminOf(['*']);
    await app.api('post', '/tenants', token).set('X-Request-Id', 'r-1').send(ACME).expect(201);
    expect(await app.records()).toEqual([
      expect.objectContaining({
        action: 'tenant.register',
        userId: 'ann@example.com',
        tenantId: 'acme',
        resource: 'tenant:acme',
        result: 'success',
        requestId: 'r-1',
        detail: expect.objectContaining({ pool: 'standard' }),
      }),
    ]);
  });
});

describe('showing a tenant', () => {
  it('tells the proxies of its pool that take requests', async () => {
    await app.addProxy('standard-1', STANDARD);
    await app.addProxy('standard-2', STANDARD, 'unhealthy');
    await app.addProxy('standard-3', STANDARD, 'healthy', true);
    await app.addProxy('premium-1', PREMIUM);
    await app.api('post', '/tenants').send(ACME).expect(201);
    const { body } = await app.api('get', '/tenants/acme').expect(200);
    expect(body.routing.healthy_proxies).toEqual([
      { id: 'standard-1', pool: 'standard', host: 'standard-1.internal', port: 8080 },
    ]);
  });

  it('answers 404 when there is none', async () => {
    const { body } = await app.api('get', '/tenants/nobody').expect(404);
    expect(body.code).toBe('TENANT_NOT_FOUND');
  });

  it('answers 304 to its own ETag, and not after something in the answer has changed', async () => {
    await app.api('post', '/tenants').send(ACME).expect(201);
    const { headers } = await app.api('get', '/tenants/acme').expect(200);
    await app
      .api('get', '/tenants/acme')
      .set('If-None-Match', headers['etag'] ?? '')
      .expect(304);
    await app.addProxy('standard-1', STANDARD);
    await app
      .api('get', '/tenants/acme')
      .set('If-None-Match', headers['etag'] ?? '')
      .expect(200);
  });
});

describe('replacing a tenant', () => {
  beforeEach(() => app.api('post', '/tenants').send(ACME).expect(201));

  it('takes back what it has answered', async () => {
    const { body: created } = await app.api('get', '/tenants/acme').expect(200);
    const { body } = await app
      .api('put', '/tenants/acme')
      .send({ ...created, pool: 'premium' })
      .expect(200);
    expect(body).toMatchObject({ pool: 'premium', version: 2, namespace_patterns: ['acme-*'] });
    await app.api('post', '/tenants').send(body).expect(200);
    await app
      .api('put', '/tenants/acme')
      .send({ ...created, colour: 'red' })
      .expect(400);
  });

  it('replaces everything, also by omission', async () => {
    const { body } = await app
      .api('put', '/tenants/acme')
      .send({ namespace_pattern: 'emca', pool: 'standard' })
      .expect(200);
    expect(body).toMatchObject({ namespace_patterns: ['emca'], version: 2, tenant_id: 'acme' });
    expect(body).not.toHaveProperty('isolation_level');
    expect((await app.api('get', '/routing/resolve?namespace=emca').expect(200)).body.tenant_id).toBe('acme');
    await app.api('get', '/routing/resolve?namespace=acme-eu').expect(404);
  });

  it('leaves version and ETag alone when nothing changes', async () => {
    const before = await app.api('get', '/tenants/acme');
    const after = await app.api('put', '/tenants/acme').send(ACME).expect(200);
    expect([after.body, after.headers['etag']]).toEqual([before.body, before.headers['etag']]);
  });

  it('answers 400 without a body, and changes nothing', async () => {
    const before = await app.api('get', '/tenants/acme');
    const { body } = await app.api('put', '/tenants/acme').expect(400);
    expect(body.errors).toEqual(['body: expected a JSON object']);
    expect((await app.api('get', '/tenants/acme')).body).toEqual(before.body);
  });

  it('answers 400 when the body is about another tenant', async () => {
    const { body } = await app
      .api('put', '/tenants/acme')
      .send({ ...ACME, tenant_id: 'globex' })
      .expect(400);
    expect(body).toMatchObject({ code: 'INVALID_REQUEST', detail: 'tenant_id: expected "acme", as in the path' });
  });

  it('answers 404 when there is none', async () => {
    await app.api('put', '/tenants/nobody').send({ namespace_pattern: 'n', pool: 'standard' }).expect(404);
  });

  it('lets the pool that a tenant leaves drain', async () => {
    const { body } = await app
      .api('put', '/tenants/acme')
      .send({ ...ACME, pool: 'premium' })
      .expect(200);
    expect(body.routing.pool).toBe('premium');
    expect(body.draining.pool).toBe('standard');
    expect(Date.parse(body.draining.until) - Date.parse(body.modified_at)).toBe(30_000);
    expect((await app.records()).at(-1)).toMatchObject({ action: 'tenant.move' });
  });

  it('shows nothing of a drain that is over', async () => {
    await app.close();
    app = await ControlApp.start({ yaml: `${TWO_POOLS}\ndrain_timeout: 0s` });
    await app.api('post', '/tenants').send(ACME).expect(201);
    const { body } = await app
      .api('put', '/tenants/acme')
      .send({ ...ACME, pool: 'premium' })
      .expect(200);
    expect(body).not.toHaveProperty('draining');
  });

  it('answers 409 when Kubernetes manages the tenant', async () => {
    const draft: TenantDraft = { namespacePatterns: [], pool: STANDARD };
    const change = { actor: 'operator', at: new Date() };
    await app.store.tenants.register(parseTenantId('cluster'), 'kubernetes', draft, change);
    const { body } = await app
      .api('put', '/tenants/cluster')
      .send({ namespace_pattern: 'c', pool: 'standard' })
      .expect(409);
    expect(body.code).toBe('MANAGED_ELSEWHERE');
    await app.api('delete', '/tenants/cluster').expect(409);
  });
});

describe('If-Match', () => {
  const MOVED = { ...ACME, pool: 'premium' };
  let etag: string;
  beforeEach(async () => {
    etag = (await app.api('post', '/tenants').send(ACME).expect(201)).headers['etag'] ?? '';
  });

  it('lets only the first of two changes of the same version through', async () => {
    const change = (pool: string) =>
      app
        .api('put', '/tenants/acme')
        .set('If-Match', etag)
        .send({ ...ACME, pool });
    await change('premium').expect(200);
    const { body } = await change('standard').expect(412);
    expect(body).toMatchObject({ code: 'PRECONDITION_FAILED' });
    expect((await app.api('get', '/tenants/acme')).body.pool).toBe('premium');
  });

  it('lets one of many changes at once through', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        app
          .api('put', '/tenants/acme')
          .set('If-Match', etag)
          .send({ ...ACME, annual_revenue: at }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(412)]);
  });

  it.each(['"1"', 'W/"1"', '"7", "1"', '*', ' "1-anything" '])('%s matches version 1', async (header) => {
    await app.api('put', '/tenants/acme').set('If-Match', header).send(MOVED).expect(200);
  });

  it.each(['"2"', '1', '"x"', '"1', '""', '"-1"', '"01x"', '"2", "3"', `"${'9'.repeat(400)}"`])(
    '%s does not match version 1',
    async (header) => {
      await app.api('put', '/tenants/acme').set('If-Match', header).send(MOVED).expect(412);
      await app.api('delete', '/tenants/acme').set('If-Match', header).expect(412);
    },
  );

  it('is not hurt by what changes by itself', async () => {
    await app.addProxy('standard-1', STANDARD);
    await app.api('put', '/tenants/acme').set('If-Match', etag).send(MOVED).expect(200);
  });
});

describe('removing a tenant', () => {
  it('answers 204, then 404, and frees its namespaces', async () => {
    await app.api('post', '/tenants').send(ACME).expect(201);
    await app.api('delete', '/tenants/acme').expect(204);
    await app.api('delete', '/tenants/acme').expect(404);
    await app.api('get', '/tenants/acme').expect(404);
    await app.register('globex', { namespace_pattern: 'acme-eu', pool: 'standard' });
    expect((await app.records()).map(({ action }) => action)).toEqual([
      'tenant.register',
      'tenant.remove',
      'tenant.register',
    ]);
  });
});

describe('listing tenants', () => {
  beforeEach(async () => {
    for (const [id, pool] of [
      ['c', 'premium'],
      ['a', 'standard'],
      ['b', 'premium'],
      ['d', 'standard'],
    ] as const) {
      await app.register(id, { namespace_pattern: id, pool });
    }
  });

  /** Ids page by page, up to the end. */
  async function pages(query: string): Promise<string[][]> {
    const found: string[][] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const page: Response = await app.api('get', `/tenants?${query}${cursor && `&cursor=${cursor}`}`).expect(200);
      found.push(page.body.items.map(({ tenant_id }: { tenant_id: string }) => tenant_id));
      cursor = page.body.next_cursor;
    }
    return found;
  }

  it('goes in order of id, page by page', async () => {
    expect(await pages('limit=3')).toEqual([['a', 'b', 'c'], ['d']]);
    expect(await pages('limit=4')).toEqual([['a', 'b', 'c', 'd']]);
    expect(await pages('limit=1')).toEqual([['a'], ['b'], ['c'], ['d']]);
  });

  it('takes those of one pool', async () => {
    expect(await pages('limit=1&pool=premium')).toEqual([['b'], ['c']]);
    expect(await pages('pool=unheard-of')).toEqual([[]]);
  });

  it('reads on behind a tenant that was removed meanwhile', async () => {
    const { body } = await app.api('get', '/tenants?limit=2').expect(200);
    await app.api('delete', '/tenants/b').expect(204);
    const next = await app.api('get', `/tenants?limit=2&cursor=${body.next_cursor}`).expect(200);
    expect(next.body.items.map(({ tenant_id }: { tenant_id: string }) => tenant_id)).toEqual(['c', 'd']);
  });

  it('tells routing, without proxies', async () => {
    const { body } = await app.api('get', '/tenants?limit=1').expect(200);
    expect(body.items[0].routing).toMatchObject({ pool: 'standard', matched: { by: 'tenant' } });
    expect(body.items[0].routing).not.toHaveProperty('healthy_proxies');
  });
});

describe('an isolation level', () => {
  it('is one that the frameworks of the installation allow', async () => {
    const yaml = `
backends: { postgres: { endpoint: 'db.example.com:5432', ssl_mode: verify-full } }
compliance: { frameworks: [SOC 2], pii_encryption: true, audit_retention_days: 365 }
proxy_pools: { standard: { replicas: 1, isolation_level: namespace } }
`;
    const own = await ControlApp.start({ yaml });
    try {
      const shared = { namespace_pattern: 'acme', pool: 'standard', isolation_level: 'none' };
      const { body } = await own
        .api('post', '/tenants')
        .send({ tenant_id: 'acme', ...shared })
        .expect(400);
      expect([body.code, body.detail]).toEqual([
        'INVALID_REQUEST',
        'isolation_level: expected namespace or session, as SOC2 does not let tenants share connections',
      ]);
      await own.register('acme', { ...shared, isolation_level: 'session' });
      await own.api('put', '/tenants/acme').send(shared).expect(400);
    } finally {
      await own.close();
    }
  });
});
