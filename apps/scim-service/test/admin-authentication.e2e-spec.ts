import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { digestSecret } from '@palisade/guards';
import { MemoryStore } from '@palisade/storage';
import { TokenIssuer } from '../../../test/support/token-issuer.js';
import { ADMIN_TOKEN, AdminApp, SCIM_TOKEN } from './support/admin-app.js';

/** Everything that answers without credentials. */
const PUBLIC_ROUTES = ['get /health/live', 'get /health/ready', 'get /metrics', 'post /oauth/token', 'get /oauth/jwks'];

const ADMIN_ROUTES = [
  ['get', '/providers'],
  ['post', '/providers'],
  ['get', '/providers/default'],
  ['put', '/providers/default'],
  ['delete', '/providers/default'],
  ['get', '/providers/default/tokens'],
  ['post', '/providers/default/tokens'],
  ['post', '/providers/default/tokens/x/rotate'],
  ['delete', '/providers/default/tokens/x'],
  ['post', '/providers/default/users/u/deactivate'],
  ['post', '/providers/default/reconcile'],
  ['get', '/bindings'],
  ['post', '/bindings'],
  ['delete', '/bindings'],
  ['get', '/access/check'],
  ['get', '/access/users/u'],
  ['get', '/access/namespaces/n/users'],
  ['get', '/relationships'],
  ['get', '/log'],
  ['get', '/log/follow'],
  ['get', '/log/seal'],
  ['get', '/log/verify'],
] as const;

