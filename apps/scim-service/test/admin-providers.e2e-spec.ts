import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AdminApp } from './support/admin-app.js';

const BADGE = {
  resource_type: 'User',
  required: false,
  schema: { id: 'urn:example:badge', name: 'Badge', attributes: [{ name: 'number', type: 'string' }] },
};
const ISSUER = {
  issuer: 'https://idp.example.com',
  audience: 'palisade',
  subject: 'sync',
  jwks_uri: 'https://idp.example.com/keys',
  role: 'provisioner',
};

describe('/api/v1/providers', () => {
  let app: AdminApp;

  beforeAll(async () => {
    app = await AdminApp.start();
  });

  afterAll(() => app.close());

  it('registers a provider with the default settings', async () => {
    const { body } = await app.admin('post', '/providers').send({ id: 'acme' }).expect(201);
    expect(body).toEqual({
      id: 'acme',
      dialect: 'rfc',
      repeat_create: 'return',
      unknown_members: 'reject',
      extensions: [],
      trusted_issuers: [],
      created_at: expect.any(String),
      modified_at: expect.any(String),
    });
    await app.admin('get', '/providers/acme').expect(200, body);
  });

  it('keeps every setting', async () => {
    const settings = {
      display_name: 'Globex',
      dialect: 'entra',
      repeat_create: 'conflict',
      unknown_members: 'accept',
      trusted_issuers: [ISSUER],
      extensions: [BADGE],
    };
    await app
      .admin('post', '/providers')
      .send({ id: 'globex', ...settings })
      .expect(201);
    const { body } = await app.admin('get', '/providers/globex').expect(200);
    expect(body).toMatchObject(settings);
  });

  it.each([
    ['nothing', undefined],
    ['null', 'null'],
    ['a list', '[]'],
    ['a text', '"entra"'],
  ])('replaces no settings with %s for a body', async (what, sent) => {
    const id = `bodiless-${what.replaceAll(' ', '-')}`;
    await app.admin('post', '/providers').send({ id, dialect: 'entra', unknown_members: 'accept' }).expect(201);

    const { body } = await app.admin('put', `/providers/${id}`).type('application/json').send(sent).expect(400);

    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', errors: ['body: expected a JSON object'] });
    const { body: provider } = await app.admin('get', `/providers/${id}`).expect(200);
    expect(provider).toMatchObject({ dialect: 'entra', unknown_members: 'accept' });
  });

  it('rejects a second provider with the same id', async () => {
    await app.admin('post', '/providers').send({ id: 'twice' }).expect(201);
    const { body, headers } = await app.admin('post', '/providers').send({ id: 'twice' }).expect(409);
    expect(body).toMatchObject({ code: 'PROVIDER_EXISTS' });
    expect(headers['content-type']).toContain('application/problem+json');
  });

  it('takes back what it has answered, but not for another provider', async () => {
    const { body: created } = await app
      .admin('post', '/providers')
      .send({ id: 'returned', dialect: 'okta' })
      .expect(201);
    const { body } = await app
      .admin('put', '/providers/returned')
      .send({ ...created, display_name: 'Back' })
      .expect(200);
    expect(body).toEqual({ ...created, display_name: 'Back', modified_at: body.modified_at });
    await app
      .admin('put', '/providers/returned')
      .send({ ...created, id: 'other' })
      .expect(400);
    await app
      .admin('put', '/providers/returned')
      .send({ ...created, colour: 'red' })
      .expect(400);
  });

  it('replaces settings, and what is absent gets its default', async () => {
    await app.admin('post', '/providers').send({ id: 'initech', dialect: 'okta', display_name: 'I' }).expect(201);
    const { body } = await app.admin('put', '/providers/initech').send({ repeat_create: 'conflict' }).expect(200);
    expect(body).toMatchObject({ dialect: 'rfc', repeat_create: 'conflict' });
    expect(body).not.toHaveProperty('display_name');
  });

  it('pages through providers without overlap', async () => {
    const first = await app.admin('get', '/providers?limit=2').expect(200);
    expect(first.body.items).toHaveLength(2);
    const rest = await app.admin('get', `/providers?cursor=${first.body.next_cursor}`).expect(200);
    expect(rest.body).not.toHaveProperty('next_cursor');
    const ids = [...first.body.items, ...rest.body.items].map(({ id }: { id: string }) => id);
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('removes a provider with its tokens', async () => {
    const token = await app.createProvider('doomed');
    await app.scim('get', '/Users', token).expect(200);
    await app.admin('delete', '/providers/doomed').expect(204);
    await app.scim('get', '/Users', token).expect(401);
    await app.admin('delete', '/providers/doomed').expect(404);
    await app.admin('get', '/providers/doomed').expect(404);
  });

  it.each([
    ['no id', {}],
    ['an id in capitals', { id: 'ACME' }],
    ['an id of 64 characters', { id: 'a'.repeat(64) }],
    ['an id that is no text', { id: { $ne: '' } }],
    ['an unknown dialect', { id: 'x', dialect: 'google' }],
    ['a dialect of null', { id: 'x', dialect: null }],
    ['a name of null', { id: 'x', display_name: null }],
    ['extensions of null', { id: 'x', extensions: null }],
    ['issuers of null', { id: 'x', trusted_issuers: null }],
    ['an issuer of null', { id: 'x', trusted_issuers: [null] }],
    ['an unknown field', { id: 'x', admin: true }],
    ['a name with a control character', { id: 'x', display_name: 'a\u0000b' }],
    ['an extension without attributes', { id: 'x', extensions: [{ ...BADGE, schema: { id: 'urn:example:a' } }] }],
    ['an extension that is no object', { id: 'x', extensions: [null, 7] }],
    ['an extension twice', { id: 'x', extensions: [BADGE, BADGE] }],
    ['21 extensions', { id: 'x', extensions: Array.from({ length: 21 }, () => BADGE) }],
    [
      'an issuer without a subject for a provisioner',
      { id: 'x', trusted_issuers: [{ ...ISSUER, subject: undefined }] },
    ],
    ['an issuer without a claim for users', { id: 'x', trusted_issuers: [{ ...ISSUER, role: 'user' }] }],
    ['an issuer of an unknown role', { id: 'x', trusted_issuers: [{ ...ISSUER, role: 'admin' }] }],
    ['an issuer that is a list', { id: 'x', trusted_issuers: [[ISSUER]] }],
  ])('rejects %s', async (_, body) => {
    await app.admin('post', '/providers').send(body).expect(400);
  });

  it.each([
    'http://idp.example.com/keys',
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.7/keys',
    'file:///etc/passwd',
    'https://user:secret@idp.example.com/keys',
    'not a url',
  ])('refuses to fetch keys from %s', async (uri) => {
    const body = { id: 'ssrf', trusted_issuers: [{ ...ISSUER, jwks_uri: uri }] };
    await app.admin('post', '/providers').send(body).expect(400);
    await app.admin('get', '/providers/ssrf').expect(404);
  });

  it.each([
    '["__proto__"]',
    '{"id":"polluter-1","__proto__":{"polluted":true}}',
    '{"id":"polluter-2","extensions":[{"__proto__":{"polluted":true}}]}',
    '{"id":"polluter-3","constructor":{"prototype":{"polluted":true}}}',
  ])('is not polluted by %s', async (body) => {
    const { status } = await app.admin('post', '/providers').type('application/json').send(body);
    expect(status).toBeLessThan(500);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it.each(['[', '{"id":', '"x"', 'null', '5'])('answers the body %s with 400', async (body) => {
    const { headers } = await app.admin('post', '/providers').type('application/json').send(body).expect(400);
    expect(headers['content-type']).toContain('application/problem+json');
  });

  it('answers a body of 100,000 nested lists with 400', async () => {
    const nested = `{"id":"deep","extensions":[${'['.repeat(100_000)}${']'.repeat(100_000)}]}`;
    await app.admin('post', '/providers').type('application/json').send(nested).expect(400);
  });

  it('answers a body that is not JSON with 415', async () => {
    const { body } = await app.admin('post', '/providers').type('text/plain').send('id=x').expect(415);
    expect(body).toMatchObject({ status: 415 });
  });

  it.each([
    '/providers/UPPER',
    '/providers/a%00b',
    '/providers?limit=0',
    '/providers?limit=1001',
    '/providers?cursor=made-up',
    '/providers?limit=1&limit=2',
  ])('rejects %s', async (path) => {
    await app.admin('get', path).expect(400);
  });

  it('documents the admin API', async () => {
    const { body } = await app.request('get', '/docs-json').expect(200);
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining([
        '/api/v1/providers',
        '/api/v1/providers/{id}',
        '/api/v1/providers/{provider}/tokens',
        '/api/v1/providers/{provider}/tokens/{token}/rotate',
        '/api/v1/providers/{provider}/reconcile',
        '/api/v1/bindings',
        '/api/v1/access/check',
        '/api/v1/relationships',
        '/api/v1/log',
        '/oauth/token',
      ]),
    );
  });
});
