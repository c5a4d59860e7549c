import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  ApiError,
  PathParameterError,
  UnexpectedAnswerError,
  UnreachableError,
  createControlPlaneClient,
  createScimServiceClient,
  dataOf,
} from '@palisade/client';

const USER = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: 'ann' };

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

/** Answers `{}`, and keeps what was asked. */
async function record(): Promise<{ readonly url: string; readonly requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = [];
  const url = await serve((request, response) => {
    requests.push(request);
    response.setHeader('Content-Type', 'application/json').end('{}');
  });
  return { url, requests };
}

describe('a request', () => {
  it('goes below the path of a gateway, with its parameters filled in', async () => {
    const { url, requests } = await record();
    const client = createScimServiceClient({ baseUrl: `${url}/palisade/` });
    const path = { id: 'user:scim:a:b/c' };
    await client.GET('/scim/v2/Users/{id}', { params: { path, query: { attributes: ['userName', 'emails.value'] } } });
    expect(requests[0]?.url).toBe('/palisade/scim/v2/Users/user%3Ascim%3Aa%3Ab%2Fc?attributes=userName,emails.value');
  });

  it('is not sent when its path would be another one', async () => {
    const { url, requests } = await record();
    const client = createScimServiceClient({ baseUrl: url });
    const sent = client.DELETE('/api/v1/providers/{id}', { params: { path: { id: '..' } } });
    await expect(sent).rejects.toBeInstanceOf(PathParameterError);
    expect(requests).toEqual([]);
  });

  it('says what it sends and who sends it', async () => {
    const document = readFileSync(join(import.meta.dirname, '../../../docs/openapi/scim-service.json'), 'utf8');
    const { version } = (JSON.parse(document) as { readonly info: { readonly version: string } }).info;
    let body: Promise<string> | undefined;
    let headers: IncomingMessage['headers'] = {};
    const url = await serve((request, response) => {
      headers = request.headers;
      body = readText(request);
      body.then(
        () => response.writeHead(201, { 'Content-Type': 'application/scim+json' }).end('{"id":"user:scim:a:ann"}'),
        () => response.destroy(),
      );
    });
    const client = createScimServiceClient({ baseUrl: url, token: 'secret', userAgent: 'portal/1.2' });
    expect(dataOf(await client.POST('/scim/v2/Users', { body: USER })).id).toBe('user:scim:a:ann');
    const sent = await body;
    expect(JSON.parse(sent ?? '')).toEqual(USER);
    expect(headers).toMatchObject({
      authorization: 'Bearer secret',
      'content-type': 'application/scim+json',
      'content-length': String(sent?.length),
      'user-agent': `portal/1.2 palisade-client/${version}`,
    });
  });

  it('has the token of the moment', async () => {
    const { url, requests } = await record();
    const tokens = ['first', 'second'];
    const client = createControlPlaneClient({ baseUrl: url, token: async () => tokens.shift() ?? '' });
    await client.GET('/api/v1/pools');
    await client.GET('/api/v1/pools');
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer first', 'Bearer second']);
  });

  it.each(['', 'se\ncret', 'se cret', 'sécret'])('does not show %j, which is no token', async (token) => {
    const client = createControlPlaneClient({ baseUrl: 'http://127.0.0.1:1', token });
    await expect(client.GET('/api/v1/pools')).rejects.toThrow(/^token: expected a token(?!.*cret)/);
  });
});

describe('an address', () => {
  it.each(['localhost:9091', 'file:///etc/passwd', 'http://user:secret@a', 'http://a/?x=1', 'http://a/#x'])(
    'is not %s',
    (baseUrl) => {
      expect(() => createScimServiceClient({ baseUrl })).toThrow(/^baseUrl: expected (?!.*secret)/);
    },
  );
});

describe('a time limit', () => {
  it.each([0, 1.5, 2 ** 31, Infinity, NaN])('is not %d, which no timer takes', (timeoutMs) => {
    expect(() => createScimServiceClient({ baseUrl: 'http://a', timeoutMs })).toThrow(
      'timeoutMs: expected an integer from 1 to 2147483647',
    );
  });
});

