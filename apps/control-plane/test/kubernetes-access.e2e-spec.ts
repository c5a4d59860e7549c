import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { requireBinary } from '../../../test/support/test-services.js';
import { ClusterAccess } from '../src/kubernetes/api/cluster-access.js';
import { KubernetesApi } from '../src/kubernetes/api/kubernetes-api.js';
import { KubernetesError } from '../src/kubernetes/api/kubernetes.errors.js';
import { FakeApiServer } from './support/kubernetes/fake-api-server.js';

function* endless(): Generator<Buffer> {
  const chunk = Buffer.alloc(2 ** 20, 'x');
  while (true) {
    yield chunk;
  }
}

const PODS = { method: 'GET', path: '/api/v1/namespaces/default/pods' } as const;

describe(KubernetesApi.name, () => {
  let directory: string;
  let stop: AsyncDisposableStack;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'palisade-access-'));
    makeCertificate('server');
    makeCertificate('other');
  });
  afterAll(() => rmSync(directory, { recursive: true }));
  beforeEach(() => {
    stop = new AsyncDisposableStack();
  });
  afterEach(async () => {
    await stop.disposeAsync();
  });

  const pathTo = (name: string): string => join(directory, name);

  function makeCertificate(name: string): void {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', `${name}.key`];
    const subject = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'];
    const args = ['req', '-x509', ...key, ...subject, '-out', `${name}.pem`];
    execFileSync(requireBinary('openssl'), args, { cwd: directory, stdio: 'ignore' });
  }

  function write(cluster: object, user: object = {}): string {
    const content = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'c', cluster }],
      users: [{ name: 'u', user }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    };
    writeFileSync(pathTo('kubeconfig'), JSON.stringify(content));
    return pathTo('kubeconfig');
  }

  function connect(file: string, timeoutMs = 2000): KubernetesApi {
    const api = new KubernetesApi(new ClusterAccess(file), timeoutMs);
    stop.defer(() => api.close());
    return api;
  }

  /** A server without TLS that answers as it is told. */
  async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<object> {
    const server = createServer(answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    stop.defer(async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    });
    const { port } = server.address() as AddressInfo;
    return { server: `http://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true };
  }
  /** Without TLS, to whoever has this token. */
  const serveFor = (token: string) =>
    serve(({ headers }, response) => {
      response.writeHead(headers.authorization === `Bearer ${token}` ? 200 : 401);
      response.end('{}');
    });

  describe('with TLS', () => {
    let fake: FakeApiServer;
    let server: string;
    beforeEach(async () => {
      const [cert, key] = [readFileSync(pathTo('server.pem'), 'utf8'), readFileSync(pathTo('server.key'), 'utf8')];
      fake = stop.use(await FakeApiServer.start({ cert, key }));
      server = `https://127.0.0.1:${fake.port}`;
    });

    it('trusts the authority that the file names, and sends the token', async () => {
      const file = write({ server, 'certificate-authority': 'server.pem' }, { token: 'token-of-the-test' });
      expect(await connect(file).request(PODS)).toMatchObject({ kind: 'PodList', items: [] });
      expect(fake.lastAuthorization).toBe('Bearer token-of-the-test');
    });

    it('trusts an authority in the file', async () => {
      const data = readFileSync(pathTo('server.pem')).toString('base64');
      const api = connect(write({ server, 'certificate-authority-data': data }));
      expect(await api.request(PODS)).toMatchObject({ kind: 'PodList' });
    });

    it.each([
      ['another authority', { 'certificate-authority': 'other.pem' }],
      ['no authority', {}],
    ])('sends nothing to a server that %s vouches for', async (_, authority) => {
      const api = connect(write({ server, ...authority }, { token: 'token-of-the-test' }));
      await expect(api.request(PODS)).rejects.toThrow(/certificate/);
      expect(fake.lastAuthorization).toBeUndefined();
    });
  });

  describe('credentials', () => {
    it('are read again after the API server does not accept them', async () => {
      const cluster = await serveFor('new');
      const api = connect(write(cluster, { token: 'old' }));
      await expect(api.request(PODS)).rejects.toMatchObject({ status: 401 });
      write(cluster, { token: 'new' });
      expect(await api.request(PODS)).toEqual({});
    });

    it('come from a file, as they do in a pod', async () => {
      writeFileSync(pathTo('token'), 'of-the-file');
      const provider = { name: 'tokenFile', config: { tokenFile: pathTo('token') } };
      const api = connect(write(await serveFor('of-the-file'), { 'auth-provider': provider }));
      expect(await api.request(PODS)).toEqual({});
    });

    it('come from a program', async () => {
      const credential = JSON.stringify({
        apiVersion: 'client.authentication.k8s.io/v1',
        kind: 'ExecCredential',
        status: { token: 'of-the-program' },
      });
      writeFileSync(pathTo('login'), `#!/bin/sh\necho '${credential}'\n`);
      chmodSync(pathTo('login'), 0o755);
      const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: pathTo('login') };
      const api = connect(write(await serveFor('of-the-program'), { exec }));
      expect(await api.request(PODS)).toEqual({});
    });

    it('do not keep anybody waiting when a program does not end', async () => {
      writeFileSync(pathTo('login'), '#!/bin/sh\nexec sleep 1\n');
      chmodSync(pathTo('login'), 0o755);
      const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: pathTo('login') };
      const api = connect(write(await serveFor('x'), { exec }), 100);
      await expect(api.request(PODS)).rejects.toThrow('GET /api/v1/namespaces/default/pods: no answer in time');
    });
  });

  describe('access that cannot be used', () => {
    it.each([
      ['no such file', undefined, /ENOENT/],
      ['no YAML', '{', /cannot access the cluster/],
      ['a text', 'hello', /cannot access the cluster/],
      ['nothing', '', /cannot access the cluster/],
      ['no current context', '{"clusters":[],"users":[],"contexts":[]}', /has no current cluster/],
    ])('is told: %s', async (_, content, message) => {
      rmSync(pathTo('kubeconfig'), { force: true });
      if (content !== undefined) {
        writeFileSync(pathTo('kubeconfig'), content);
      }
      const request = connect(pathTo('kubeconfig')).request(PODS);
      await expect(request).rejects.toThrow(KubernetesError);
      await expect(request).rejects.toThrow(message);
    });

    it('is told: a server without TLS that is not marked as such', async () => {
      const api = connect(write({ server: 'http://127.0.0.1:1' }));
      await expect(api.request(PODS)).rejects.toThrow(/HTTP protocol is not allowed/);
    });

    it('may be put right meanwhile', async () => {
      rmSync(pathTo('kubeconfig'), { force: true });
      const api = connect(pathTo('kubeconfig'));
      await expect(api.request(PODS)).rejects.toThrow(/ENOENT/);
      write(await serveFor('t'), { token: 't' });
      expect(await api.request(PODS)).toEqual({});
    });
  });

  describe('an answer', () => {
    it.each(['', 'null', '[]', '"x"', '{"a":', '<html>'])('that is no JSON object is a failure: %j', async (body) => {
      const api = connect(write(await serve((_, response) => response.end(body))));
      await expect(api.request(PODS)).rejects.toThrow('the answer is not a JSON object');
    });

    it('that is too long is a failure', async () => {
      const cluster = await serve((_, response) => void pipeline(endless(), response).catch(() => {}));
      await expect(connect(write(cluster), 20_000).request(PODS)).rejects.toThrow(/more than 67108864 bytes/);
    });

    it('that is cut short is a failure', async () => {
      const cluster = await serve((_, response) => {
        response.writeHead(200, { 'Content-Length': '100' });
        response.write('{}', () => response.destroy());
      });
      await expect(connect(write(cluster)).request(PODS)).rejects.toThrow(KubernetesError);
    });

    it('that does not come is a failure', async () => {
      const api = connect(write(await serve(() => {})), 100);
      await expect(api.request(PODS)).rejects.toThrow('no answer in time');
    });

    it('of a rejection tells why, without secrets, and is not too long', async () => {
      const message = `no: Authorization was Bearer abc.def-ghi ${'x'.repeat(10_000)}`;
      const api = connect(
        write(
          await serve((_, response) => {
            response.writeHead(422).end(JSON.stringify({ kind: 'Status', message }));
          }),
        ),
      );
      const error: unknown = await api.request(PODS).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ status: 422, message: expect.stringContaining('Bearer [redacted]') });
      expect(String(error).length).toBeLessThan(600);
    });

    it.each([
      ['2', 2000],
      ['600', 60_000],
      ['Fri, 20 Nov 2026 08:30:00 GMT', undefined],
      ['-1', undefined],
    ])('may ask to be left alone: Retry-After %s', async (value, retryAfterMs) => {
      const cluster = await serve((_, response) => response.writeHead(429, { 'Retry-After': value }).end());
      await expect(connect(write(cluster)).request(PODS)).rejects.toMatchObject({ status: 429, retryAfterMs });
    });

    it('that redirects is not followed', async () => {
      let requests = 0;
      const cluster = await serve((_, response) => {
        requests++;
        response.writeHead(307, { Location: '/elsewhere' }).end();
      });
      await expect(connect(write(cluster)).request(PODS)).rejects.toMatchObject({ status: 307 });
      expect(requests).toBe(1);
    });
  });

  it('keeps the path of a server behind a gateway', async () => {
    let path: string | undefined;
    const { server, ...tls } = (await serve(({ url }, response) => {
      path = url;
      response.end('{}');
    })) as { readonly server: string };
    await connect(write({ server: `${server}/k8s/clusters/c-1/`, ...tls })).request(PODS);
    expect(path).toBe('/k8s/clusters/c-1/api/v1/namespaces/default/pods');
  });
});
