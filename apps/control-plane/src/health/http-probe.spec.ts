import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
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
    probe({ host: '127.0.0.1', port }, { path: '/health/ready', timeoutMs }, NEVER);

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
});
