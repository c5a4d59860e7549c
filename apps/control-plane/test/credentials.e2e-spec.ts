import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parsePoolName } from '@palisade/domain';
import { digestSecret } from '@palisade/guards';
import { ControlApp } from './support/control-app.js';
import type { Method } from '../../../test/support/routes-of.js';

type Need = 'read' | 'admin';

/** Every route, the scope that it needs, whether it needs an admin of every namespace, and a request that succeeds. */
const ROUTES: readonly [method: Method, path: string, need: Need, everyNamespace: boolean, body?: object][] = [
  ['get', '/tenants', 'read', false],
  ['get', '/tenants/acme', 'read', false],
  ['post', '/tenants', 'admin', true, { tenant_id: 'acme', namespace_pattern: 'acme', pool: 'standard' }],
  ['put', '/tenants/acme', 'admin', true, { namespace_pattern: 'acme', pool: 'standard' }],
  ['delete', '/tenants/gone', 'admin', true],
  ['get', '/pools', 'read', true],
  ['get', '/pools/standard', 'read', true],
  ['get', '/routing/resolve?namespace=acme', 'read', false],
  ['post', '/routing/explain', 'read', false, { namespace: 'acme' }],
  ['get', '/access/route?user=user:scim:default:ada&namespace=acme', 'read', false],
  ['get', '/access/namespaces?user=user:scim:default:ada', 'read', false],
  ['get', '/tenants/acme/admins', 'read', false],
  ['get', '/sizing?tenants=10', 'read', false],
];

const PROXY_TOKEN = 'token-of-the-proxies-of-standard';
const PROXY = { name: 'any', digest: digestSecret(PROXY_TOKEN), pool: parsePoolName('standard'), idPrefix: '' };

const SCOPES = ['read', 'operate', 'admin'] as const;

let app: ControlApp;
beforeAll(async () => {
  app = await ControlApp.start({
    config: {
      adminTokenDigests: [{ name: 'bob@example.com', digest: digestSecret('token-of-bob'), scope: 'admin' }],
      proxyTokenDigests: [PROXY],
    },
  });
  await app.register('acme', { namespace_pattern: 'acme', pool: 'standard' });
});
afterAll(() => app.close());

describe.each(ROUTES)('%s %s', (method, path, need, everyNamespace, body) => {
  beforeEach(() =>
    app.api('post', '/tenants').send({ tenant_id: 'gone', namespace_pattern: 'gone', pool: 'standard' }),
  );
  const send = (token?: string) => app.request(method, `/api/v1${path}`, token).send(body);

  it('challenges whoever has no token', async () => {
    const { headers } = await send().expect(401);
    expect(headers['www-authenticate']).toBe('Bearer realm="palisade"');
  });

  it('rejects a wrong token, and one that nobody signed', async () => {
    await send('wrong').expect(401);
    await send('eyJhbGciOiJub25lIn0.eyJzY29wZSI6ImFkbWluIn0.').expect(401);
  });

  it('needs a scope', async () => {
    const { headers } = await send(await app.adminOf(['*'], { scope: 'openid' })).expect(403);
    expect(headers['www-authenticate']).toContain(`error="insufficient_scope", scope="${need}"`);
  });

  it.each(SCOPES)('decides on the scope %s', async (scope) => {
    const { status } = await send(await app.adminOf(['*'], { scope }));
    const isEnough = SCOPES.indexOf(scope) >= SCOPES.indexOf(need);
    expect(status < 300).toBe(isEnough);
    expect(isEnough || status === 403).toBe(true);
  });

  it(`${everyNamespace ? 'needs' : 'does not need'} an admin of every namespace`, async () => {
    const { status } = await send(await app.adminOf(['acme'])).expect(everyNamespace ? 403 : 200);
    expect(status).toBe(everyNamespace ? 403 : 200);
  });

  it('takes a further static admin', async () => {
    expect((await send('token-of-bob')).status).toBeLessThan(300);
  });
});

describe('limits of a tenant', () => {
  it.each<[string, () => Promise<string> | string]>([
    ['an admin of all its namespaces', () => app.adminOf(['acme'])],
    ['a proxy of its pool', () => PROXY_TOKEN],
    ['a proxy of its pool that calls itself an admin', () => app.proxyJwt({ scope: 'proxy admin', namespaces: '*' })],
  ])('are not for %s to set', async (_, tokenOf) => {
    const token = await tokenOf();
    const { body: before } = await app.api('get', '/tenants/acme').expect(200);
    const limits = { pool: 'standard', resource_limits: { max_rps: 1_000_000 } };
    await app
      .api('put', '/tenants/acme', token)
      .send({ namespace_pattern: 'acme', ...limits })
      .expect(403);
    await app
      .api('post', '/tenants', token)
      .send({ tenant_id: 'own', namespace_pattern: 'own', ...limits })
      .expect(403);
    expect((await app.api('get', '/tenants/acme').expect(200)).body).toEqual(before);
    await app.api('get', '/tenants/own').expect(404);
  });
});

