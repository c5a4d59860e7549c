import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  DEFAULT_PROVIDER_SETTINGS,
  formatResourceId,
  parseNamespaceId,
  parsePoolName,
  parseProviderId,
  type GroupId,
  type Relation,
  type UserId,
} from '@palisade/domain';
import { draftOf } from '../../../libs/storage/test/support/drafts.js';
import { ControlApp } from './support/control-app.js';

const PROVIDER = parseProviderId('okta');
const CHANGE = { actor: 'test', at: new Date(Date.UTC(2026, 10, 20)) };
const STANDARD = parsePoolName('standard');
const ADA = formatResourceId('User', PROVIDER, 'ada');
const BOB = formatResourceId('User', PROVIDER, 'bob');
const EVE = formatResourceId('User', PROVIDER, 'eve');
const BACKEND = formatResourceId('Group', PROVIDER, 'backend');
const ENG = formatResourceId('Group', PROVIDER, 'eng');

let app: ControlApp;

beforeAll(async () => {
  app = await ControlApp.start();
  const { directory, providers } = app.store;
  await providers.create(PROVIDER, { settings: DEFAULT_PROVIDER_SETTINGS }, CHANGE);
  for (const name of ['ada', 'bob', 'eve']) {
    const draft = draftOf('User', { externalId: name, userName: `${name}@example.com`, active: name !== 'eve' });
    await directory.create(PROVIDER, 'User', formatResourceId('User', PROVIDER, name), draft, CHANGE);
  }
  await createGroup('backend', [ADA, EVE]);
  await createGroup('eng', [BACKEND, BOB]);
  await bind('acme-orders', ENG, 'write');
  await bind('acme-orders', BACKEND, 'admin');
  await bind('acme-bills', BACKEND, 'admin');
  await bind('lost', ENG, 'read');
  await app.register('acme', { namespace_patterns: ['acme-orders', 'acme-bills', 'acme-x-*'], pool: 'standard' });
});

afterAll(() => app.close());

describe('GET /access/route', () => {
  it('says why, and what serves it', async () => {
    await app.addProxy('proxy-1', STANDARD);
    await app.addProxy('proxy-2', STANDARD, 'unhealthy');
    await app.addProxy('proxy-3', STANDARD, 'healthy', true);
    const { body } = await route(ADA, 'acme-orders', 'write').expect(200);
    expect(body).toMatchObject({
      allowed: true,
      because: [
        {
          user: ADA,
          groups: [BACKEND],
          binding: { namespace: 'acme-orders', bound_subject: BACKEND, relation: 'admin' },
        },
        {
          user: ADA,
          groups: [BACKEND, ENG],
          binding: { namespace: 'acme-orders', bound_subject: ENG, relation: 'write', approved_by: 'ann@example.com' },
        },
      ],
      route: {
        tenant_id: 'acme',
        pool: 'standard',
        isolation_level: 'namespace',
        healthy_proxies: [{ id: 'proxy-1', pool: 'standard', host: 'proxy-1.internal', port: 8080 }],
      },
    });
    expect(body).not.toHaveProperty('reason');
  });

  it.each([
    ['a relation that the user does not have', BOB, 'acme-orders', 'admin', false, 'weaker_relation'],
    ['a user who has nothing there', BOB, 'acme-bills', 'read', false, 'no_relation'],
    ['an inactive user', EVE, 'acme-orders', 'read', false, 'inactive_user'],
    ['an unknown user', 'user:scim:okta:nobody', 'acme-orders', 'read', false, 'unknown_user'],
    ['an unknown provider', 'user:scim:nowhere:ada', 'acme-orders', 'read', false, 'unknown_user'],
    ['a namespace that goes nowhere', BOB, 'lost', 'read', false, 'no_route'],
  ])('says what is missing for %s', async (_, user, namespace, relation, allowed, reason) => {
    const { body } = await route(user, namespace, relation).expect(200);
    expect([body.allowed, body.reason]).toEqual([allowed, reason]);
  });

  it.each([EVE, 'user:scim:okta:nobody'])(
    'does not tell admins of some namespaces whether there is %s',
    async (user) => {
      const { body } = await route(user, 'acme-orders', 'read', await app.adminOf(['acme-orders'])).expect(200);
      expect([body.allowed, body.reason]).toEqual([false, 'no_relation']);
    },
  );

  it('says that nobody serves it, though the user may', async () => {
    await bind('idle', ENG, 'read');
    await app.register('idle', { namespace_pattern: 'idle', pool: 'premium' });
    const { body } = await route(BOB, 'idle').expect(200);
    expect([body.allowed, body.reason, body.route.healthy_proxies]).toEqual([true, 'no_healthy_proxy', []]);
  });

  it('does not exist for namespaces that the caller does not administer, and the attempt is recorded', async () => {
    const token = await app.adminOf(['acme-bills']);
    const { body } = await route(ADA, 'acme-orders', 'read', token).expect(404);
    expect(body.code).toBe('NAMESPACE_NOT_FOUND');
    expect(await app.records()).toContainEqual(
      expect.objectContaining({ action: 'access.route', result: 'denied', namespace: 'acme-orders' }),
    );
    await route(ADA, 'acme-bills', 'read', token).expect(200);
  });

  it.each([
    ['user=ada&namespace=acme-orders', 'INVALID_REQUEST'],
    ['user=group:scim:okta:eng&namespace=acme-orders', 'INVALID_REQUEST'],
    ['user=user:scim:okta:ada&namespace=Acme%2F..', 'INVALID_IDENTIFIER'],
    ['user=user:scim:okta:ada&namespace=acme-orders&relation=owner', 'VALIDATION_FAILED'],
    ['user=user:scim:okta:ada&user=user:scim:okta:bob&namespace=acme-orders', 'VALIDATION_FAILED'],
    ['namespace=acme-orders', 'VALIDATION_FAILED'],
  ])('rejects %s', async (query, code) => {
    const { body } = await app.api('get', `/access/route?${query}`).expect(400);
    expect(body.code).toBe(code);
  });
});

