import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ControlApp } from './support/control-app.js';

const SINGLE = `
deployment: { model: single_tenant, tenant_id: acme }
proxy: { replicas: 3, isolation_level: none }
cluster: { mode: dedicated }
`;

let app: ControlApp;
beforeAll(async () => {
  app = await ControlApp.start({ yaml: SINGLE });
});
afterAll(() => app.close());

describe('an installation for a single tenant', () => {
  it('answers for its tenant', async () => {
    const { body } = await app.api('get', '/tenants/acme').expect(200);
    expect(body).toEqual({
      tenant_id: 'acme',
      namespace_patterns: ['*'],
      source: 'configuration',
      routing: {
        tenancy_model: 'single_tenant',
        deployment: 'single_tenant',
        pool: 'dedicated',
        pools: ['dedicated'],
        isolation_level: 'none',
        connection_pools: {},
        resource_limits: {},
        matched: { by: 'deployment' },
        healthy_proxies: [],
      },
      settings: [
        { name: 'deployment', value: 'single_tenant', from: 'deployment.model' },
        { name: 'pool', value: 'dedicated', from: 'deployment.model' },
        { name: 'isolation_level', value: 'none', from: 'proxy_pools.dedicated' },
      ],
    });
  });

  it('lists it', async () => {
    expect((await app.api('get', '/tenants').expect(200)).body.items).toHaveLength(1);
    expect((await app.api('get', '/tenants?pool=other').expect(200)).body.items).toEqual([]);
    expect((await app.api('get', '/tenants', await app.adminOf(['acme'])).expect(200)).body.items).toEqual([]);
  });

  it('knows no other', async () => {
    await app.api('get', '/tenants/globex').expect(404);
  });

  it.each([
    ['post', '/tenants', { tenant_id: 'globex', namespace_pattern: 'globex', pool: 'dedicated' }],
    ['put', '/tenants/acme', { namespace_pattern: 'acme' }],
    ['delete', '/tenants/acme', undefined],
  ] as const)('refuses to %s %s', async (method, path, body) => {
    expect((await app.api(method, path).send(body).expect(409)).body.code).toBe('SINGLE_TENANT');
  });

  it('sends every namespace to its pool, and says why', async () => {
    const { body } = await app.api('get', '/routing/resolve?namespace=anything').expect(200);
    expect(body).toMatchObject({ tenant_id: 'acme', pool: 'dedicated', matched: { by: 'deployment' } });
    const explained = await app.api('post', '/routing/explain').send({ namespace: 'anything' }).expect(200);
    expect(explained.body.summary).toBe(
      'Namespace "anything" goes to the pool "dedicated" (single_tenant) at isolation level none. ' +
        'Chosen by deployment.model: the installation serves a single tenant, which has all namespaces.',
    );
  });

  it('counts its tenant', async () => {
    expect((await app.api('get', '/pools/dedicated').expect(200)).body).toMatchObject({ replicas: 3, tenants: 1 });
  });
});
