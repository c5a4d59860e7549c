import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AdminApp, SCIM_TOKEN } from './support/admin-app.js';
import { pushGroup, pushUser } from './support/directory.js';

const ANN = 'user:scim:default:ann';
const BACKEND = 'group:scim:default:backend';
const ENGINEERS = 'group:scim:default:engineers';

/** ann ∈ backend ⊂ engineers → billing#write, bob ∈ engineers, carl is inactive in engineers, dora is nowhere. */
async function arrange(): Promise<AdminApp> {
  const app = await AdminApp.start();
  for (const name of ['ann', 'bob', 'carl', 'dora']) {
    await pushUser(app, SCIM_TOKEN, name);
  }
  await pushGroup(app, SCIM_TOKEN, 'backend', [ANN]);
  await pushGroup(app, SCIM_TOKEN, 'engineers', [BACKEND, 'user:scim:default:bob', 'user:scim:default:carl']);
  await app
    .admin('post', '/bindings')
    .send({ bound_subject: ENGINEERS, namespace: 'billing', relation: 'write' })
    .expect(201);
  await app
    .admin('post', '/bindings')
    .send({ bound_subject: BACKEND, namespace: 'search', relation: 'admin' })
    .expect(201);
  const gone = { bound_subject: 'group:scim:default:gone', namespace: 'billing', relation: 'admin', pending: true };
  await app.admin('post', '/bindings').send(gone).expect(201);
  await app.admin('post', '/providers/default/users/carl/deactivate').expect(200);
  return app;
}

describe('/api/v1/access', () => {
  let app: AdminApp;

  beforeAll(async () => {
    app = await arrange();
  });

  afterAll(() => app.close());

  async function isAllowed(user: string, relation: string, namespace = 'billing'): Promise<boolean> {
    const path = `/access/check?provider=default&user=${user}&namespace=${namespace}&relation=${relation}`;
    const { body } = await app.admin('get', path).expect(200);
    return body.allowed;
  }

  it.each([
    ['ann', 'read', true],
    ['ann', 'write', true],
    ['ann', 'admin', false],
    ['bob', 'write', true],
    ['carl', 'read', false],
    ['dora', 'read', false],
    ['nobody', 'read', false],
    [ANN, 'write', true],
  ])('%s may %s: %s', async (user, relation, expected) => {
    await expect(isAllowed(user, relation)).resolves.toBe(expected);
  });

  it.each([
    ['ann', 'admin', 'weaker_relation'],
    ['dora', 'read', 'no_relation'],
    ['carl', 'read', 'inactive_user'],
    ['nobody', 'read', 'unknown_user'],
  ])('says why %s may not %s: %s', async (user, relation, reason) => {
    const path = `/access/check?provider=default&user=${user}&namespace=billing&relation=${relation}`;
    const { body } = await app.admin('get', path).expect(200);
    expect(body).toEqual({ allowed: false, explanation: [], reason });
  });

  it.each([
    ['ann', 'admin', 'weaker_relation'],
    ['carl', 'read', 'no_relation'],
    ['nobody', 'read', 'no_relation'],
  ])('tells admins of some namespaces of %s nothing but what is theirs to know', async (user, relation, reason) => {
    const path = `/access/check?provider=default&user=${user}&namespace=billing&relation=${relation}`;
    const { body } = await app.admin('get', path, await app.adminOf(['billing'])).expect(200);
    expect(body).toEqual({ allowed: false, explanation: [], reason });
  });

  it('explains by way of which groups and which binding', async () => {
    const { body } = await app.admin('get', `/access/check?user=${ANN}&namespace=billing`).expect(200);
    expect(body).toEqual({
      allowed: true,
      explanation: [
        {
          groups: [BACKEND, ENGINEERS],
          binding: {
            bound_subject: ENGINEERS,
            namespace: 'billing',
            relation: 'write',
            source: 'manual',
            approved_by: 'admin',
            created_at: expect.any(String),
          },
        },
      ],
    });
  });

  it('tells what a user may do', async () => {
    const { body } = await app.admin('get', `/access/users/${ANN}`).expect(200);
    const grants = body.grants.map((grant: { binding: Record<string, string> }) => [
      grant.binding['namespace'],
      grant.binding['relation'],
    ]);
    expect(grants).toEqual([
      ['billing', 'write'],
      ['search', 'admin'],
    ]);
  });

  it('tells an admin of some namespaces what a user may do there only', async () => {
    const token = await app.adminOf(['search']);
    const { body } = await app.admin('get', '/access/users/ann?provider=default', token).expect(200);
    expect(body.grants).toEqual([expect.objectContaining({ groups: [BACKEND] })]);
  });

  it('knows nothing of a user who cannot exist', async () => {
    await app.admin('get', '/access/users/a%00b?provider=default').expect(200, { grants: [] });
    await app.admin('get', '/access/users/ann?provider=nowhere').expect(200, { grants: [] });
  });

  it('tells who may do something, in pages', async () => {
    const path = '/access/namespaces/billing/users?relation=write&limit=1';
    const first = await app.admin('get', path).expect(200);
    expect(first.body.items).toEqual([{ id: ANN, user_name: 'ann', relation: 'write' }]);
    const second = await app.admin('get', `${path}&cursor=${first.body.next_cursor}`).expect(200);
    expect(second.body).toEqual({ items: [{ id: 'user:scim:default:bob', user_name: 'bob', relation: 'write' }] });
  });

  it.each([
    '/access/check?user=ann&namespace=billing',
    '/access/check?user=ann&provider=default&namespace=billing&relation=owner',
    '/access/check?user=a%00b&provider=default&namespace=billing',
    '/access/users/ann',
    `/access/users/${ENGINEERS}`,
    '/access/namespaces/billing/users?cursor=WyJhIl0',
    '/access/namespaces/BILLING/users',
  ])('rejects %s', async (path) => {
    await app.admin('get', path).expect(400);
  });
});

