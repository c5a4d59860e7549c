import { createHash, X509Certificate } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parseNamespaceId } from '@palisade/domain';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import { apiKeyDirectory, createApiKey } from '../src/namespace/api-key.js';
import { NamespaceAuthenticator } from '../src/namespace/namespace-authenticator.js';
import { CertificateAuthority, type Issued } from './support/certificate-authority.js';
import { NamespaceApp, type Question } from './support/namespace-app.js';

const ISSUER = 'https://idp.example.com';
const CLAIMS = { iss: ISSUER, aud: 'data-proxy', sub: 'svc-1', namespace: 'acme' };
const ACME_ID = 'spiffe://prod.example.com/ns/acme/sa/billing';

/** An issuer's key endpoint. */
class KeyServer {
  keys: JWK[] = [];
  readonly #server = createServer((_, response) => response.end(JSON.stringify({ keys: this.keys })));

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get uri(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/keys`;
  }

  async close(): Promise<void> {
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

const keyServer = new KeyServer();
let authority: CertificateAuthority;
let identity: Issued;
let acme: Issued;
let app: NamespaceApp;
let signingKey: CryptoKey;
const { key: apiKey, ...kept } = createApiKey();

async function createKey(kid: string): Promise<{ privateKey: CryptoKey; jwk: JWK }> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256' } };
}

async function sign(claims: object = {}, key = signingKey, kid = 'k1'): Promise<string> {
  const token = new SignJWT({ ...CLAIMS, ...claims }).setProtectedHeader({ alg: 'ES256', kid });
  return token.setExpirationTime('1m').sign(key);
}

function createApp(): Promise<NamespaceApp> {
  return NamespaceApp.create(
    { identity, ca: authority.cert },
    {
      certificates: { spiffeIds: ['spiffe://prod.example.com/ns/{namespace}/sa/{client}'] },
      tokens: { issuer: ISSUER, audience: 'data-proxy', jwksUri: keyServer.uri },
      apiKeys: apiKeyDirectory([{ ...kept, namespace: parseNamespaceId('acme') }]),
    },
  );
}

beforeAll(async () => {
  await keyServer.listen();
  authority = await CertificateAuthority.create();
  identity = await authority.issue({ names: { 'IP.1': '127.0.0.1' }, usage: 'serverAuth' });
  acme = await authority.issue({ names: { 'URI.1': ACME_ID } });
  const key = await createKey('k1');
  signingKey = key.privateKey;
  keyServer.keys = [key.jwk];
  app = await createApp();
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await authority[Symbol.asyncDispose]();
  await keyServer.close();
});

async function askWith(claims: object, question: Question = {}) {
  const authorization: [string, string] = ['Authorization', `Bearer ${await sign(claims)}`];
  return app.ask({ ...question, headers: [authorization, ...(question.headers ?? [])] });
}

describe(`${NamespaceAuthenticator.name}: tokens`, () => {
  it('tells who somebody is by the claims of their token', async () => {
    await expect(askWith({ email: 'ann@example.com', azp: 'reports' })).resolves.toMatchObject({
      status: 200,
      body: { namespace: 'acme', clientId: 'reports', userId: 'ann@example.com', method: 'jwt' },
    });
  });

  it.each([
    ['one of its list', ['acme', 'bolt'], 'bolt', 200],
    ['none of its list', ['acme', 'bolt'], 'core', 404],
    ['none at all, of several', ['acme', 'bolt'], undefined, 400],
    ['none at all, of one', ['acme'], undefined, 200],
  ])('is for a requested namespace: %s', async (_, namespace, requested, status) => {
    const headers: [string, string][] = requested === undefined ? [] : [['X-Palisade-Namespace', requested]];
    await expect(askWith({ namespace }, { headers })).resolves.toMatchObject({ status });
  });

  it.each([
    ['of another issuer', { iss: 'https://evil.example.com' }],
    ['for another audience', { aud: 'scim' }],
    ['that is over', { exp: 1 }],
    ['without a namespace', { namespace: undefined }],
    ['of somebody in particular, in a way that is not understood', { cnf: { jkt: 'x' } }],
    ['that is bound to a certificate, without it', { cnf: { 'x5t#S256': 'x' } }],
    ['that is bound to nothing', { cnf: {} }],
    ['that is bound to nothing at all', { cnf: null }],
  ])('rejects a token %s', async (_, claims) => {
    const token = await new SignJWT({ exp: Date.now() / 1000 + 60, ...CLAIMS, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
      .sign(signingKey);
    const answer = await app.ask({ headers: [['Authorization', `Bearer ${token}`]] });
    expect(answer).toMatchObject({ status: 401, challenge: expect.stringContaining('Bearer realm="palisade"') });
  });

  it.each([
    ['signed by somebody else', async () => sign({}, (await createKey('k1')).privateKey)],
    ['that is no token', async () => 'nonsense'],
    ['without a signature', async () => (await sign()).replace(/[^.]*$/, '')],
    ['of an admin', async () => 'a'.repeat(64)],
  ])('rejects a token %s', async (_, tokenOf) => {
    const headers: [string, string][] = [['Authorization', `Bearer ${await tokenOf()}`]];
    await expect(app.ask({ headers })).resolves.toMatchObject({ status: 401 });
  });

  it('rejects a second token, whichever of them is valid', async () => {
    const [valid, wrong] = [await sign(), await sign({}, (await createKey('k1')).privateKey)];
    for (const [first, second] of [
      [valid, wrong],
      [wrong, valid],
      [valid, valid],
    ] as const) {
      const headers: [string, string][] = [
        ['Authorization', `Bearer ${first}`],
        ['authorization', `Bearer ${second}`],
      ];
      await expect(app.ask({ headers })).resolves.toMatchObject({ status: 401, body: { reason: 'malformed' } });
    }
  });

  it('rejects a credential of another scheme, even beside a valid one', async () => {
    const headers: [string, string][] = [
      ['Authorization', 'Basic YTpi'],
      ['X-Api-Key', apiKey],
    ];
    await expect(app.ask({ headers })).resolves.toMatchObject({ status: 401, body: { reason: 'invalid' } });
  });

  it('takes tokens that are bound to the certificate of the connection', async () => {
    const thumbprint = createHash('sha256').update(new X509Certificate(acme.cert).raw).digest('base64url');
    const cnf = { 'x5t#S256': thumbprint };
    await expect(askWith({ cnf }, { certificate: acme })).resolves.toMatchObject({ status: 200 });
    const other = await authority.issue({ names: { 'URI.1': ACME_ID } });
    await expect(askWith({ cnf }, { certificate: other })).resolves.toMatchObject({ status: 401 });
    for (const strange of [{ ...cnf, jkt: 'x' }, { jkt: thumbprint }]) {
      await expect(askWith({ cnf: strange }, { certificate: acme })).resolves.toMatchObject({ status: 401 });
    }
  });

  it('says what it would accept', async () => {
    await expect(app.ask()).resolves.toMatchObject({
      status: 401,
      challenge: 'Bearer realm="palisade", ApiKey realm="palisade", ClientCertificate realm="palisade"',
    });
  });
});

describe(`${NamespaceAuthenticator.name}: several credentials`, () => {
  it('takes the client from the certificate, and the user from the token', async () => {
    await expect(askWith({ email: 'ann@example.com' }, { certificate: acme })).resolves.toMatchObject({
      body: { namespace: 'acme', clientId: 'billing', userId: 'ann@example.com', method: 'certificate' },
    });
  });

  it.each([
    ['a token', { namespace: 'bolt' }, 401],
    ['a token with a list', { namespace: ['bolt', 'core'] }, 401],
    ['a token with a list that has it too', { namespace: ['acme', 'bolt'] }, 200],
  ])('rejects a certificate and %s that do not say the same', async (_, claims, status) => {
    await expect(askWith(claims, { certificate: acme })).resolves.toMatchObject({ status });
  });

  it.each([
    ['a wrong key', `${apiKey}A`, 'invalid'],
    ['no key', 'nonsense', 'malformed'],
  ])('rejects a valid certificate beside %s', async (_, key, reason) => {
    const question = { certificate: acme, headers: [['X-Api-Key', key]] as const };
    await expect(app.ask(question)).resolves.toMatchObject({ status: 401, body: { reason } });
  });

  it('rejects a valid token beside a key of another namespace', async () => {
    await expect(askWith({ namespace: 'bolt' }, { headers: [['X-Api-Key', apiKey]] })).resolves.toMatchObject({
      status: 401,
      body: { reason: 'conflicting' },
    });
  });

  it('rejects a key that is there twice', async () => {
    const headers: [string, string][] = [
      ['X-Api-Key', apiKey],
      ['X-Api-Key', apiKey],
    ];
    await expect(app.ask({ headers })).resolves.toMatchObject({ status: 401, body: { reason: 'malformed' } });
  });
});

describe(`${NamespaceAuthenticator.name}: rotation`, () => {
  let rotating: NamespaceApp;

  beforeEach(async () => {
    rotating = await createApp();
  });

  it('goes on with the old key while the new one is published, and learns of the new one', async () => {
    const next = await createKey('k2');
    keyServer.keys = [...keyServer.keys, next.jwk];
    for (const token of [await sign(), await sign({}, next.privateKey, 'k2')]) {
      const headers: [string, string][] = [['Authorization', `Bearer ${token}`]];
      await expect(rotating.ask({ headers })).resolves.toMatchObject({ status: 200 });
    }
    await rotating[Symbol.asyncDispose]();
  });

  it('says that it cannot tell, while keys cannot be loaded', async () => {
    keyServer.keys = 'none' as unknown as JWK[];
    const headers: [string, string][] = [['Authorization', `Bearer ${await sign()}`]];
    await expect(rotating.ask({ headers })).resolves.toMatchObject({
      status: 503,
      body: { code: 'ISSUER_UNAVAILABLE' },
    });
    await rotating[Symbol.asyncDispose]();
  });
});
