import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { ADMIN_TOKEN, ScimApp } from '../support/scim-app.js';
import type { ScimClient } from '../support/scim-client.js';
import { group, pathOf, user } from '../support/scim-bodies.js';
import { rejection } from './rejection.js';

let app: ScimApp;
beforeAll(async () => {
  app = await ScimApp.start();
});
afterAll(() => app.close());

/** A token or client of the provider as the admin API issues it. */
async function issue({ provider }: ScimClient, body: object = {}): Promise<{ id: string; secret: string }> {
  const answer = await app.admin('post', `/providers/${provider}/tokens`).send(body);
  expect(answer.status).toBe(201);
  return answer.body;
}

/** An access token for a new OAuth 2.0 client of the provider. */
async function obtainAccessToken(scim: ScimClient): Promise<string> {
  const { id, secret } = await issue(scim, { kind: 'client' });
  const form = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
  const { body } = await request(app.origin).post('/oauth/token').type('form').send(form);
  return body.access_token;
}

describe('RFC 7644 §2 authentication and authorization', () => {
  it.each([
    ['no token', undefined],
    ['an unknown token', 'Bearer unknown'],
    ['an empty token', 'Bearer '],
    ['Basic credentials', `Basic ${Buffer.from('admin:admin').toString('base64')}`],
  ])('[RFC7644-2-1] rejects a request with %s', async (_kind, authorization) => {
    const test = request(app.origin).get('/scim/v2/Users');
    const answer = await (authorization === undefined ? test : test.set('Authorization', authorization));
    expect(rejection(answer)).toBe('401');
  });

  it('[RFC7644-2-3] names its authentication scheme when it rejects a request', async () => {
    const missing = await request(app.origin).get('/scim/v2/Users');
    const wrong = await request(app.origin).get('/scim/v2/Users').set('Authorization', 'Bearer wrong');
    expect([missing.headers['www-authenticate'], wrong.headers['www-authenticate']]).toEqual([
      expect.stringMatching(/^Bearer\b/),
      expect.stringMatching(/^Bearer\b.*error="invalid_token"/),
    ]);
  });

  it('[RFC7644-2-4][RFC7644-2-6] lets a client read, change and delete objects of its own provider only', async () => {
    const [scim, other] = [await app.connect(), await app.connect()];
    const { body: alice } = await scim.post('/Users', user({ userName: 'alice' }));
    const { body: list } = await other.get('/Users');
    const answers = [
      await other.get(pathOf(alice)),
      await other.put(pathOf(alice), user({ userName: 'mallory' })),
      await other.delete(pathOf(alice)),
    ];
    const { body: after } = await scim.get(pathOf(alice));
    expect([answers.map(rejection), list.totalResults, after]).toEqual([['404', '404', '404'], 0, alice]);
  });

  it('[RFC7644-2-6] rejects members of another provider', async () => {
    const [scim, other] = [await app.connect(), await app.connect()];
    const { body: alice } = await scim.post('/Users', user({ userName: 'alice' }));
    const answer = await other.post('/Groups', group({ displayName: 'A' }, [alice.id]));
    expect(rejection(answer)).toBe('400 invalidValue');
  });

  it("[RFC7644-2-5] records what each of a provider's clients did under an identity of its own", async () => {
    const scim = await app.connect();
    const tokens = [await issue(scim), await issue(scim)];
    for (const { secret, id } of tokens) {
      await scim.withToken(secret).post('/Users', user({ userName: id }));
    }
    await app.store.log.seal();
    const records = await app.store.log.list({ provider: scim.provider, action: 'user.create', limit: 10 });
    expect(records.map(({ userId }) => userId)).toEqual(tokens.map(({ id }) => `token:${id}`));
  });

  it('[RFC7644-2.1-1] does not take the secret of an OAuth client for a bearer token', async () => {
    const scim = await app.connect();
    const { secret } = await issue(scim, { kind: 'client' });
    expect(rejection(await scim.withToken(secret).get('/Users'))).toBe('401');
  });

  it('[RFC7644-2.1-2] lets an access token act for the provider of its client only', async () => {
    const [scim, other] = [await app.connect(), await app.connect()];
    await scim.post('/Users', user({ userName: 'mine' }));
    await other.post('/Users', user({ userName: 'theirs' }));
    const { body } = await scim.withToken(await obtainAccessToken(scim)).get('/Users');
    expect(body.Resources.map(({ userName }: { userName: string }) => userName)).toEqual(['mine']);
  });
});

