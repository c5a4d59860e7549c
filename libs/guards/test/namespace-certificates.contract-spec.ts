import { Agent } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { apiKeyDirectory, createApiKey } from '../src/namespace/api-key.js';
import {
  NamespaceAuthenticator,
  type NamespaceAuthenticatorOptions,
} from '../src/namespace/namespace-authenticator.js';
import { CertificateAuthority, type CertificateRequest, type Issued } from './support/certificate-authority.js';
import { NamespaceApp, type Question } from './support/namespace-app.js';
import { parseNamespaceId } from '@palisade/domain';

const CERTIFICATES = {
  spiffeIds: ['spiffe://prod.example.com/ns/{namespace}/sa/{client}'],
  dnsNames: ['{namespace}.clients.example.com'],
};
const ACME_ID = 'spiffe://prod.example.com/ns/acme/sa/billing';

let authority: CertificateAuthority;
let stranger: CertificateAuthority;
let identity: Issued;
let acme: Issued;

beforeAll(async () => {
  [authority, stranger] = await Promise.all([CertificateAuthority.create(), CertificateAuthority.create()]);
  identity = await authority.issue({ names: { 'IP.1': '127.0.0.1' }, usage: 'serverAuth' });
  acme = await authority.issue({ names: { 'URI.1': ACME_ID } });
});

afterAll(async () => {
  await authority[Symbol.asyncDispose]();
  await stranger[Symbol.asyncDispose]();
});

async function ask(question: Question, options: NamespaceAuthenticatorOptions = { certificates: CERTIFICATES }) {
  await using app = await NamespaceApp.create({ identity, ca: authority.cert }, options);
  return await app.ask(question);
}

async function askWith(request: CertificateRequest, question: Question = {}, issuer = authority) {
  return ask({ ...question, certificate: await issuer.issue(request) });
}

const header = (name: string, value: string): [string, string] => [name, value];