describe('GET /access/namespaces', () => {
  const namespaces = async (query: string, token?: string) =>
    (await app.api('get', `/access/namespaces?${query}`, token).expect(200)).body;

  it('has the strongest relation and the pool of each, in order of name', async () => {
    const { items } = await namespaces(`user=${ADA}`);
    expect(items.slice(0, 2)).toEqual([
      { namespace: 'acme-bills', relation: 'admin', tenant_id: 'acme', pool: 'standard', isolation_level: 'namespace' },
      {
        namespace: 'acme-orders',
        relation: 'admin',
        tenant_id: 'acme',
        pool: 'standard',
        isolation_level: 'namespace',
      },
    ]);
    expect(items.at(-1)).toEqual({ namespace: 'lost', relation: 'read' });
  });

  it('has pages', async () => {
    const first = await namespaces(`user=${ADA}&limit=1`);
    const second = await namespaces(`user=${ADA}&limit=1&cursor=${first.next_cursor}`);
    expect([first, second].flatMap(({ items }) => items.map((item: { namespace: string }) => item.namespace))).toEqual([
      'acme-bills',
      'acme-orders',
    ]);
  });

  it('has none of an inactive user, and only those that the caller administers', async () => {
    expect(await namespaces(`user=${EVE}`)).toEqual({ items: [] });
    const { items } = await namespaces(`user=${ADA}`, await app.adminOf(['acme-bills', 'other']));
    expect(items).toMatchObject([{ namespace: 'acme-bills', pool: 'standard' }]);
    // The tenant has more namespaces, so it is hidden from this admin.
    expect(items[0]).not.toHaveProperty('tenant_id');
  });
});

describe('GET /tenants/{tenant_id}/admins', () => {
  const admins = (query = '', token?: string) => app.api('get', `/tenants/acme/admins${query}`, token);

  it('has active users with the relation admin, by namespace', async () => {
    const { body } = await admins().expect(200);
    expect(body).toEqual({
      items: [
        { namespace: 'acme-bills', user: ADA, user_name: 'ada@example.com' },
        { namespace: 'acme-orders', user: ADA, user_name: 'ada@example.com' },
      ],
    });
  });

  it('has pages', async () => {
    const { body: first } = await admins('?limit=1').expect(200);
    const { body: second } = await admins(`?limit=1&cursor=${first.next_cursor}`).expect(200);
    expect([first.items, second]).toMatchObject([
      [{ namespace: 'acme-bills' }],
      { items: [{ namespace: 'acme-orders' }] },
    ]);
    expect(second).not.toHaveProperty('next_cursor');
  });

  it('ends a page early where many namespaces have no admin', async () => {
    const names = Array.from({ length: 101 }, (_, at) => `many-${String(at).padStart(3, '0')}`);
    await app.register('many', { namespace_patterns: names, pool: 'standard' });
    await bind('many-100', BACKEND, 'admin');
    const { body: first } = await app.api('get', '/tenants/many/admins').expect(200);
    expect(first.items).toEqual([]);
    const { body: second } = await app.api('get', `/tenants/many/admins?cursor=${first.next_cursor}`).expect(200);
    expect(second).toEqual({ items: [{ namespace: 'many-100', user: ADA, user_name: 'ada@example.com' }] });
  });

  it('does not exist for admins of some of its namespaces', async () => {
    await admins('', await app.adminOf(['acme-orders', 'acme-bills'])).expect(404);
    await app.api('get', '/tenants/nobody/admins').expect(404);
  });

  it('rejects a cursor that is none', async () => {
    await admins('?cursor=x').expect(400);
    await admins(`?cursor=${Buffer.from('["acme-bills","ada"]').toString('base64url')}`).expect(400);
  });
});

function route(user: string, namespace: string, relation: string = 'read', token?: string) {
  return app.api('get', `/access/route?user=${user}&namespace=${namespace}&relation=${relation}`, token);
}

async function createGroup(name: string, members: readonly (UserId | GroupId)[]): Promise<void> {
  const draft = draftOf('Group', { externalId: name, displayName: name });
  const id = formatResourceId('Group', PROVIDER, name);
  await app.store.directory.create(PROVIDER, 'Group', id, draft, CHANGE, { members });
}

async function bind(namespace: string, boundSubject: GroupId, relation: Relation): Promise<void> {
  const binding = { namespace: parseNamespaceId(namespace), boundSubject, relation };
  await app.store.bindings.add({ ...binding, source: 'manual', approvedBy: 'ann@example.com' }, CHANGE);
}