describe('RFC 7644 §7.3 and §7.4 tokens', () => {
  it('[RFC7644-2.1-3][RFC7644-7.3-1] rejects access tokens that were altered, unsigned or signed by somebody else', async () => {
    const scim = await app.connect();
    const token = await obtainAccessToken(scim);
    const [header = '', payload = '', signature = ''] = token.split('.');
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const forged = [
      `${header}.${encode({ ...claims, provider: 'other' })}.${signature}`,
      `${encode({ alg: 'none', typ: 'at+jwt' })}.${payload}.`,
      `${header}.${payload}.${signature.split('').toReversed().join('')}`,
    ];
    const answers = await Promise.all(forged.map((altered) => scim.withToken(altered).get('/Users')));
    const genuine = await scim.withToken(token).get('/Users');
    expect([answers.map(rejection), genuine.status]).toEqual([['401', '401', '401'], 200]);
  });

  it('[RFC7644-2.1-3][RFC7644-7.3-1] rejects the access tokens of a client that was revoked', async () => {
    const scim = await app.connect();
    const token = await obtainAccessToken(scim);
    const { body } = await app.admin('get', `/providers/${scim.provider}/tokens`);
    const client = body.items.find(({ kind }: { kind: string }) => kind === 'client');
    await app.admin('delete', `/providers/${scim.provider}/tokens/${client.id}`);
    expect(rejection(await scim.withToken(token).get('/Users'))).toBe('401');
  });

  it('[RFC7644-2.1-4][RFC9865-5.2-3] rejects a token that was revoked, for the next page of a query too', async () => {
    const scim = await app.connect();
    await scim.post('/Users', user({ userName: 'a' }));
    await scim.post('/Users', user({ userName: 'b' }));
    const { id, secret } = await issue(scim);
    const { body } = await scim.withToken(secret).query('/Users', { cursor: '', count: 1 });
    await app.admin('delete', `/providers/${scim.provider}/tokens/${id}`);
    const answer = await scim.withToken(secret).query('/Users', { cursor: body.nextCursor, count: 1 });
    expect([typeof body.nextCursor, rejection(answer)]).toEqual(['string', '401']);
  });

  it('[RFC7644-7.4-1] issues tokens with at least 128 bits of randomness', async () => {
    const scim = await app.connect();
    const secrets = await Promise.all(Array.from({ length: 20 }, async () => (await issue(scim)).secret));
    // 22 characters of base64url carry 128 bits; a constant prefix shows as characters that all have in common.
    const [first = ''] = secrets;
    const varying = [...first].filter((character, index) => secrets.some((secret) => secret[index] !== character));
    expect([new Set(secrets).size, varying.length >= 22]).toEqual([20, true]);
  });

  it('[RFC7644-7.4-3] rejects a token after its end', async () => {
    const scim = await app.connect();
    const { id, secret } = await issue(scim);
    const before = await scim.withToken(secret).get('/Users');
    const rotated = await app
      .admin('post', `/providers/${scim.provider}/tokens/${id}/rotate`)
      .send({ overlap_seconds: 0 });
    const answers = [
      await scim.withToken(secret).get('/Users'),
      await scim.withToken(rotated.body.secret).get('/Users'),
    ];
    expect([before.status, ...answers.map(({ status }) => status)]).toEqual([200, 401, 200]);
  });

  it('[RFC7644-7.4-3] issues access tokens that say when they end', async () => {
    const scim = await app.connect();
    const [, payload = ''] = (await obtainAccessToken(scim)).split('.');
    const { iat, exp } = JSON.parse(Buffer.from(payload, 'base64url').toString());
    expect(exp - iat).toBe(3600);
  });

  it('[RFC7643-9.2-2][RFC7644-7.7-1] keeps and shows no secret that it has issued', async () => {
    const scim = await app.connect();
    const { secret } = await issue(scim);
    const stored = JSON.stringify(await app.store.providers.listTokens(scim.provider));
    const { text } = await app.admin('get', `/providers/${scim.provider}/tokens`);
    expect([stored.includes(secret.slice(-4)), stored.includes(secret), text.includes(secret)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('[RFC7644-7.7-3] lets SCIM tokens do nothing at the admin API, and admin tokens nothing at SCIM', async () => {
    const scim = await app.connect();
    const asProvider = await request(app.origin).get('/api/v1/providers').set('Authorization', `Bearer ${scim.token}`);
    const asAdmin = await scim.withToken(ADMIN_TOKEN).get('/Users');
    expect([asProvider.status, asAdmin.status]).toEqual([401, 401]);
  });
});

describe('RFC 7644 §7.5 privacy', () => {
  it('[RFC7644-7.5.1-1] keeps personal data out of the log', async () => {
    const scim = await app.connect();
    const emails = [{ value: 'private@example.com' }];
    const { body } = await scim.post('/Users', user({ userName: 'private-name', externalId: 'e-1', emails }));
    await scim.put(pathOf(body), user({ userName: 'private-name-2', title: 'private-title' }));
    await scim.delete(pathOf(body));
    await app.store.log.seal();
    const records = await app.store.log.list({ provider: scim.provider, limit: 100 });
    expect(records.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['user.create', 'user.update', 'user.delete']),
    );
    expect(JSON.stringify(records)).not.toMatch(/private/);
  });

  it('[RFC7644-7.5.2-1] answers 403 to a password in the filter of a GET request', async () => {
    const scim = await app.connect();
    const answer = await scim.query('/Users', { filter: 'password eq "tr0ub4dor&3"' });
    expect([rejection(answer), answer.text.includes('tr0ub4dor')]).toEqual(['403 sensitive', false]);
  });
});
