import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { clientCredentials } from '@palisade/client';

const HOUR_MS = 3_600_000;

describe(clientCredentials.name, () => {
  const bodies: string[] = [];
  let server: Server;
  let status = 200;
  let now = 0;
  let token: () => Promise<string>;

  beforeEach(async () => {
    [status, now] = [200, 0];
    bodies.length = 0;
    server = createServer((request, response) => {
      void readText(request).then((body) => {
        bodies.push(body);
        const answer = {
          access_token: `token-${bodies.length}`,
          token_type: 'Bearer',
          expires_in: 3600,
          scope: 'scim',
        };
        response.writeHead(status, { 'Content-Type': 'application/json' });
        return response.end(JSON.stringify(status === 200 ? answer : { error: 'invalid_client' }));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    token = clientCredentials({ baseUrl, clientId: 'id', clientSecret: 's&=' }, () => now);
  });

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('sends the credentials as a form', async () => {
    await token();
    expect(bodies).toEqual(['grant_type=client_credentials&client_id=id&client_secret=s%26%3D']);
  });

  it('keeps a token until shortly before it ends', async () => {
    expect([await token(), await token()]).toEqual(['token-1', 'token-1']);
    now = HOUR_MS - 60_001;
    expect(await token()).toBe('token-1');
    now = HOUR_MS - 60_000;
    expect(await token()).toBe('token-2');
  });

  it('asks once for requests at the same time', async () => {
    expect(await Promise.all([token(), token()])).toEqual(['token-1', 'token-1']);
    now = HOUR_MS;
    expect(await Promise.all([token(), token(), token()])).toEqual(['token-2', 'token-2', 'token-2']);
  });

  it('says that it was rejected, and asks again', async () => {
    status = 401;
    await expect(token()).rejects.toThrow('invalid_client: Unauthorized');
    status = 200;
    expect(await token()).toBe('token-2');
  });
});
