import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TlsOptions } from '@nats-io/transport-node';
import { NatsDriver } from '../src/backends/nats/nats-driver.js';
import { NatsLink } from '../src/backends/nats/nats-link.js';
import { TestAuthority, type IssuedCertificate } from './support/certificates.js';
import { ACME, NatsWorld } from './support/nats-world.js';
import { waitUntil } from './support/wait-until.js';

let authority: TestAuthority;
let stranger: TestAuthority;
let world: NatsWorld;
let client: IssuedCertificate;

beforeAll(async () => {
  [authority, stranger] = await Promise.all([TestAuthority.create(), TestAuthority.create()]);
  const { certFile, keyFile } = await authority.issue('server');
  client = await authority.issue('client');
  const { cert, key } = client;
  const files = `cert_file: "${certFile}", key_file: "${keyFile}", ca_file: "${authority.caFile}"`;
  world = await NatsWorld.start({
    config: `tls { ${files}, verify: true }`,
    observer: { tls: { ca: authority.ca, cert, key } },
  });
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await Promise.all([authority[Symbol.asyncDispose](), stranger[Symbol.asyncDispose]()]);
});

async function publish(tls: TlsOptions | null | undefined): Promise<void> {
  const driver = new NatsDriver({ config: { servers: world.url, tls } });
  const link = NatsLink.of(await driver.connect(ACME, new AbortController().signal));
  try {
    await link.publish({ subject: 'tenant.acme.acme.a', data: new Uint8Array() });
  } finally {
    await driver.close(link);
  }
}

describe(`${NatsDriver.name} over TLS`, () => {
  it('connects with a client certificate to a server that it trusts', async () => {
    const { cert, key } = client;
    await expect(publish({ ca: authority.ca, cert, key })).resolves.toBeUndefined();
    await world.waitForNone();
  });

  it('rejects a server whose certificate is of another authority', async () => {
    const { cert, key } = client;
    await expect(publish({ ca: stranger.ca, cert, key })).rejects.toThrow(/certificate|signature/i);
    await world.waitForNone();
  });

  it.each([
    ['without a client certificate', () => ({ ca: authority.ca })],
    ['when it refuses to use TLS', () => null],
  ])('is rejected %s', async (_, tls) => {
    await expect(publish(tls())).rejects.toThrow();
    await world.waitForNone();
  });

  it('is rejected with a client certificate of another authority', async () => {
    const { cert, key } = await stranger.issue('client');
    await expect(publish({ ca: authority.ca, cert, key })).rejects.toThrow();
    await world.waitForNone();
  });

  it('ends a handshake that is aborted, and leaves no socket', async () => {
    const peers: Socket[] = [];
    const silent = createServer((peer) => peers.push(peer.resume().on('error', () => {}))).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = silent.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const controller = new AbortController();
    const config = { servers: `127.0.0.1:${port}`, tls: { ca: authority.ca, handshakeFirst: true } };
    const connecting = new NatsDriver({ config }).connect(ACME, controller.signal);
    await waitUntil(() => peers.length === 1, 'the server is reached');
    controller.abort(new Error('gone'));
    await expect(connecting).rejects.toThrow('gone');
    await waitUntil(() => peers.every(({ destroyed }) => destroyed), 'no socket is left');
    await once(silent.close(), 'close');
  });
});
