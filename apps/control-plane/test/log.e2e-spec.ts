import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LogRecord } from '@palisade/domain';
import { append as appendAndSeal, recordOf } from './support/log-samples.js';
import { ADMIN_TOKEN, ControlApp } from './support/control-app.js';

describe('/api/v1/log', () => {
  let app: ControlApp;

  beforeAll(async () => {
    app = await ControlApp.start();
  });
  afterAll(() => app.close());

  function append(...records: readonly Partial<LogRecord>[]): Promise<void> {
    return appendAndSeal(app.store.log, records.map(recordOf));
  }

  it('tells of a change with who made it, in the names of document 2', async () => {
    await app.register('told', { namespace_pattern: 'told-*', pool: 'premium', isolation_level: 'session' });

    await app.records();
    const { body } = await app.api('get', '/log?tenant_id=told').expect(200);

    expect(body).toEqual({ items: [expect.anything()], next_after: body.items[0].position });
    expect(body.items[0]).toEqual({
      position: expect.any(Number),
      scope: 'control_plane',
      request_id: expect.any(String),
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      tenant_id: 'told',
      user_id: 'admin',
      action: 'tenant.register',
      resource: 'tenant:told',
      result: 'success',
      detail: expect.objectContaining({ patterns: 'told-*', pool: 'premium' }),
      previous_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      seal: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it.each(['asc', 'desc'])('has every record of a long page once, in order: %s', async (order) => {
    const tenantId = `long-${order}`;
    await append(...Array.from({ length: 450 }, (_, n) => ({ tenantId, userId: `u${n}` })));
    const { body } = await app.api('get', `/log?tenant_id=${tenantId}&order=${order}&limit=420`).expect(200);
    const users = Array.from({ length: 420 }, (_, n) => `u${order === 'asc' ? n : 449 - n}`);
    expect(body.items.map(({ user_id }: { user_id: string }) => user_id)).toEqual(users);
  });

  it('is read on page by page, and again from its end', async () => {
    await append(...['a', 'b', 'c'].map((userId) => ({ tenantId: 'paged', userId })));

    const { body: first } = await app.api('get', '/log?tenant_id=paged&limit=2').expect(200);
    const { body: second } = await app.api('get', `/log?tenant_id=paged&limit=2&after=${first.next_after}`).expect(200);
    const { body: third } = await app.api('get', `/log?tenant_id=paged&after=${second.next_after}`).expect(200);

    const users = [...first.items, ...second.items].map(({ user_id }: { user_id: string }) => user_id);
    expect(users).toEqual(['a', 'b', 'c']);
    expect(third).toEqual({ items: [], next_after: second.next_after });
  });

  it('is read backward, from its end and from a position', async () => {
    await append(...['a', 'b', 'c'].map((userId) => ({ tenantId: 'backward', userId })));
    const read = async (query: string) =>
      (await app.api('get', `/log?tenant_id=backward&order=desc&limit=2${query}`).expect(200)).body;

    const latest = await read('');
    const older = await read(`&before=${latest.next_before}`);

    const users = [...latest.items, ...older.items].map(({ user_id }: { user_id: string }) => user_id);
    expect(users).toEqual(['c', 'b', 'a']);
    expect(latest).not.toHaveProperty('next_after');
  });

  it('selects by tenant, namespace, actor, time and action', async () => {
    await append(
      { tenantId: 'sel', namespace: 'sel-a' },
      {
        tenantId: 'sel',
        namespace: 'sel-b',
        action: 'tenant.move',
        userId: 'bob',
        timestamp: new Date('2026-11-21T00:00:00Z'),
      },
    );
    const count = async (query: string): Promise<number> =>
      (await app.api('get', `/log?tenant_id=sel&${query}`).expect(200)).body.items.length;

    expect([await count(''), await count('namespace=sel-a'), await count('action=tenant.move')]).toEqual([2, 1, 1]);
    expect(await count('namespace=sel-a&action=tenant.move')).toBe(0);
    expect([
      await count('user_id=bob'),
      await count('since=2026-11-20T12:00:00Z'),
      await count('until=2026-11-20T12:00:00Z'),
    ]).toEqual([1, 1, 1]);
  });

  it('shows admins of some namespaces what concerns those, and nothing else', async () => {
    await append({ namespace: 'mine' }, { namespace: 'yours' }, { tenantId: 'mine' });
    const token = await app.adminOf(['mine'], { scope: 'read' });

    const { body } = await app.api('get', '/log', token).expect(200);
    expect(body.items.map(({ namespace }: { namespace: string }) => namespace)).toEqual(['mine']);
    const other = await app.api('get', '/log?namespace=yours', token).expect(200);
    expect(other.body.items).toEqual([]);
    const none = await app.api('get', '/log', await app.adminOf([])).expect(200);
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
    'order=up',
    'before=0',
    'since=yesterday',
  ])('rejects the query %s', async (query) => {
    const { body } = await app.api('get', `/log?${query}`).expect(400);
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('verifies the log', async () => {
    await append({}, {});

    const { body } = await app.api('get', '/log/verify').expect(200);

    expect(body).toEqual({ valid: true, records: expect.any(Number), first: 1, last: body.records });
  });

  it('lets only admins of everything verify the log', async () => {
    await app.api('get', '/log/verify', await app.adminOf(['*'], { scope: 'operate' })).expect(403);
    await app.api('get', '/log/verify', await app.adminOf(['mine'])).expect(403);
    await app.api('get', '/log/verify', await app.adminOf(['*'])).expect(200);
    await app.request('get', '/api/v1/log/verify').expect(401);
  });

  it('records a flood of rejected requests as few records', async () => {
    const before = (await app.records()).length;
    await Promise.all(Array.from({ length: 300 }, () => app.api('get', '/log', 'wrong-token-entirely').expect(401)));

    const records = (await app.records()).slice(before);

    expect(records.filter(({ action }) => action === 'authentication').length).toBeLessThanOrEqual(2);
    expect(JSON.stringify(records)).not.toContain('wrong-token');
    expect(JSON.stringify(records)).not.toContain(ADMIN_TOKEN);
    await app.api('get', '/log/verify').expect(200);
  });

  it('is followed: answers as soon as there is something new', async () => {
    const { body: end } = await app.api('get', '/log?limit=1000').expect(200);
    const following = app.api('get', `/log/follow?after=${end.next_after}&tenant_id=followed`).expect(200).then();
    await append({ tenantId: 'other' });

    await app.register('followed', { namespace_pattern: 'followed-*', pool: 'premium' });

    const { body } = await following;
    expect(body.items).toEqual([expect.objectContaining({ action: 'tenant.register', tenant_id: 'followed' })]);
    expect(body.next_after).toBeGreaterThanOrEqual(body.items[0].position);
    const { text: metrics } = await app.request('get', '/metrics').expect(200);
    expect(metrics).toContain('route="/api/v1/log"');
    expect(metrics).not.toContain('route="/api/v1/log/follow"');
  });

  it('is sealed by the service itself, within a second', async () => {
    await app.register('sealed', { namespace_pattern: 'sealed-*', pool: 'premium' });

    const { body } = await app.api('get', '/log/follow?tenant_id=sealed').expect(200);

    expect(body.items).toHaveLength(1);
  });

  it('has a seal that shows later that nothing is missing', async () => {
    await append({});
    const { body: seal } = await app.api('get', '/log/seal').expect(200);
    await append({}, {});

    expect(seal).toMatchObject({ position: expect.any(Number), key: { kty: 'EC', use: 'sig' } });
    expect(seal.key).not.toHaveProperty('d');
    const { body } = await app.api('get', `/log/verify?kept=${seal.signature}`).expect(200);
    expect(body).toMatchObject({ valid: true });
    const [header, payload] = seal.signature.split('.');
    const forged = await app.api('get', `/log/verify?kept=${header}.${payload}.${'a'.repeat(86)}`).expect(200);
    expect(forged.body).toMatchObject({ valid: false, reason: 'signature' });
    await app.api('get', '/log/seal', await app.adminOf(['mine'])).expect(403);
  });

  it('has the attempts of one admin, however many namespaces another asks for', async () => {
    const [eve = '', bob = ''] = await Promise.all(
      ['eve@example.com', 'bob@example.com'].map((email) => app.adminOf(['mine'], { scope: 'read', email })),
    );
    for (let n = 0; n < 1100; n += 1) {
      await app.api('get', `/routing/resolve?namespace=guess-${n}`, eve).expect(404);
    }
    await app.api('get', '/routing/resolve?namespace=payroll', bob).expect(404);

    const records = await app.records();

    expect(records).toContainEqual(
      expect.objectContaining({ userId: 'bob@example.com', resource: 'namespace:payroll', result: 'denied' }),
    );
    expect(records.filter(({ userId }) => userId === 'eve@example.com')).toHaveLength(30);
    expect(records.filter(({ resource }) => resource === 'various')).toEqual([]);
  });
});