describe('/api/v1/providers/:provider deprovisioning', () => {
  let app: AdminApp;

  beforeAll(async () => {
    app = await arrange();
  });

  afterAll(() => app.close());

  it('deactivates a user, again and by either identifier', async () => {
    const summary = { id: 'user:scim:default:carl', external_id: 'carl', user_name: 'carl', active: false };
    await app.admin('post', '/providers/default/users/carl/deactivate').expect(200, summary);
    await app.admin('post', '/providers/default/users/user:scim:default:carl/deactivate').expect(200, summary);
  });

  it('fails for a user or a provider that does not exist', async () => {
    await app.admin('post', '/providers/default/users/nobody/deactivate').expect(404);
    await app.admin('post', '/providers/default/users/a%00b/deactivate').expect(404);
    await app.admin('post', '/providers/nowhere/users/carl/deactivate').expect(404);
    await app.admin('post', '/providers/nowhere/reconcile').expect(404);
  });

  it('reports memberships of inactive users, and removes them only when asked to', async () => {
    const user = { user_id: 'user:scim:default:carl', external_id: 'carl', user_name: 'carl', display: 'carl' };
    const group = { group_id: ENGINEERS, group_display: 'engineers', namespaces: ['billing'] };
    const report = { memberships: ['engineers:carl'], items: [{ ...user, ...group }] };
    await app.admin('post', '/providers/default/reconcile').expect(200, report);
    await app.admin('post', '/providers/default/reconcile').send({ apply: false }).expect(200, report);
    await app.admin('post', '/providers/default/reconcile').send({ apply: true }).expect(200, report);
    await app.admin('post', '/providers/default/reconcile').expect(200, { memberships: [], items: [] });
    expect(await app.records()).toContainEqual(
      expect.objectContaining({ action: 'membership.remove', userId: 'admin', resource: ENGINEERS }),
    );
  });

  it('refuses to guess what apply means', async () => {
    await app.admin('post', '/providers/default/reconcile').send({ apply: 'yes' }).expect(400);
    await app.admin('post', '/providers/default/reconcile').send({ apply: null }).expect(400);
  });
});

describe('/api/v1/relationships', () => {
  let app: AdminApp;

  beforeAll(async () => {
    app = await arrange();
    await pushUser(app, SCIM_TOKEN, 'é#@ x');
    await pushGroup(app, SCIM_TOKEN, 'odd', ['user:scim:default:é#@ x']);
  });

  afterAll(() => app.close());

  it('exports what gives access as one JSON object per line', async () => {
    const { text, headers } = await app.admin('get', '/relationships').buffer(true).expect(200);
    expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
    const tuples = text
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { tuple: string }).tuple);
    expect(tuples).toEqual([
      'namespace:billing#write@group:scim:default:engineers#member',
      'namespace:search#admin@group:scim:default:backend#member',
      'group:scim:default:engineers#member@group:scim:default:backend#member',
      'group:scim:default:backend#member@user:scim:default:ann',
      'group:scim:default:engineers#member@user:scim:default:bob',
      'group:scim:default:odd#member@user:scim:default:é#@ x',
    ]);
  });

  it('exports the same as one JSON array', async () => {
    const { body } = await app.admin('get', '/relationships?format=json').expect(200);
    expect(body).toHaveLength(6);
    expect(body[3]).toEqual({
      tuple: 'group:scim:default:backend#member@user:scim:default:ann',
      object: 'group:scim:default:backend',
      relation: 'member',
      subject: 'user:scim:default:ann',
    });
  });

  it('exports tuple keys that OpenFGA accepts', async () => {
    const { body } = await app.admin('get', '/relationships?format=openfga').expect(200);
    expect(body[0]).toEqual({
      user: 'group:scim|default|engineers#member',
      relation: 'write',
      object: 'namespace:billing',
    });
    for (const { user, object } of body) {
      expect(object).toMatch(/^[^:#\s]+:[^#:\s]+$/);
      expect(user).toMatch(/^[^:#\s]+:[^#:*\s]+(#[^:#*\s]+)?$/);
    }
  });

  it('exports relationships that SpiceDB accepts', async () => {
    const { text } = await app.admin('get', '/relationships?format=spicedb').expect(200);
    const lines = text.trimEnd().split('\n');
    expect(lines.at(-1)).toBe('group:scim|default|odd#member@user:scim|default|=C3=A9=23=40=20x');
    for (const line of lines) {
      expect(line).toMatch(/^[a-z]+:[\w/|=+-]+#[a-z]+@[a-z]+:[\w/|=+-]+(#member)?$/);
    }
  });

  it('exports nothing for a provider that does not exist', async () => {
    const { body } = await app.admin('get', '/relationships?format=json&provider=nowhere').expect(200);
    expect(body).toEqual([]);
  });

  it('rejects an unknown format', async () => {
    await app.admin('get', '/relationships?format=xml').expect(400);
    await app.admin('get', '/relationships?format=__proto__').expect(400);
  });
});
