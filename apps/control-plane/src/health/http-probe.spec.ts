import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo, LookupFunction } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { ProxySource } from '@palisade/domain';
import { probe } from './http-probe.js';

const NEVER = new AbortController().signal;

describe(probe.name, () => {
  const closing: (() => void)[] = [];
  afterEach(() => closing.splice(0).forEach((close) => close()));

  async function start(listener: RequestListener): Promise<number> {
    const server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(() => {
      server.close();
      server.closeAllConnections();
    });
    return (server.address() as AddressInfo).port;
  }
  const ask = (port: number, timeoutMs = 5000) =>
    probe({ host: '127.0.0.1', port, source: 'registration' }, { path: '/health/ready', timeoutMs }, NEVER);

  it.each([
    [200, true],
    [204, true],
    [302, false],
    [404, false],
    [503, false],
  ])('takes %i for good: %s', async (status, isGood) => {
    const port = await start((_, response) => response.writeHead(status).end());
    expect(await ask(port)).toEqual({ isGood, detail: `answered ${status}` });
  });

  it('asks for the path', async () => {
    const paths: (string | undefined)[] = [];
    const port = await start((request, response) => {
      paths.push(request.url);
      response.end();
    });
    await ask(port);
    expect(paths).toEqual(['/health/ready']);
  });

  it('says who asks, and of which version', async () => {
    const agents: (string | undefined)[] = [];
    const port = await start((request, response) => {
      agents.push(request.headers['user-agent']);
      response.end();
    });
    await ask(port);
    expect(agents).toEqual([expect.stringMatching(/^palisade-health-check\/\d+\.\d+\.\d+/)]);
  });

  it('does not wait for the end of a body', async () => {
    const port = await start((_, response) => {
      response.writeHead(200).write('x');
    });
    expect(await ask(port)).toMatchObject({ isGood: true });
  });

  it('says that nobody listens', async () => {
    const port = await start(() => {});
    closing.splice(0).forEach((close) => close());
    expect(await ask(port)).toEqual({ isGood: false, detail: 'ECONNREFUSED' });
  });

  it('says that no answer came in time', async () => {
    const port = await start(() => {});
    expect(await ask(port, 20)).toEqual({ isGood: false, detail: 'no answer within 20 ms' });
  });

  describe('of a proxy that the operator has not listed', () => {
    const check = (host: string, source: ProxySource, resolve?: LookupFunction) =>
      probe({ host, port: 1, source }, { path: '/', timeoutMs: 500 }, NEVER, resolve);

    it.each([
      '169.254.169.254',
      '::ffff:169.254.169.254',
      'fe80::1',
      'fe80::1%lo',
      'fd00:ec2::254',
      '100.100.100.200',
      '168.63.129.16',
      'fd20:ce::254',
      '64:ff9b::169.254.169.254',
      '64:ff9b:1::a9fe:a9fe',
      '2002:a9fe:a9fe::1',
      '::169.254.169.254',
    ])('connects to no link-local or metadata address: %s', async (host) => {
      expect(await check(host, 'registration')).toEqual({
        isGood: false,
        detail: `${host} is a link-local or metadata address`,
      });
    });

    it('connects to no such address that a name resolves to, either', async () => {
      const resolve: LookupFunction = (_, __, callback) =>
        callback(null, [
          { address: '127.0.0.1', family: 4 },
          { address: '169.254.169.254', family: 4 },
        ]);
      expect(await check('proxy-1.internal', 'dns_srv', resolve)).toEqual({
        isGood: false,
        detail: 'proxy-1.internal resolves to 169.254.169.254, a link-local or metadata address',
      });
    });

    it('connects to other addresses', async () => {
      expect(await check('127.0.0.1', 'registration')).toEqual({ isGood: false, detail: 'ECONNREFUSED' });
      const port = await start((_, response) => response.end());
      const settings = { path: '/', timeoutMs: 5000 };
      expect(await probe({ host: 'localhost', port, source: 'registration' }, settings, NEVER)).toMatchObject({
        isGood: true,
      });
    });
  });

  it('connects to a link-local address that the operator has listed', async () => {
    const { detail } = await probe(
      { host: '169.254.0.1', port: 1, source: 'static' },
      { path: '/', timeoutMs: 50 },
      NEVER,
    );
    expect(detail).not.toMatch('link-local');
  });
});
