import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AdminApp, SCIM_TOKEN } from './support/admin-app.js';
import { pushGroup, pushUser } from './support/directory.js';

const GROUP = 'group:scim:default:engineers';
const KEY = `bound_subject=${GROUP}&namespace=billing&relation=write`;

describe('/api/v1/bindings', () => {
  let app: AdminApp;

  beforeAll(async () => {
    app = await AdminApp.start();
    await pushGroup(app, SCIM_TOKEN, 'engineers');
    await pushGroup(app, SCIM_TOKEN, 'sales');
  });

  afterAll(() => app.close());

  function bind(body: object, token?: string) {
    return app.admin('post', '/bindings', token).send(body);
  }

  it('binds a group once, and answers the same when it is done again', async () => {
    const first = await bind({ bound_subject: GROUP, namespace: 'once', relation: 'write' }).expect(201);
    expect(first.body).toEqual({
      bound_subject: GROUP,
      namespace: 'once',
      relation: 'write',
      source: 'manual',
      approved_by: 'admin',
      created_at: expect.any(String),
      state: 'active',
      display: 'engineers',
    });
    const second = await bind({ bound_subject: GROUP, namespace: 'once', relation: 'write' }).expect(200);
    expect(second.body).toEqual(first.body);
    const { body } = await app.admin('get', '/bindings?namespace=once').expect(200);
    expect(body.items).toEqual([first.body]);
  });

  it('accepts source_group for bound_subject, and defaults to read', async () => {
    const { body } = await bind({ source_group: GROUP, namespace: 'alias' }).expect(201);
    expect(body).toMatchObject({ bound_subject: GROUP, relation: 'read', source: 'manual' });
  });

  it('names the authenticated admin as approver', async () => {
    const token = await app.adminOf(['approved']);
    const { body } = await bind({ bound_subject: GROUP, namespace: 'approved' }, token).expect(201);
    expect(body.approved_by).toBe('ann@example.com');
  });

  it.each(['approvedBy', 'createdAt', 'actor'])('rejects a body that sets %s', async (field) => {
    await bind({ bound_subject: GROUP, namespace: 'forged', [field]: 'ceo@example.com' }).expect(400);
    const { body } = await app.admin('get', '/bindings?namespace=forged').expect(200);
    expect(body.items).toEqual([]);
  });

  it('ignores what only answers have, so that one can be sent back', async () => {
    const { body: first } = await bind({ bound_subject: GROUP, namespace: 'again' }).expect(201);
    const { body } = await bind({ ...first, approved_by: 'ceo@example.com', state: 'suspended' }).expect(200);
    expect(body).toEqual(first);
  });

  it('rejects a group that does not exist, unless it is pending', async () => {
    const unknown = { bound_subject: 'group:scim:default:later', namespace: 'pending' };
    const { body } = await bind(unknown).expect(400);
    expect(body.code).toBe('UNKNOWN_SUBJECT');
    const pending = await bind({ ...unknown, pending: true }).expect(201);
    expect(pending.body.state).toBe('dangling');
    await pushGroup(app, SCIM_TOKEN, 'later');
    const { body: list } = await app.admin('get', '/bindings?namespace=pending').expect(200);
    expect(list.items[0].state).toBe('active');
  });

  it('rejects the same key from another source', async () => {
    await bind({ bound_subject: GROUP, namespace: 'sourced' }).expect(201);
    const { body } = await bind({ bound_subject: GROUP, namespace: 'sourced', source: 'import' }).expect(409);
    expect(body.code).toBe('BINDING_CONFLICT');
  });

  it('removes a binding by its key', async () => {
    await bind({ bound_subject: GROUP, namespace: 'billing', relation: 'write' }).expect(201);
    await app.admin('delete', `/bindings?${KEY}`).expect(204);
    const { body } = await app.admin('delete', `/bindings?${KEY}`).expect(404);
    expect(body.code).toBe('BINDING_NOT_FOUND');
  });

  it('pages through bindings and filters them', async () => {
    for (const namespace of ['page-1', 'page-2', 'page-3']) {
      await bind({ bound_subject: 'group:scim:default:sales', namespace }).expect(201);
    }
    const path = '/bindings?bound_subject=group:scim:default:sales&limit=2';
    const first = await app.admin('get', path).expect(200);
    expect(first.body.items.map((item: { namespace: string }) => item.namespace)).toEqual(['page-1', 'page-2']);
    const second = await app.admin('get', `${path}&cursor=${first.body.next_cursor}`).expect(200);
    expect(second.body).toEqual({ items: [expect.objectContaining({ namespace: 'page-3' })] });
  });

  it.each([
    ['no subject', { namespace: 'x' }],
    ['two subjects', { bound_subject: GROUP, source_group: GROUP, namespace: 'x' }],
    ['a subject of null', { bound_subject: null, namespace: 'x' }],
    ['a relation of null', { bound_subject: GROUP, namespace: 'x', relation: null }],
    ['a source of null', { bound_subject: GROUP, namespace: 'x', source: null }],
    ['pending of null', { bound_subject: GROUP, namespace: 'x', pending: null }],
    ['no namespace', { bound_subject: GROUP }],
    ['a namespace in capitals', { bound_subject: GROUP, namespace: 'Billing' }],
    ['a namespace with a wildcard', { bound_subject: GROUP, namespace: '*' }],
    ['a user as subject', { bound_subject: 'user:scim:default:u', namespace: 'x', pending: true }],
    ['a malformed subject', { bound_subject: 'engineers', namespace: 'x', pending: true }],
    ['an unknown relation', { bound_subject: GROUP, namespace: 'x', relation: 'owner' }],
    ['an unknown source', { bound_subject: GROUP, namespace: 'x', source: 'scim' }],
    ['a subject that is an object', { bound_subject: { toString: GROUP }, namespace: 'x' }],
    ['pending as a text', { bound_subject: GROUP, namespace: 'x', pending: 'true' }],
  ])('rejects %s', async (_, body) => {
    await bind(body).expect(400);
  });

  it.each([
    '/bindings?namespace=UPPER',
    '/bindings?state=broken',
    '/bindings?cursor=bm8',
    '/bindings?unknown=1',
    '/bindings?bound_subject=x',
  ])('rejects %s', async (path) => {
    await app.admin('get', path).expect(400);
  });

  describe('for an admin of some namespaces', () => {
    let token: string;

    beforeAll(async () => {
      token = await app.adminOf(['mine', 'mine-too']);
      await bind({ bound_subject: GROUP, namespace: 'theirs' }).expect(201);
    });

    it('works within them', async () => {
      await bind({ bound_subject: GROUP, namespace: 'mine', relation: 'read' }, token).expect(201);
      await app.admin('get', '/bindings?namespace=mine', token).expect(200);
      await app.admin('delete', `/bindings?bound_subject=${GROUP}&namespace=mine&relation=read`, token).expect(204);
    });

    it('hides all other namespaces', async () => {
      await bind({ bound_subject: GROUP, namespace: 'mine-too' }, token).expect(201);
      const { body } = await app.admin('get', '/bindings', token).expect(200);
      expect(body.items.map((item: { namespace: string }) => item.namespace)).toEqual(['mine-too']);
    });

    it.each([
      ['get', '/bindings?namespace=theirs'],
      ['delete', `/bindings?bound_subject=${GROUP}&namespace=theirs&relation=read`],
      ['get', '/access/check?user=u&provider=default&namespace=theirs'],
      ['get', '/access/namespaces/theirs/users'],
    ] as const)('answers 404 to %s %s, as for a namespace that nobody uses', async (method, path) => {
      const theirs = await app.admin(method, path, token).expect(404);
      const nobodys = await app.admin(method, path.replace('theirs', 'nobodys'), token).expect(404);
      expect({ ...theirs.body, request_id: '' }).toEqual({
        ...nobodys.body,
        request_id: '',
        detail: nobodys.body.detail.replace('nobodys', 'theirs'),
      });
    });

    it('answers 404 to binding in another namespace, and binds nothing', async () => {
      await bind({ bound_subject: GROUP, namespace: 'theirs', relation: 'admin' }, token).expect(404);
      const { body } = await app.admin('get', '/bindings?namespace=theirs').expect(200);
      expect(body.items.map((item: { relation: string }) => item.relation)).toEqual(['read']);
    });

    it.each([['*x', 'mine*', 'theirs,mine'], ['MINE', ' theirs'], []])(
      'gains nothing from the namespaces claim %j',
      async (...namespaces) => {
        const odd = await app.adminOf(namespaces);
        await app.admin('get', '/bindings?namespace=theirs', odd).expect(404);
        await app.admin('get', '/providers', odd).expect(403);
      },
    );

    it.each([
      ['get', '/providers'],
      ['delete', '/providers/default'],
      ['post', '/providers/default/tokens'],
      ['post', '/providers/default/reconcile'],
      ['post', '/providers/default/users/u/deactivate'],
      ['get', '/relationships'],
    ] as const)('rejects %s %s, which is for admins of every namespace', async (method, path) => {
      await app.admin(method, path, token).expect(403);
    });

    it('records what was rejected', async () => {
      await bind({ bound_subject: GROUP, namespace: 'recorded' }, token).expect(404);
      await app.admin('post', '/providers/default/tokens', token).expect(403);
      const events = await app.records();
      expect(events).toContainEqual(
        expect.objectContaining({
          userId: 'ann@example.com',
          action: 'binding.add',
          namespace: 'recorded',
          result: 'denied',
        }),
      );
      expect(events).toContainEqual(
        expect.objectContaining({ userId: 'ann@example.com', action: 'authorization', result: 'denied' }),
      );
    });

    it('shows only what concerns them in the log', async () => {
      await bind({ bound_subject: GROUP, namespace: 'mine' }, token).expect(201);
      const { body } = await app.admin('get', '/log?limit=1000', token).expect(200);
      const namespaces = new Set(body.items.map((item: { namespace?: string }) => item.namespace));
      expect([...namespaces].toSorted()).toEqual(['mine', 'mine-too']);
    });
  });

  it('lets an admin of some namespaces bind groups of the only provider, or of those that their token lists', async () => {
    const ours = { bound_subject: GROUP, namespace: 'limited' };
    await bind(ours, await app.adminOf(['limited'])).expect(201);
    await pushGroup(app, await app.createProvider('others'), 'known');
    const answer = async (group: string) => {
      const token = await app.adminOf(['limited'], { providers: ['default'] });
      const { status, body } = await bind({ bound_subject: `group:scim:others:${group}`, namespace: 'limited' }, token);
      return { status, body: { ...body, request_id: '' } };
    };

    expect(await answer('known')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(await answer('known')).toEqual(await answer('unknown'));
    await bind(ours, await app.adminOf(['limited'])).expect(403);
    await bind(ours, await app.adminOf(['limited'], { providers: ['default'] })).expect(200);
    await bind(
      { ...ours, bound_subject: 'group:scim:others:known' },
      await app.adminOf(['limited'], { providers: '*' }),
    ).expect(201);
    await app.admin('delete', '/providers/others').expect(204);
  });

  it('is not touched by provisioning', async () => {
    await pushGroup(app, SCIM_TOKEN, 'short-lived');
    const subject = 'group:scim:default:short-lived';
    await bind({ bound_subject: subject, namespace: 'kept' }).expect(201);
    await app.scim('delete', '/Groups/short-lived').expect(204);
    const dangling = await app.admin('get', '/bindings?namespace=kept&state=dangling').expect(200);
    expect(dangling.body.items).toHaveLength(1);
    await pushUser(app, SCIM_TOKEN, 'somebody');
    await pushGroup(app, SCIM_TOKEN, 'short-lived');
    const active = await app.admin('get', '/bindings?namespace=kept&state=active').expect(200);
    expect(active.body.items).toHaveLength(1);
  });
});
