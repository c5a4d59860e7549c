import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_TOKEN, ControlApp } from './support/control-app.js';

/** Everything that answers without credentials. */
const PUBLIC_ROUTES = ['get /health/live', 'get /health/ready', 'get /metrics'];

describe('control plane', () => {
  let app: ControlApp;
  beforeAll(async () => {
    app = await ControlApp.start();
  });
  afterAll(() => app.close());

  it.each(['/health/live', '/health/ready', '/metrics', '/docs', '/docs-json'])(
    'opens %s to everybody',
    async (path) => {
      await app.request('get', path).redirects(1).expect(200);
    },
  );

  it('needs a credential for every route but the public ones', async () => {
    const open = new Set<string>();
    const routes = app.routes().filter(([, path]) => !path.startsWith('/docs'));
    for (const [method, path] of routes) {
      const { status } = await app.request(method, path);
      if (status !== 401) {
        open.add(`${method} ${path}`);
      }
    }
    expect(routes.length).toBeGreaterThan(10);
    expect([...open].toSorted()).toEqual(PUBLIC_ROUTES);
  });

  it.each(['/METRICS', '/Health/live', '/Docs', '/API/v1/tenants'])('has no route %s: case counts', async (path) => {
    await app.request('get', path, ADMIN_TOKEN).expect(404);
  });

  it('answers a URL beyond the limit with 431 as problem details', async () => {
    const response = await app.request('get', `/api/v1/tenants?cursor=${'x'.repeat(20_000)}`, ADMIN_TOKEN).expect(431);
    expect(response.headers['content-type']).toBe('application/problem+json');
    expect(response.body).toMatchObject({ status: 431, code: 'HEADERS_TOO_LARGE' });
  });

  it('answers an unknown path with 404 as problem details', async () => {
    const { body } = await app
      .api('get', '/nothing')
      .expect(404)
      .expect('Content-Type', /^application\/problem\+json/);
    expect(body).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('challenges a caller without a token', async () => {
    await app.request('get', '/api/v1/tenants').expect(401).expect('WWW-Authenticate', 'Bearer realm="palisade"');
  });

  it('rejects another token', async () => {
    const { body } = await app.api('get', '/tenants', 'another-token-entirely').expect(401);
    expect(body).toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('rejects two Authorization headers, even when both are right', async () => {
    const { status } = await app
      .request('get', '/api/v1/tenants')
      .set('Authorization', [`Bearer ${ADMIN_TOKEN}`, `Bearer ${ADMIN_TOKEN}`] as unknown as string);
    expect(status).toBe(401);
  });

  it('ignores tokens in the query', async () => {
    await app.request('get', `/api/v1/tenants?access_token=${ADMIN_TOKEN}`).expect(401);
  });
});