describe('an answer', () => {
  it('that is a rejection is an error with its code', async () => {
    const url = await serve((_, response) => {
      const body = { code: 'TOO_MANY_REQUESTS', detail: 'later', request_id: 'r-1' };
      response.writeHead(429, { 'Content-Type': 'application/problem+json', 'Retry-After': '7' });
      response.end(JSON.stringify(body));
    });
    const { error, response } = await createControlPlaneClient({ baseUrl: url }).GET('/api/v1/pools');
    expect([error?.code, response.status]).toEqual(['TOO_MANY_REQUESTS', 429]);
    const failure: unknown = await createControlPlaneClient({ baseUrl: url })
      .GET('/api/v1/pools')
      .then(dataOf)
      .catch((thrown: unknown) => thrown);
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({ status: 429, code: 'TOO_MANY_REQUESTS', requestId: 'r-1', retryAfterSeconds: 7 });
  });

  it('that leads elsewhere is not followed: the token is for this service', async () => {
    const other = await record();
    const url = await serve((_, response) => response.writeHead(307, { Location: other.url }).end());
    const answer = await createControlPlaneClient({ baseUrl: url, token: 'secret' }).GET('/api/v1/pools');
    expect(() => dataOf(answer)).toThrow('HTTP 307');
    expect(other.requests).toEqual([]);
  });

  it('that is a web page is none of ours', async () => {
    const url = await serve((_, response) => response.setHeader('Content-Type', 'text/html').end('<html>'));
    const answer = createControlPlaneClient({ baseUrl: url }).GET('/api/v1/pools');
    await expect(answer).rejects.toThrow(`${url} answered text/html instead of JSON: is it the right address?`);
    await expect(answer).rejects.toBeInstanceOf(UnexpectedAnswerError);
  });

  it.each([{}, { 'Content-Length': '9' }])('that only says that it is JSON is none of ours: %j', async (headers) => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', ...headers });
      response.write('{"a":');
      response.end('hush');
    });
    const answer = createControlPlaneClient({ baseUrl: url }).GET('/api/v1/pools');
    await expect(answer).rejects.toThrow(`${url} answered what is not JSON: is it the right address?`);
    await expect(answer).rejects.toBeInstanceOf(UnexpectedAnswerError);
  });

  it('that is text is text when asked for', async () => {
    const url = await serve((_, response) => response.setHeader('Content-Type', 'text/plain').end('group:a#member'));
    const client = createScimServiceClient({ baseUrl: url });
    expect(dataOf(await client.GET('/api/v1/relationships', { parseAs: 'text' }))).toBe('group:a#member');
  });

  it('that says nothing is nothing', async () => {
    const url = await serve((_, response) => response.writeHead(204).end());
    const client = createControlPlaneClient({ baseUrl: url });
    const path = { tenant_id: 'acme' };
    expect(dataOf(await client.DELETE('/api/v1/tenants/{tenant_id}', { params: { path } }))).toBeUndefined();
  });
});

describe('a service that does not answer', () => {
  it('is unreachable where nothing listens', async () => {
    const url = await serve(() => undefined);
    const [server] = servers.splice(0);
    server?.close();
    await once(server as Server, 'close');
    await expect(createControlPlaneClient({ baseUrl: url }).GET('/api/v1/pools')).rejects.toThrow(
      `cannot reach ${url}: ECONNREFUSED`,
    );
  });

  it.each([
    ['is silent', (): void => undefined],
    ['stops in the middle', ((_, response) => response.write('{"items":')) satisfies RequestListener],
  ])('is unreachable after a while when it %s', async (_, listener: RequestListener) => {
    const url = await serve(listener);
    const answer = createControlPlaneClient({ baseUrl: url, timeoutMs: 200 }).GET('/api/v1/pools');
    await expect(answer).rejects.toThrow(`cannot reach ${url}: no answer within 200 ms`);
  });

  it('is unreachable after a while when it stops in the middle of a stream', async () => {
    const url = await serve((_, response) => response.setHeader('Content-Type', 'text/plain').write('a'));
    const client = createScimServiceClient({ baseUrl: url, timeoutMs: 200 });
    const read = async (): Promise<string> => {
      const { data } = await client.GET('/api/v1/relationships', { parseAs: 'stream' });
      return new Response(data ?? null).text();
    };
    await expect(read()).rejects.toThrow(`cannot reach ${url}: no answer within 200 ms`);
  });

  it('is unreachable when the connection is cut in the middle', async () => {
    const url = await serve((_, response) => response.write('{"items":', () => response.destroy()));
    const answer = createControlPlaneClient({ baseUrl: url }).GET('/api/v1/pools');
    await expect(answer).rejects.toBeInstanceOf(UnreachableError);
  });

  it('is not waited for by who gives up', async () => {
    const reason = new Error('no longer needed');
    const controller = new AbortController();
    const url = await serve(() => controller.abort(reason));
    const client = createControlPlaneClient({ baseUrl: url, signal: controller.signal });
    await expect(client.GET('/api/v1/pools')).rejects.toBe(reason);
    const request = new AbortController();
    const other = await serve(() => request.abort(reason));
    const { signal } = request;
    await expect(createControlPlaneClient({ baseUrl: other }).GET('/api/v1/pools', { signal })).rejects.toBe(reason);
  });
});
