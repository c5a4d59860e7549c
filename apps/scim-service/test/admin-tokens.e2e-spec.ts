import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AdminApp } from './support/admin-app.js';

const HOUR_MS = 3_600_000;

describe('/api/v1/providers/:provider/tokens', () => {
  let app: AdminApp;

  beforeAll(async () => {
    app = await AdminApp.start();
    await app.admin('post', '/providers').send({ id: 'acme' }).expect(201);
    await app.admin('post', '/providers').send({ id: 'globex' }).expect(201);
  });

  afterAll(() => app.close());

  function issue(body: object = {}) {
    return app.admin('post', '/providers/acme/tokens').send(body);
  }

  it('shows the secret once, and never the digest', async () => {
    const { body, headers } = await issue({ description: 'production' }).expect(201);
    expect(body).toMatchObject({ kind: 'bearer', description: 'production', state: 'active' });
    expect(body.secret).toMatch(/^pls_[\w-]{43}$/);
    expect(headers['cache-control']).toBe('no-store');
    const { text, body: list } = await app.admin('get', '/providers/acme/tokens').expect(200);
    expect(list.items).toContainEqual(expect.objectContaining({ id: body.id, hint: body.secret.slice(-4) }));
    expect(text).not.toContain(body.secret);
    expect(text).not.toContain('digest');
  });

  it('writes no secret into its output or the log', async () => {
    const { body } = await issue().expect(201);
    await app.scim('get', '/Users', body.secret).expect(200);
    await app.scim('get', '/Users', `${body.secret}x`).expect(401);
    expect(app.log.join('')).not.toContain(body.secret);
    expect(JSON.stringify(await app.records())).not.toContain(body.secret);
  });

  it('gives the provider that it was issued for, and no other', async () => {
    const { body: acme } = await issue().expect(201);
    const { body: globex } = await app.admin('post', '/providers/globex/tokens').send({}).expect(201);
    const user = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: 'ann', externalId: 'only-acme' };
    await app.scim('post', '/Users', acme.secret).send(JSON.stringify(user)).expect(201);
    await app.scim('get', '/Users/only-acme', acme.secret).expect(200);
    await app.scim('get', '/Users/only-acme', globex.secret).expect(404);
    await app.scim('get', '/Users/user:scim:acme:only-acme', globex.secret).expect(404);
  });

  it('ends a revoked token with the next request', async () => {
    const { body } = await issue().expect(201);
    await app.scim('get', '/Users', body.secret).expect(200);
    await app.admin('delete', `/providers/acme/tokens/${body.id}`).expect(204);
    const { headers } = await app.scim('get', '/Users', body.secret).expect(401);
    expect(headers['www-authenticate']).toContain('error="invalid_token"');
    await app.admin('delete', `/providers/acme/tokens/${body.id}`).expect(204);
  });

  it('does not revoke through another provider', async () => {
    const { body } = await issue().expect(201);
    const { body: problem } = await app.admin('delete', `/providers/globex/tokens/${body.id}`).expect(404);
    expect(problem.code).toBe('TOKEN_NOT_FOUND');
    await app.scim('get', '/Users', body.secret).expect(200);
  });

  it('rotates without downtime', async () => {
    const { body: old } = await issue({ description: 'rotated' }).expect(201);
    const { body: next } = await app.admin('post', `/providers/acme/tokens/${old.id}/rotate`).expect(201);
    await app.scim('get', '/Users', old.secret).expect(200);
    await app.scim('get', '/Users', next.secret).expect(200);
    expect(next).toMatchObject({ description: 'rotated', kind: 'bearer' });
    const { body: list } = await app.admin('get', '/providers/acme/tokens').expect(200);
    const { expires_at: end } = list.items.find(({ id }: { id: string }) => id === old.id);
    expect(Math.abs(Date.parse(end) - Date.now() - HOUR_MS)).toBeLessThan(10_000);
  });

  it('ends the old token at once when there is to be no overlap', async () => {
    const { body: old } = await issue().expect(201);
    await app.scim('get', '/Users', old.secret).expect(200);
    await app.admin('post', `/providers/acme/tokens/${old.id}/rotate`).send({ overlap_seconds: 0 }).expect(201);
    await app.scim('get', '/Users', old.secret).expect(401);
    const { body } = await app.admin('post', `/providers/acme/tokens/${old.id}/rotate`).expect(409);
    expect(body.code).toBe('TOKEN_ENDED');
  });

  it('gives the successor the lifetime that the old token had', async () => {
    const { body: old } = await issue({ expires_at: new Date(Date.now() + HOUR_MS).toISOString() }).expect(201);
    const { body: next } = await app.admin('post', `/providers/acme/tokens/${old.id}/rotate`).expect(201);
    expect(Math.abs(Date.parse(next.expires_at) - Date.now() - HOUR_MS)).toBeLessThan(10_000);
  });

  it('notes when a token was used', async () => {
    const { body } = await issue().expect(201);
    await app.scim('get', '/Users', body.secret).expect(200);
    const { body: list } = await app.admin('get', '/providers/acme/tokens').expect(200);
    const used = list.items.find(({ id }: { id: string }) => id === body.id);
    expect(Date.now() - Date.parse(used.last_used_at)).toBeLessThan(10_000);
  });

  it.each([
    ['an end in the past', { expires_at: '2020-01-01T00:00:00Z' }],
    ['an end without a zone', { expires_at: '2099-01-01T00:00:00' }],
    ['an end that is no date', { expires_at: 'tomorrow' }],
    ['a digest of the own choice', { digest: 'a'.repeat(64) }],
    ['a secret of the own choice', { secret: 'my-own-secret' }],
    ['an unknown kind', { kind: 'root' }],
    ['a kind of null', { kind: null }],
    ['an end of null', { expires_at: null }],
    ['a description of null', { description: null }],
    ['a description of 201 characters', { description: 'd'.repeat(201) }],
  ])('rejects %s', async (_, body) => {
    await issue(body).expect(400);
  });

  it.each([-1, 2_592_001, 1.5, '60', null])('rejects an overlap of %j seconds', async (seconds) => {
    const { body } = await issue().expect(201);
    const path = `/providers/acme/tokens/${body.id}/rotate`;
    await app.admin('post', path).send({ overlap_seconds: seconds }).expect(400);
  });

  it.each(['get', 'post'] as const)('answers 404 to %s for an unknown provider', async (method) => {
    await app.admin(method, '/providers/nobody/tokens').expect(404);
  });

  it.each(['made-up', 'a%00b', '01a1f74e-735b-76b2-bff3-5ad908728e99'])('finds no token %s', async (id) => {
    await app.admin('post', `/providers/acme/tokens/${id}/rotate`).expect(404);
    await app.admin('delete', `/providers/acme/tokens/${id}`).expect(404);
  });
});
