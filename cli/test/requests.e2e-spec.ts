import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Palisade, type Ended } from './support/palisade.js';

describe('palisade against any server', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const run = (...arguments_: readonly string[]): Promise<Ended> =>
    Palisade.start(arguments_, { PALISADE_TOKEN: 'token-of-an-admin' }).ended();

  it('takes its token nowhere else', async () => {
    let requests = 0;
    const other = await serve((_, response) => {
      requests++;
      response.end('{}');
    });
    const url = await serve((_, response) => response.writeHead(307, { Location: `${other}/api/v1/pools` }).end());
    const { code, error } = await run('pool', 'list', '--url', url);
    expect([code, error, requests]).toEqual([1, 'HTTP 307: Temporary Redirect\n', 0]);
  });

  it('waits no longer than it is told', async () => {
    const url = await serve(() => undefined);
    const { code, error } = await run('pool', 'list', '--url', url, '--timeout-ms', '200');
    expect([code, error]).toEqual([1, `cannot reach ${url}: no answer within 200 ms\n`]);
  });

  it('says that a web page is no answer', async () => {
    const url = await serve((_, response) => response.end('<html>'));
    const { code, error } = await run('pool', 'list', '--url', url);
    expect([code, error]).toEqual([1, `${url} did not answer with JSON: is the address right?\n`]);
  });

  it('keeps the path of a gateway before its own', async () => {
    const paths: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      paths.push(request.url);
      response.end('{"items":[]}');
    });
    await run('tenant', 'list', '--limit', '5', '--url', `${url}/palisade/`);
    expect(paths).toEqual(['/palisade/api/v1/tenants?limit=5']);
  });

  it('tells a doctor that a clock is wrong', async () => {
    const url = await serve((_, response) => {
      response.setHeader('Date', new Date(0).toUTCString());
      response.end('{"items":[],"components":[]}');
    });
    const { code, out } = await run('doctor', '--scim-url', url, '--control-url', url);
    expect([code, out]).toEqual([1, expect.stringMatching(/^problem +scim-service clock: it differs/m)]);
  });
});
