import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ActionRecord } from '@palisade/domain';
import { actionOf } from './support/audit-samples.js';
import { ADMIN_TOKEN, ControlApp } from './support/control-app.js';

describe('/api/v1/audit', () => {
  let app: ControlApp;

  beforeAll(async () => {
    app = await ControlApp.start();
  });
  afterAll(() => app.close());

  function append(...records: readonly Partial<ActionRecord>[]): Promise<void> {
    return app.store.actions.append(records.map(actionOf));
  }

  it('tells of a change with who made it, in the names of document 2', async () => {
    await app.register('told', { namespace_pattern: 'told-*', pool: 'premium', isolation_level: 'session' });

    const { body } = await app.api('get', '/audit?tenant_id=told').expect(200);

    expect(body).toEqual({ items: [expect.anything()], next_after: body.items[0].sequence });
    expect(body.items[0]).toEqual({
      sequence: expect.any(Number),
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      tenant_id: 'told',
      user_id: 'admin',
      action: 'tenant.register',
      resource: 'tenant:told',
      result: 'success',
      detail: expect.objectContaining({ patterns: 'told-*', pool: 'premium' }),
      previous_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('is read on page by page, and again from its end', async () => {
    await append(...['a', 'b', 'c'].map((userId) => ({ tenantId: 'paged', userId })));

    const { body: first } = await app.api('get', '/audit?tenant_id=paged&limit=2').expect(200);
    const { body: second } = await app
      .api('get', `/audit?tenant_id=paged&limit=2&after=${first.next_after}`)
      .expect(200);
    const { body: third } = await app.api('get', `/audit?tenant_id=paged&after=${second.next_after}`).expect(200);

    const users = [...first.items, ...second.items].map(({ user_id }: { user_id: string }) => user_id);
    expect(users).toEqual(['a', 'b', 'c']);
    expect(third).toEqual({ items: [], next_after: second.next_after });
  });

  it('selects by tenant, namespace and action', async () => {
    await append(
      { tenantId: 'sel', namespace: 'sel-a' },
      { tenantId: 'sel', namespace: 'sel-b', action: 'tenant.move' },
    );
    const count = async (query: string): Promise<number> =>
      (await app.api('get', `/audit?tenant_id=sel&${query}`).expect(200)).body.items.length;

    expect([await count(''), await count('namespace=sel-a'), await count('action=tenant.move')]).toEqual([2, 1, 1]);
    expect(await count('namespace=sel-a&action=tenant.move')).toBe(0);
  });

  it('shows admins of some namespaces what concerns those, and nothing else', async () => {
    await append({ namespace: 'mine' }, { namespace: 'yours' }, { tenantId: 'mine' });
    const token = await app.adminOf(['mine'], { scope: 'read' });

    const { body } = await app.api('get', '/audit', token).expect(200);
    expect(body.items.map(({ namespace }: { namespace: string }) => namespace)).toEqual(['mine']);
    const other = await app.api('get', '/audit?namespace=yours', token).expect(200);
    expect(other.body.items).toEqual([]);
    const none = await app.api('get', '/audit', await app.adminOf([])).expect(200);
    expect(none.body.items).toEqual([]);
  });

  it.each([
    'limit=0',
    'limit=1001',
    'after=-1',
    'after=1.5',
    'after=9007199254740992',
    'tenant_id=',
    'tenant_id=a%00b',
    'tenant_id=a&tenant_id=b',
    `action=${'a'.repeat(101)}`,
    'tenantId=a',
    'nothing=1',
  ])('refuses the query %s', async (query) => {
    const { body } = await app.api('get', `/audit?${query}`).expect(400);
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('verifies the chain', async () => {
    await append({}, {});

    const { body } = await app.api('get', '/audit/verify').expect(200);

    const { head } = await app.store.actions.ends();
    expect(body).toEqual({ valid: true, records: head.sequence, first: 1, last: head.sequence });
  });

  it('lets only admins of everything verify the chain', async () => {
    await app.api('get', '/audit/verify', await app.adminOf(['*'], { scope: 'operate' })).expect(403);
    await app.api('get', '/audit/verify', await app.adminOf(['mine'])).expect(403);
    await app.api('get', '/audit/verify', await app.adminOf(['*'])).expect(200);
    await app.request('get', '/api/v1/audit/verify').expect(401);
  });

  it('records a flood of refused requests as few records', async () => {
    const before = (await app.actions()).length;
    await Promise.all(Array.from({ length: 300 }, () => app.api('get', '/audit', 'wrong-token-entirely').expect(401)));

    const records = (await app.actions()).slice(before);

    expect(records.filter(({ action }) => action === 'authentication').length).toBeLessThanOrEqual(2);
    expect(JSON.stringify(records)).not.toContain('wrong-token');
    expect(JSON.stringify(records)).not.toContain(ADMIN_TOKEN);
    await app.api('get', '/audit/verify').expect(200);
  });
});
