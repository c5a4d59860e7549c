import { createServer } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startOwnRedis, type OwnServer, type UrlServer } from '../../../test/support/test-services.js';
import { RedisDriver } from '../src/backends/redis/redis-driver.js';
import { RedisLink } from '../src/backends/redis/redis-link.js';
import type { RedisConnectOptions } from '../src/backends/redis/redis-options.js';
import { TestAuthority, type IssuedCertificate } from './support/certificates.js';
import { ACME } from './support/redis-world.js';
import { findFreePort } from '../../../test/support/free-port.js';

let authority: TestAuthority;
let stranger: TestAuthority;
let server: OwnServer<UrlServer>;
let client: IssuedCertificate;
let port: number;

beforeAll(async () => {
  [authority, stranger] = await Promise.all([TestAuthority.create(), TestAuthority.create()]);
  const { certFile, keyFile } = await authority.issue('server');
  client = await authority.issue('client');
  port = await findFreePort();
  const tls = ['--tls-port', String(port), '--tls-cert-file', certFile, '--tls-key-file', keyFile];
  server = await startOwnRedis(...tls, '--tls-ca-cert-file', authority.caFile, '--tls-auth-clients', 'yes');
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await Promise.all([authority[Symbol.asyncDispose](), stranger[Symbol.asyncDispose]()]);
});

async function ping(socket: RedisConnectOptions['socket']): Promise<unknown> {
  const driver = new RedisDriver({ config: { socket } });
  const link = RedisLink.of(await driver.connect(ACME, new AbortController().signal));
  try {
    return await link.send(['PING'], 'text');
  } finally {
    await driver.close(link);
  }
}

describe(`${RedisDriver.name} over TLS`, () => {
  it('connects with a client certificate to a server that it trusts', async () => {
    const { cert, key } = client;
    await expect(ping({ host: '127.0.0.1', port, tls: true, ca: authority.ca, cert, key })).resolves.toBe('PONG');
  });

  it('rejects a server whose certificate is of another authority', async () => {
    const { cert, key } = client;
    const attempt = ping({ host: '127.0.0.1', port, tls: true, ca: stranger.ca, cert, key });
    await expect(attempt).rejects.toThrow(/certificate|signature/i);
  });

  it('is rejected without a client certificate', async () => {
    await expect(ping({ host: '127.0.0.1', port, tls: true, ca: authority.ca })).rejects.toThrow();
  });

  it('is rejected with a client certificate of another authority', async () => {
    const { cert, key } = await stranger.issue('client');
    await expect(ping({ host: '127.0.0.1', port, tls: true, ca: authority.ca, cert, key })).rejects.toThrow();
  });

  it('gives up a handshake that is aborted', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = silent.address();
    const silentPort = typeof address === 'object' && address !== null ? address.port : 0;
    const controller = new AbortController();
    const config = { socket: { host: '127.0.0.1', port: silentPort, tls: true as const, ca: authority.ca } };
    const connecting = new RedisDriver({ config }).connect(ACME, controller.signal);
    const [peer] = (await once(silent, 'connection')) as [import('node:net').Socket];
    const ended = once(peer.resume(), 'close');
    controller.abort(new Error('gone'));
    await expect(connecting).rejects.toThrow();
    await ended;
    await once(silent.close(), 'close');
    expect(peer.destroyed).toBe(true);
  });
});
