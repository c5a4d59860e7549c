import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, decodeJwt, jwtVerify, SignJWT, generateKeyPair } from 'jose';
import { AdminApp } from './support/admin-app.js';

interface Client {
  readonly id: string;
  readonly secret: string;
}

describe('/oauth', () => {
  let app: AdminApp;
  let client: Client;

  beforeAll(async () => {
    app = await AdminApp.start();
    await app.admin('post', '/providers').send({ id: 'acme' }).expect(201);
    client = await createClient();
  });

  afterAll(() => app.close());

  async function createClient(): Promise<Client> {
    const { body } = await app.admin('post', '/providers/acme/tokens').send({ kind: 'client' }).expect(201);
    return body;
  }

  function post(form: Record<string, string> | string) {
    return app.request('post', '/oauth/token').type('form').send(form);
  }

  function basic({ id, secret }: Client): string {
    return `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`;
  }

  async function accessToken({ id, secret }: Client): Promise<string> {
    const form = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
    const { body } = await post(form).expect(200);
    return body.access_token;
  }

  it('issues an access token for credentials in the body', async () => {
    const form = { grant_type: 'client_credentials', client_id: client.id, client_secret: client.secret };
    const { body, headers } = await post(form).expect(200);
    expect(body).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 3600, scope: 'scim' });
    expect(headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
    await app.scim('get', '/Users', body.access_token).expect(200);
  });

  it('issues an access token for credentials in the header', async () => {
    const { body } = await post('grant_type=client_credentials').set('Authorization', basic(client)).expect(200);
    await app.scim('get', '/Users', body.access_token).expect(200);
  });

  it('publishes the key that verifies access tokens, and not the private one', async () => {
    const { body, text } = await app.request('get', '/oauth/jwks').expect(200);
    expect(text).not.toContain('"d"');
    const token = await accessToken(client);
    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(body));
    expect(payload).toMatchObject({ client_id: client.id, provider: 'acme', sub: client.id });
    expect(protectedHeader.kid).toBe(body.keys[0].kid);
  });

  it('ends access tokens with their client', async () => {
    const revoked = await createClient();
    const token = await accessToken(revoked);
    await app.scim('get', '/Users', token).expect(200);
    await app.admin('delete', `/providers/acme/tokens/${revoked.id}`).expect(204);
    await app.scim('get', '/Users', token).expect(401);
    const form = { grant_type: 'client_credentials', client_id: revoked.id, client_secret: revoked.secret };
    await post(form).expect(401);
  });

  it('issues no access token that outlives its client', async () => {
    const expires_at = new Date(Date.now() + 60_000).toISOString();
    const { body } = await app.admin('post', '/providers/acme/tokens').send({ kind: 'client', expires_at }).expect(201);
    const { exp = 0 } = decodeJwt(await accessToken(body));
    expect(exp * 1000).toBeLessThanOrEqual(Date.parse(expires_at));
  });

  it('takes no client secret at the SCIM endpoints', async () => {
    await app.scim('get', '/Users', client.secret).expect(401);
  });

  it('takes no bearer token for a client secret', async () => {
    const { body } = await app.admin('post', '/providers/acme/tokens').send({}).expect(201);
    const form = { grant_type: 'client_credentials', client_id: body.id, client_secret: body.secret };
    await post(form).expect(401);
  });

  it('takes no access token at the admin API', async () => {
    await app.admin('get', '/providers', await accessToken(client)).expect(401);
  });

  it('rejects a token that claims to be ours and is signed by another key', async () => {
    const { privateKey } = await generateKeyPair('ES256');
    const claims = decodeJwt(await accessToken(client));
    const forged = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' }).sign(privateKey);
    await app.scim('get', '/Users', forged).expect(401);
  });

  it("rejects another client's secret", async () => {
    const other = await createClient();
    const form = { grant_type: 'client_credentials', client_id: client.id, client_secret: other.secret };
    const { body, headers } = await post(form).expect(401);
    expect(body).toEqual({ error: 'invalid_client', error_description: 'unknown client or wrong secret' });
    expect(headers['www-authenticate']).toBe('Basic realm="palisade"');
  });

  it.each([
    ['no grant type', '', 400, 'invalid_request'],
    ['another grant type', 'grant_type=password&username=a&password=b', 400, 'unsupported_grant_type'],
    ['no client', 'grant_type=client_credentials', 401, 'invalid_client'],
    ['a client without secret', 'grant_type=client_credentials&client_id=a', 401, 'invalid_client'],
    ['an unknown client', 'grant_type=client_credentials&client_id=a&client_secret=b', 401, 'invalid_client'],
    ['a parameter twice', 'grant_type=client_credentials&grant_type=client_credentials', 400, 'invalid_request'],
    ['a form of over 8 KiB', `grant_type=client_credentials&x=${'y'.repeat(9000)}`, 400, 'invalid_request'],
    ['21 parameters', Array.from({ length: 21 }, (_, index) => `p${index}=1`).join('&'), 400, 'invalid_request'],
  ])('[RFC6749-5.2] rejects %s', async (_, form, status, error) => {
    const { body } = await post(form).expect(status);
    expect(body.error).toBe(error);
  });

  it('[RFC6749-2.3] rejects credentials in header and body together', async () => {
    const form = `grant_type=client_credentials&client_secret=${client.secret}`;
    const { body } = await post(form).set('Authorization', basic(client)).expect(400);
    expect(body.error).toBe('invalid_request');
  });

  it.each(['application/json', 'text/plain', 'application/xml'])('rejects a body of type %s', async (type) => {
    const { id, secret } = client;
    const body = JSON.stringify({ grant_type: 'client_credentials', client_id: id, client_secret: secret });
    const answer = await app.request('post', '/oauth/token').type(type).send(body).expect(400);
    expect(answer.body.error).toBe('invalid_request');
  });

  it.each([
    'Basic',
    'Basic !!!',
    `Basic ${Buffer.from('no colon').toString('base64')}`,
    'Basic JUUwJUE0JUE6eA==',
    'Bearer abc',
  ])('rejects the header %s', async (header) => {
    const { body } = await post('grant_type=client_credentials').set('Authorization', header).expect(401);
    expect(body.error).toBe('invalid_client');
  });

  it('records rejected clients in the log', async () => {
    await post('grant_type=client_credentials&client_id=mallory&client_secret=guess').expect(401);
    const events = await app.records();
    expect(events).toContainEqual(
      expect.objectContaining({ action: 'authentication', resource: 'POST /oauth/token', result: 'denied' }),
    );
    expect(JSON.stringify(events)).not.toContain('guess');
  });
});