describe('authentication', () => {
  let app: AdminApp;

  beforeAll(async () => {
    app = await AdminApp.start();
  });

  afterAll(() => app.close());

  it('is needed for every route but the public ones', async () => {
    const open = new Set<string>();
    const routes = app.routes().filter(([, path]) => !path.startsWith('/docs'));
    for (const [method, path] of routes) {
      const { status } = await app.request(method, path);
      if (status !== 401) {
        open.add(`${method} ${path}`);
      }
    }
    expect(routes.length).toBeGreaterThan(60);
    expect([...open].toSorted()).toEqual(PUBLIC_ROUTES.toSorted());
  });

  it('writes denied attempts to the log before the store is closed', async () => {
    const store = new MemoryStore();
    const append = jest.spyOn(store.log, 'append');
    const closing = await AdminApp.start({}, store);
    await closing.admin('get', '/providers', 'wrong').expect(401);
    await closing.close();
    expect(append.mock.calls.flat(2)).toEqual([expect.objectContaining({ action: 'authentication' })]);
    await expect(append.mock.results[0]?.value).resolves.toBeUndefined();
  });

  describe('at the admin API', () => {
    it.each(ADMIN_ROUTES)('%s %s needs an admin', async (method, path) => {
      const { headers } = await app.request(method, `/api/v1${path}`).expect(401);
      expect(headers['www-authenticate']).toBe('Bearer realm="palisade"');
      await app.admin(method, path, SCIM_TOKEN).expect(401);
    });

    it.each(ADMIN_ROUTES)('%s %s needs a scope', async (method, path) => {
      const token = await app.adminOf(['*'], { scope: 'openid profile' });
      const { headers } = await app.admin(method, path, token).expect(403);
      expect(headers['www-authenticate']).toMatch(/error="insufficient_scope", scope="(read|operate|admin)"/);
    });

    it.each(ADMIN_ROUTES.filter(([method]) => method !== 'get'))('%s %s needs more than read', async (method, path) => {
      await app.admin(method, path, await app.adminOf(['*'], { scope: 'read' })).expect(403);
    });

    it.each([
      ['post', '/providers'],
      ['put', '/providers/default'],
      ['delete', '/providers/default'],
      ['post', '/providers/default/tokens'],
      ['post', '/providers/default/tokens/x/rotate'],
      ['delete', '/providers/default/tokens/x'],
    ] as const)('%s %s needs more than operate', async (method, path) => {
      await app.admin(method, path, await app.adminOf(['*'], { scope: 'operate' })).expect(403);
    });

    it.each([
      'Basic',
      'Bearer',
      `Basic ${ADMIN_TOKEN}`,
      `Token ${ADMIN_TOKEN}`,
      `Bearer ${ADMIN_TOKEN} x`,
      ADMIN_TOKEN,
    ])('rejects the header "%s"', async (header) => {
      await app.request('get', '/api/v1/providers').set('Authorization', header).expect(401);
    });

    it('reads the scheme without regard to case', async () => {
      await app.request('get', '/api/v1/providers').set('Authorization', `bEaReR ${ADMIN_TOKEN}`).expect(200);
    });

    it('knows the further admins of the configuration by their own names', async () => {
      const adminTokenDigests = [
        { name: 'bob@example.com', digest: digestSecret('token-of-bob'), scope: 'admin' as const },
      ];
      const other = await AdminApp.start({ adminToken: undefined, adminTokenDigests });
      const binding = { bound_subject: 'group:scim:acme:g', namespace: 'n', pending: true };
      const { body } = await other.admin('post', '/bindings', 'token-of-bob').send(binding).expect(201);
      expect(body.approved_by).toBe('bob@example.com');
      await other.admin('get', '/bindings').expect(401);
      await other.close();
    });

    it('ignores tokens in the query, in a cookie and in the body', async () => {
      await app.request('get', `/api/v1/log?access_token=${ADMIN_TOKEN}`).expect(401);
      await app.request('get', '/api/v1/log').set('Cookie', `access_token=${ADMIN_TOKEN}`).expect(401);
      const form = { access_token: ADMIN_TOKEN, id: 'x' };
      await app.request('post', '/api/v1/providers').type('form').send(form).expect(401);
    });

    it('rejects a header of over 8 KiB', async () => {
      await app.admin('get', '/providers', 'x'.repeat(8200)).expect(401);
    });

    it('does not take the digest of a token for the token', async () => {
      await app.admin('get', '/providers', digestSecret(ADMIN_TOKEN)).expect(401);
    });

    it.each([
      ['of another audience', { aud: 'another-service' }],
      ['of another issuer', { iss: 'https://evil.example.com' }],
      ['that has expired', { exp: 1_700_000_000 }],
      ['that never expires', { exp: undefined }],
      ['that is not valid yet', { nbf: 4_000_000_000 }],
    ])('rejects a JWT %s', async (_, claims) => {
      await app.admin('get', '/providers', await app.adminOf(['*'], claims)).expect(401);
    });

    it('rejects a JWT of the same name signed elsewhere', async () => {
      const impostor = await TokenIssuer.start(app.issuer.issuer);
      const token = await impostor.sign({ namespaces: '*', scope: 'admin' });
      await app.admin('get', '/providers', token).expect(401);
      await impostor.close();
    });
  });

  describe('at SCIM', () => {
    it('takes the token of the environment for its provider', async () => {
      await app.scim('get', '/Users').expect(200);
      const { body } = await app.admin('get', '/providers/default').expect(200);
      expect(body.dialect).toBe('rfc');
    });

    it.each([
      undefined,
      ADMIN_TOKEN,
      'pls_unknown',
      `${SCIM_TOKEN}x`,
      SCIM_TOKEN.slice(1),
      'a.b.c',
      'eyJhbGciOiJub25lIn0.e30.AA',
    ])('answers %s with 401 and an Error resource', async (token) => {
      const { body, headers } = await app.request('get', '/scim/v2/Users', token).expect(401);
      expect(body).toMatchObject({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '401' });
      expect(headers['content-type']).toBe('application/scim+json');
      expect(headers['www-authenticate']).toMatch(/^Bearer realm="palisade"/);
    });

    it('takes no JWT of an admin', async () => {
      await app.scim('get', '/Users', await app.adminOf(['*'])).expect(401);
    });
  });

  describe('by tokens of an issuer that a provider trusts', () => {
    let idp: TokenIssuer;

    beforeAll(async () => {
      idp = await TokenIssuer.start('https://idp.example.com');
      const trusted = { issuer: idp.issuer, audience: 'palisade', jwks_uri: idp.jwksUri };
      const provisioner = { ...trusted, role: 'provisioner', subject: 'sync' };
      const users = { ...trusted, role: 'user', user_claim: 'email' };
      await app
        .admin('post', '/providers')
        .send({ id: 'acme', trusted_issuers: [provisioner, users] })
        .expect(201);
      const other = { ...provisioner, audience: 'palisade-globex' };
      await app
        .admin('post', '/providers')
        .send({ id: 'globex', trusted_issuers: [other] })
        .expect(201);
    });

    afterAll(() => idp.close());

    it('lets the named subject provision', async () => {
      const user = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: 'ann' };
      const token = await idp.sign({ sub: 'sync' });
      await app.scim('post', '/Users', token).send(JSON.stringify(user)).expect(201);
      expect(await app.records()).toContainEqual(
        expect.objectContaining({ action: 'user.create', userId: 'federated:sync', provider: 'acme' }),
      );
    });

    it('lets a user see the discovery endpoints and nobody else', async () => {
      const token = await idp.sign({ sub: 'u-1', email: 'ann@example.com' });
      await app.scim('get', '/Schemas', token).expect(200);
      await app.scim('get', '/Users', token).expect(403);
      await app.scim('delete', '/Users/u-2', token).expect(403);
    });

    it.each([
      ['of another audience', { sub: 'sync', aud: 'elsewhere' }],
      ['of a user whose address is disputed', { sub: 'u-1', email: 'ceo@example.com', email_verified: false }],
      ['of a user without the claim', { sub: 'u-1' }],
      ['with a control character in the name', { sub: 'u-1', email: 'a\u0000b' }],
      ['of an issuer that nobody trusts', { sub: 'sync', iss: 'https://evil.example.com' }],
      ['of an issuer that is no text', { sub: 'sync', iss: undefined }],
      ['that has expired', { sub: 'sync', exp: 1_700_000_000 }],
    ])('rejects a token %s', async (_, claims) => {
      await app.scim('get', '/Schemas', await idp.sign(claims)).expect(401);
    });

    it('rejects a token of an issuer with NUL in its name', async () => {
      await app.scim('get', '/Schemas', await idp.sign({ iss: 'https://idp.example.com\u0000' })).expect(401);
    });

    it("rejects a token signed by somebody else's key", async () => {
      const impostor = await TokenIssuer.start(idp.issuer);
      await app.scim('get', '/Users', await impostor.sign({ sub: 'sync' })).expect(401);
      await impostor.close();
    });

    it('answers 503 while the keys cannot be fetched', async () => {
      const gone = await TokenIssuer.start('https://gone.example.com');
      const issuer = { issuer: gone.issuer, audience: 'palisade', subject: 'sync', role: 'provisioner' };
      const trusted_issuers = [{ ...issuer, jwks_uri: gone.jwksUri }];
      await app.admin('post', '/providers').send({ id: 'gone', trusted_issuers }).expect(201);
      const token = await gone.sign({ sub: 'sync' });
      await gone.close();
      const { headers } = await app.scim('get', '/Users', token).expect(503);
      expect(headers['retry-after']).toBe('30');
    });

    it('ends with the trust', async () => {
      const token = await idp.sign({ sub: 'sync' });
      await app.scim('get', '/Users', token).expect(200);
      await app.admin('put', '/providers/acme').send({ trusted_issuers: [] }).expect(200);
      await app.scim('get', '/Users', token).expect(401);
    });
  });
});