describe(`${NamespaceAuthenticator.name}: client certificates`, () => {
  it('tells who somebody is by their SPIFFE ID', async () => {
    await expect(ask({ certificate: acme })).resolves.toMatchObject({
      status: 200,
      body: { namespace: 'acme', clientId: 'billing', method: 'certificate' },
    });
  });

  it('tells who somebody is by their DNS name', async () => {
    await expect(askWith({ names: { 'DNS.1': 'acme.clients.example.com' } })).resolves.toMatchObject({
      body: { namespace: 'acme', clientId: 'acme.clients.example.com' },
    });
  });

  it('lets names that say nothing be, and wants those that say something to say the same', async () => {
    const names = { 'URI.1': ACME_ID, 'DNS.1': 'acme.clients.example.com', 'DNS.2': 'other.example.org' };
    await expect(askWith({ names })).resolves.toMatchObject({ body: { namespace: 'acme', clientId: 'billing' } });
  });

  it.each<[string, CertificateRequest]>([
    ['no names', {}],
    ['a common name only', { commonName: 'acme.clients.example.com' }],
    [
      'names of two namespaces',
      { names: { 'DNS.1': 'acme.clients.example.com', 'DNS.2': 'bolt.clients.example.com' } },
    ],
    [
      'a SPIFFE ID and a DNS name of different namespaces',
      { names: { 'URI.1': ACME_ID, 'DNS.1': 'bolt.clients.example.com' } },
    ],
    ['two SPIFFE IDs', { names: { 'URI.1': ACME_ID, 'URI.2': 'spiffe://prod.example.com/other' } }],
    ['a SPIFFE ID of another trust domain', { names: { 'URI.1': 'spiffe://evil.example.com/ns/acme/sa/billing' } }],
    ['a SPIFFE ID of another form', { names: { 'URI.1': 'spiffe://prod.example.com/ns/acme' } }],
    ['a SPIFFE ID with an encoded namespace', { names: { 'URI.1': 'spiffe://prod.example.com/ns/%61cme/sa/billing' } }],
    ['an invalid namespace', { names: { 'URI.1': 'spiffe://prod.example.com/ns/ACME/sa/billing' } }],
    ['a wildcard', { names: { 'DNS.1': '*.clients.example.com' } }],
    ['a name that looks like two', { names: { 'DNS.1': `"x, URI:${ACME_ID}"` } }],
    ['a name of another kind', { names: { 'email.1': 'acme@clients.example.com' } }],
    ['the use of a server', { names: { 'URI.1': ACME_ID }, usage: 'serverAuth' }],
    ['an end in the past', { names: { 'URI.1': ACME_ID }, days: -1 }],
  ])('rejects a certificate with %s', async (_, request) => {
    await expect(askWith(request)).resolves.toMatchObject({
      status: 401,
      body: { code: 'UNAUTHENTICATED', reason: 'invalid' },
    });
  });

  it('rejects a certificate of another authority', async () => {
    await expect(askWith({ names: { 'URI.1': ACME_ID } }, {}, stranger)).resolves.toMatchObject({
      status: 401,
      body: { reason: 'invalid' },
    });
  });

  it('rejects a certificate of another authority also beside a valid credential', async () => {
    const { key, ...kept } = createApiKey();
    const apiKeys = apiKeyDirectory([{ ...kept, namespace: parseNamespaceId('acme') }]);
    const certificate = await stranger.issue({ names: { 'URI.1': ACME_ID } });
    const question = { certificate, headers: [header('X-Api-Key', key)] };
    await expect(ask(question, { certificates: CERTIFICATES, apiKeys })).resolves.toMatchObject({ status: 401 });
  });

  it('wants a certificate, and says so', async () => {
    await expect(ask({})).resolves.toMatchObject({
      status: 401,
      body: { code: 'UNAUTHENTICATED', reason: 'missing' },
      challenge: 'ClientCertificate realm="palisade"',
    });
  });

  it.each([
    ['the namespace', [header('X-Palisade-Namespace', 'acme')]],
    ['a certificate', [header('X-Forwarded-Client-Cert', `URI=${ACME_ID}`), header('X-SSL-Client-Verify', 'SUCCESS')]],
  ])('believes no header that holds %s', async (_, headers) => {
    await expect(ask({ headers })).resolves.toMatchObject({ status: 401, body: { reason: 'missing' } });
  });

  it.each([
    ['a token', header('Authorization', 'Bearer a.b.c')],
    ['a key', header('X-Api-Key', 'pk_0123456789abcdef_secret')],
  ])('rejects %s, when none is accepted, even beside a valid certificate', async (_, presented) => {
    for (const question of [{ headers: [presented] }, { headers: [presented], certificate: acme }]) {
      await expect(ask(question)).resolves.toMatchObject({ status: 401, body: { reason: 'invalid' } });
    }
  });

  it.each([
    ['in the header', { headers: [header('X-Palisade-Namespace', 'acme')] }, 200],
    ['in the path', { path: '/namespaces/acme/who' }, 200],
    ['another one in the header', { headers: [header('X-Palisade-Namespace', 'bolt')] }, 404],
    ['another one in the path', { path: '/namespaces/bolt/who' }, 404],
    ['another one, encoded', { path: '/namespaces/%62olt/who' }, 404],
    ['none that could be one', { path: '/namespaces/%2e%2e/who' }, 404],
    [
      'twice in the header',
      { headers: [header('X-Palisade-Namespace', 'acme'), header('x-palisade-namespace', 'acme')] },
      400,
    ],
    ['two in one header', { headers: [header('X-Palisade-Namespace', 'acme, bolt')] }, 404],
    ['different ones', { path: '/namespaces/acme/who', headers: [header('X-Palisade-Namespace', 'bolt')] }, 400],
  ])('compares the namespace with the requested one: %s', async (_, question: Question, status) => {
    await expect(ask({ ...question, certificate: acme })).resolves.toMatchObject({ status });
  });

  it('looks at the dates again when a connection outlives its certificate', async () => {
    let now = Date.now();
    const options = { certificates: CERTIFICATES, now: () => now };
    await using app = await NamespaceApp.create({ identity, ca: authority.cert }, options);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const question = { certificate: acme, agent };
    await expect(app.ask(question)).resolves.toMatchObject({ status: 200 });
    now += 2 * 24 * 3600 * 1000;
    await expect(app.ask(question)).resolves.toMatchObject({ status: 401, body: { reason: 'expired' } });
    agent.destroy();
  });

  it.each([
    ['with the certificate of the first connection', () => acme, 200],
    ['with no certificate', () => undefined, 401],
  ])('does not take a resumed TLS session for more than it was %s', async (_, certificateOf, status) => {
    await using app = await NamespaceApp.create({ identity, ca: authority.cert }, { certificates: CERTIFICATES });
    const agent = new Agent({ keepAlive: false, maxCachedSessions: 10 });
    const question = { certificate: certificateOf(), agent };
    await expect(app.ask(question)).resolves.toMatchObject({ status, isResumed: false });
    await expect(app.ask(question)).resolves.toMatchObject({ status, isResumed: true });
    agent.destroy();
  });
});
