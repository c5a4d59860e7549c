import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { IssuerUnavailableError, UnauthenticatedError } from './authentication.errors.js';
import { isJwksUri, isJwt, JwtVerifier } from './jwt-verifier.js';

const NOW = Date.UTC(2026, 10, 3) / 1000;
const CLAIMS = { iss: 'https://idp.example.com', aud: 'palisade', sub: 'sync', exp: NOW + 60 };

/** An issuer's key endpoint whose answer the test sets. */
class KeyServer {
  answer: { status: number; body: string; headers?: Record<string, string> } = { status: 200, body: '' };
  requests = 0;
  /** What happens to the connection after half of the body; nothing by default. */
  afterHalf: ((socket: Socket) => void) | undefined;
  private readonly server: Server = createServer((request, response) => {
    this.requests += 1;
    if (this.afterHalf !== undefined) {
      response.writeHead(200).write('{');
      this.afterHalf(request.socket);
      return;
    }
    response.writeHead(this.answer.status, this.answer.headers).end(this.answer.body);
  });

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  publish(...keys: JWK[]): void {
    this.answer = { status: 200, body: JSON.stringify({ keys }) };
  }

  get uri(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/keys`;
  }

  closeAll(): void {
    this.server.closeAllConnections();
  }

  close(): Promise<unknown> {
    return new Promise((resolve) => this.server.close(resolve));
  }
}

async function createKey(kid: string, alg = 'ES256') {
  const { privateKey, publicKey } = await generateKeyPair(alg);
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg } };
}

function sign(privateKey: CryptoKey | Uint8Array, claims: object, header: { alg?: string; kid?: string } = {}) {
  return new SignJWT({ ...claims }).setProtectedHeader({ alg: 'ES256', kid: 'k1', ...header }).sign(privateKey);
}

describe(JwtVerifier.name, () => {
  const server = new KeyServer();
  let verifier: JwtVerifier;
  let key: Awaited<ReturnType<typeof createKey>>;

  beforeEach(async () => {
    verifier = new JwtVerifier(() => NOW * 1000);
    key = await createKey('k1');
    server.requests = 0;
    server.publish(key.jwk);
    await server.listen();
  });

  afterEach(() => server.close());

  function verify(token: string, overrides: object = {}) {
    const requirements = { issuer: CLAIMS.iss, audience: CLAIMS.aud, jwksUri: server.uri, ...overrides };
    return verifier.verify(token, requirements);
  }

  it('returns the claims of a token that meets the requirements', async () => {
    await expect(verify(await sign(key.privateKey, CLAIMS), { subject: 'sync' })).resolves.toEqual(CLAIMS);
  });

  it('fetches the keys once for many tokens', async () => {
    const token = await sign(key.privateKey, CLAIMS);
    await Promise.all([verify(token), verify(token)]);
    await verify(token);
    expect(server.requests).toBe(1);
  });

  it.each([
    ['another issuer', { iss: 'https://evil.example.com' }],
    ['another audience', { aud: 'someone-else' }],
    ['another subject', { sub: 'intruder' }],
    ['no end', { exp: undefined }],
    ['a start in the future', { nbf: NOW + 31 }],
  ])('rejects a token with %s', async (_, change) => {
    const token = await sign(key.privateKey, { ...CLAIMS, ...change });
    await expect(verify(token, { subject: 'sync' })).rejects.toMatchObject({ reason: 'invalid' });
  });

  it('forgives 30 seconds of clock skew and no more', async () => {
    await expect(verify(await sign(key.privateKey, { ...CLAIMS, exp: NOW - 29 }))).resolves.toMatchObject({
      sub: 'sync',
    });
    await expect(verify(await sign(key.privateKey, { ...CLAIMS, exp: NOW - 31 }))).rejects.toMatchObject({
      reason: 'expired',
    });
  });

  it('rejects a signature of another key under the same key id', async () => {
    const forger = await createKey('k1');
    await expect(verify(await sign(forger.privateKey, CLAIMS))).rejects.toMatchObject({ reason: 'invalid' });
  });

  it('rejects an unsigned token', async () => {
    const [header, payload] = [{ alg: 'none', kid: 'k1' }, CLAIMS].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    await expect(verify(`${header}.${payload}.`)).rejects.toMatchObject({ reason: 'invalid' });
    await expect(verify(`${header}.${payload}.AAAA`)).rejects.toMatchObject({ reason: 'invalid' });
  });

  it('rejects a token signed symmetrically with the public key', async () => {
    const secret = new TextEncoder().encode(JSON.stringify(key.jwk));
    const token = await sign(secret, CLAIMS, { alg: 'HS256' });
    await expect(verify(token)).rejects.toMatchObject({ reason: 'invalid' });
  });

  it.each(['', 'a', 'a.b.c', 'e30.e30.e30', '..', '.'.repeat(1000)])('rejects %j', async (token) => {
    await expect(verify(token)).rejects.toThrow(UnauthenticatedError);
  });

  it('reports a missing key endpoint as unavailable, and recovers', async () => {
    const token = await sign(key.privateKey, CLAIMS);
    server.answer = { status: 503, body: '' };
    await expect(verify(token)).rejects.toThrow(IssuerUnavailableError);
    server.publish(key.jwk);
    await expect(verify(token)).resolves.toMatchObject({ sub: 'sync' });
  });

  it('learns of a new key when a token names it, and asks for keys at most every 30 seconds', async () => {
    const now = jest.spyOn(Date, 'now').mockReturnValue(NOW * 1000);
    await verify(await sign(key.privateKey, CLAIMS));
    const next = await createKey('k2');
    server.publish(key.jwk, next.jwk);
    const token = await sign(next.privateKey, CLAIMS, { kid: 'k2' });
    await expect(verify(token)).rejects.toMatchObject({ reason: 'invalid' });
    now.mockReturnValue((NOW + 31) * 1000);
    await expect(verify(token)).resolves.toMatchObject({ sub: 'sync' });
    expect(server.requests).toBe(2);
    now.mockRestore();
  });

  it('forgets a withdrawn key after ten minutes', async () => {
    const now = jest.spyOn(Date, 'now').mockReturnValue(NOW * 1000);
    const token = await sign(key.privateKey, CLAIMS);
    await verify(token);
    server.publish((await createKey('k2')).jwk);
    now.mockReturnValue((NOW + 601) * 1000);
    await expect(verify(token)).rejects.toMatchObject({ reason: 'invalid' });
    now.mockRestore();
  });

  it('follows no redirect', async () => {
    const token = await sign(key.privateKey, CLAIMS);
    const elsewhere = new KeyServer();
    await elsewhere.listen();
    elsewhere.publish(key.jwk);
    server.answer = { status: 302, body: '', headers: { location: elsewhere.uri } };
    await expect(verify(token)).rejects.toThrow(IssuerUnavailableError);
    expect(elsewhere.requests).toBe(0);
    await elsewhere.close();
  });

  it.each([
    ['is cut', (socket: Socket) => socket.resetAndDestroy()],
    ['stops', () => {}],
  ])('reports keys as unavailable when the connection %s within them', async (_, afterHalf) => {
    const token = await sign(key.privateKey, CLAIMS);
    const timeout = jest.spyOn(AbortSignal, 'timeout');
    timeout.mockImplementation(() => {
      const controller = new AbortController();
      server.afterHalf = (socket) => {
        afterHalf(socket);
        setImmediate(() => controller.abort());
      };
      return controller.signal;
    });
    await expect(verify(token)).rejects.toThrow(IssuerUnavailableError);
    timeout.mockRestore();
    server.afterHalf = undefined;
    server.closeAll();
  });

  it('connects to no link-local or metadata address, also when a name gets it after keys were fetched', async () => {
    const now = jest.spyOn(Date, 'now').mockReturnValue(NOW * 1000);
    let address = '127.0.0.1';
    const resolved: string[] = [];
    const rebinding = new JwtVerifier(
      () => NOW * 1000,
      (host, _, callback) => {
        resolved.push(host);
        callback(null, [{ address, family: 4 }]);
      },
    );
    const requirements = {
      issuer: CLAIMS.iss,
      audience: CLAIMS.aud,
      jwksUri: server.uri.replace('127.0.0.1', 'localhost'),
    };
    const token = await sign(key.privateKey, CLAIMS);
    await expect(rebinding.verify(token, requirements)).resolves.toMatchObject({ sub: 'sync' });

    address = '169.254.169.254';
    now.mockReturnValue((NOW + 601) * 1000);
    await expect(rebinding.verify(token, requirements)).rejects.toMatchObject({
      name: IssuerUnavailableError.name,
      cause: expect.objectContaining({ message: expect.stringContaining('a link-local or metadata address') }),
    });
    expect(resolved).toEqual(['localhost', 'localhost']);
    expect(server.requests).toBe(1);
    now.mockRestore();
  });

  it.each(['not json', '{"keys":1}', '[]', 'x'.repeat(300_000)])('takes no key set of %.20s', async (body) => {
    const token = await sign(key.privateKey, CLAIMS);
    server.answer = { status: 200, body };
    await expect(verify(token)).rejects.toThrow(IssuerUnavailableError);
  });

  it('fetches from no place that the rules for key endpoints exclude', async () => {
    const token = await sign(key.privateKey, CLAIMS);
    await expect(verify(token, { jwksUri: 'http://169.254.169.254/keys' })).rejects.toThrow(IssuerUnavailableError);
  });
});

describe(isJwt.name, () => {
  it.each([
    ['a.b.c', true],
    ['eyJ-_.eyJ9.sig', true],
    ['a.b', false],
    ['a.b.c.d.e', false],
    ['a..c', false],
    ['pls_abc', false],
  ])('%s: %s', (token, expected) => {
    expect(isJwt(token)).toBe(expected);
  });
});

describe(isJwksUri.name, () => {
  it.each([
    'https://idp.example.com/.well-known/jwks.json',
    'https://idp.example.com:8443/keys?tenant=1',
    'http://localhost:8080/keys',
    'http://127.0.0.1/keys',
    'http://[::1]:1234/keys',
  ])('accepts %s', (text) => {
    expect(isJwksUri(text)).toBe(true);
  });

  it.each([
    'http://idp.example.com/keys',
    'http://169.254.169.254/latest/meta-data',
    'http://10.0.0.1/keys',
    'http://127.0.0.1.example.com/keys',
    'http://localhost.example.com/keys',
    'http://2130706433.example/keys',
    'https://169.254.169.254/latest/meta-data',
    'https://2852039166/latest/meta-data',
    'https://[::ffff:169.254.169.254]/keys',
    'https://[fd00:ec2::254]/keys',
    'https://user:secret@idp.example.com/keys',
    'https://idp.example.com/keys#fragment',
    'file:///etc/passwd',
    'data:application/json,{"keys":[]}',
    'ftp://idp.example.com/keys',
    'javascript:alert(1)',
    '/keys',
    '',
    `https://idp.example.com/${'a'.repeat(2048)}`,
  ])('rejects %s', (text) => {
    expect(isJwksUri(text)).toBe(false);
  });
});
