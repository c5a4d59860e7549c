import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CertificateAuthority, type Issued } from '../../../libs/guards/test/support/certificate-authority.js';
import { TokenIssuer } from '../../../test/support/token-issuer.js';
import { POSTGRES_ONLY, ProxyWorld, SETTINGS } from './support/proxy-world.js';

const ISSUER = 'https://login.example.com';

interface Credential {
  readonly certificate?: Issued;
  readonly token?: string;
}

describe('a data proxy that ends TLS itself', () => {
  const directory = mkdtempSync(join(tmpdir(), 'data-proxy-tls-'));
  let world: ProxyWorld;
  let authority: CertificateAuthority;
  let issuer: TokenIssuer;
  let acme: Issued;

  const keep = (name: string, content: string): string => {
    writeFileSync(join(directory, name), content);
    return join(directory, name);
  };

  beforeAll(async () => {
    [authority, issuer] = await Promise.all([CertificateAuthority.create(), TokenIssuer.start(ISSUER)]);
    const listener = await authority.issue({ names: { 'DNS.1': 'localhost' }, usage: 'serverAuth' });
    acme = await authority.issue({ names: { 'URI.1': 'spiffe://example.com/ns/acme/sa/billing' } });
    world = await ProxyWorld.start({
      settings: SETTINGS,
      environment: {
        ...POSTGRES_ONLY,
        DATA_PROXY_TLS_CERT: keep('cert.pem', listener.cert),
        DATA_PROXY_TLS_KEY: keep('key.pem', listener.key),
        DATA_PROXY_TLS_CLIENT_CA: keep('ca.pem', authority.cert),
        DATA_PROXY_SPIFFE_IDS: 'spiffe://example.com/ns/{namespace}/sa/{client}',
        DATA_PROXY_JWT_ISSUER: ISSUER,
        DATA_PROXY_JWT_AUDIENCE: 'palisade',
        DATA_PROXY_JWKS_URI: issuer.jwksUri,
      },
    });
  });

  afterAll(async () => {
    await world[Symbol.asyncDispose]();
    await issuer.close();
    await authority[Symbol.asyncDispose]();
    rmSync(directory, { recursive: true });
  });

  async function askUsage({ certificate, token }: Credential): Promise<[number | undefined, unknown]> {
    const outgoing = request(`${world.origin}/v1/usage`, {
      ca: authority.cert,
      servername: 'localhost',
      agent: false,
      ...certificate,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });
    outgoing.end();
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    return [response.statusCode, await json(response)];
  }

  it('takes the namespace from a client certificate', async () => {
    expect(await askUsage({ certificate: acme })).toEqual([200, expect.objectContaining({ namespace: 'acme' })]);
  });

  it('takes the namespace from a token', async () => {
    const token = await issuer.sign({ namespace: 'bolt' });
    expect(await askUsage({ token })).toEqual([200, expect.objectContaining({ namespace: 'bolt' })]);
  });

  it.each<[string, () => Promise<Credential>]>([
    ['nothing', async () => ({})],
    [
      'a certificate and a token that contradict each other',
      async () => ({
        certificate: acme,
        token: await issuer.sign({ namespace: 'bolt' }),
      }),
    ],
    ['a token for somebody else', async () => ({ token: await issuer.sign({ namespace: 'acme', aud: 'other' }) })],
    [
      'a certificate of nobody we know',
      async () => {
        const stranger = await CertificateAuthority.create();
        const certificate = await stranger.issue({ names: { 'URI.1': 'spiffe://example.com/ns/acme/sa/billing' } });
        await stranger[Symbol.asyncDispose]();
        return { certificate };
      },
    ],
  ])('rejects %s', async (_, credentialOf) => {
    expect(await askUsage(await credentialOf())).toEqual([401, expect.objectContaining({ code: 'UNAUTHENTICATED' })]);
  });
});