describe('an admin of some namespaces', () => {
  let token: string;
  beforeAll(async () => {
    token = await app.adminOf(['mine', 'mine-too', 'half'], { scope: 'read' });
    await app.register('mine', { namespace_patterns: ['mine', 'mine-too'], pool: 'standard' });
    await app.register('half', { namespace_patterns: ['half', 'other-half'], pool: 'standard' });
    await app.register('wide', { namespace_pattern: 'wide-*', pool: 'standard' });
    const hidden = { tier: 'enterprise', annual_revenue: 777_777, pool: 'standard', isolation_level: 'session' };
    await app.register('initech', { namespace_patterns: ['shared-a', 'shared-b'], ...hidden });
    await app.register('globex', { namespace_pattern: 'globex-*', ...hidden });
  });

  it('sees tenants of which they administer every namespace', async () => {
    const { body } = await app.api('get', '/tenants', token).expect(200);
    expect(body.items.map(({ tenant_id }: { tenant_id: string }) => tenant_id)).toEqual(['mine']);
    await app.api('get', '/tenants/mine', token).expect(200);
  });

  it.each(['half', 'wide', 'acme', 'nobody'])('does not learn whether there is a tenant %s', async (id) => {
    const { body } = await app.api('get', `/tenants/${id}`, token).expect(404);
    expect([body.code, body.detail]).toEqual(['TENANT_NOT_FOUND', `no tenant "${id}" is registered`]);
  });

  it('sees a tenant of a glob no more for administering a namespace that it matches', async () => {
    await app.api('get', '/tenants/wide', await app.adminOf(['wide-eu'])).expect(404);
  });

  it('pages through their tenants', async () => {
    const admin = await app.adminOf(['mine', 'mine-too', 'acme', 'gone']);
    const first = await app.api('get', '/tenants?limit=1', admin).expect(200);
    expect(first.body.items).toHaveLength(1);
    const second = await app.api('get', `/tenants?limit=1&cursor=${first.body.next_cursor}`, admin).expect(200);
    expect(second.body.items[0].tenant_id > first.body.items[0].tenant_id).toBe(true);
  });

  it('asks about their namespaces only', async () => {
    await app.api('get', '/routing/resolve?namespace=half', token).expect(200);
    const { body } = await app.api('get', '/routing/resolve?namespace=other-half', token).expect(404);
    expect(body.code).toBe('NAMESPACE_NOT_FOUND');
    await app.api('post', '/routing/explain', token).send({ namespace: 'half' }).expect(200);
    await app.api('post', '/routing/explain', token).send({ namespace: 'other-half' }).expect(404);
  });

  it.each<[string, string, object | undefined]>([
    ['get', '/routing/resolve?namespace=shared-a', undefined],
    ['post', '/routing/explain', { namespace: 'shared-a' }],
    ['get', '/access/route?user=user:scim:okta:ada&namespace=shared-a', undefined],
    ['get', '/routing/resolve?namespace=globex-eu', undefined],
    ['post', '/routing/explain', { namespace: 'globex-eu' }],
  ])('learns nothing about a hidden tenant from %s %s', async (method, path, sent) => {
    const admin = await app.adminOf(['shared-a', 'globex-eu']);
    const { body } = await app
      .api(method as 'get' | 'post', path, admin)
      .send(sent)
      .expect(200);
    expect((body.route ?? body).pool).toBe('standard');
    expect(JSON.stringify(body)).not.toMatch(/initech|shared-b|globex"|globex-\*|777|enterprise/);
  });

  it('does not ask what rules say of tenants', async () => {
    await app.api('post', '/routing/explain', token).send({ tenant_id: 'half' }).expect(403);
    await app.api('post', '/routing/explain', token).send({ namespace: 'half', tier: 'premium' }).expect(403);
  });

  it('of no namespace sees nobody', async () => {
    const nobody = await app.adminOf([]);
    expect((await app.api('get', '/tenants', nobody).expect(200)).body.items).toEqual([]);
    await app.api('get', '/routing/resolve?namespace=acme', nobody).expect(404);
  });
});

describe('a rejected attempt', () => {
  let own: ControlApp;
  beforeEach(async () => {
    own = await ControlApp.start();
    await own.register('acme', { namespace_pattern: 'acme', pool: 'standard' });
  });
  afterEach(() => own.close());

  it.each<[string, string, (token: string) => Promise<unknown>, object]>([
    [
      'without a valid token',
      '',
      () => own.api('get', '/tenants/acme', 'wrong').expect(401).then(),
      {
        userId: 'anonymous',
        action: 'authentication',
        resource: 'GET /api/v1/tenants/:tenant_id',
        requestId: expect.any(String),
        detail: { reason: 'invalid', remote_address: '127.0.0.1' },
      },
    ],
    [
      'without the scope',
      'read',
      (token) => own.api('delete', '/tenants/acme', token).expect(403).then(),
      {
        userId: 'ann@example.com',
        action: 'authorization',
        resource: 'DELETE /api/v1/tenants/:tenant_id',
      },
    ],
    [
      'to see a tenant',
      'read',
      (token) => own.api('get', '/tenants/acme', token).expect(404).then(),
      {
        userId: 'ann@example.com',
        action: 'tenant.read',
        resource: 'tenant:acme',
        tenantId: 'acme',
      },
    ],
    [
      'to see a route',
      'read',
      (token) => own.api('get', '/routing/resolve?namespace=acme', token).expect(404).then(),
      {
        action: 'routing.resolve',
        resource: 'namespace:acme',
        namespace: 'acme',
      },
    ],
    [
      'to have a route explained',
      'read',
      (token) => own.api('post', '/routing/explain', token).send({ tier: 'premium' }).expect(403).then(),
      {
        action: 'routing.explain',
        resource: 'tenant_routing',
      },
    ],
  ])('%s is in the log', async (_, scope, attempt, expected) => {
    await attempt(await own.adminOf(['mine'], { scope }));
    expect((await own.records()).at(-1)).toMatchObject({ ...expected, result: 'denied' });
  });

  it('is written before the store is closed', async () => {
    const { store } = own;
    const written: unknown[] = [];
    const append = store.log.append.bind(store.log);
    store.log.append = async (records) => {
      await append(records);
      written.push(...records);
    };
    await own.api('get', '/tenants', 'wrong').expect(401);
    await own.close();
    expect(written).toEqual([expect.objectContaining({ action: 'authentication', result: 'denied' })]);
    own = await ControlApp.start();
  });
});
