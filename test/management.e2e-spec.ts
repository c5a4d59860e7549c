import type { Server } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { afterEach, describe, expect, it } from '@jest/globals';
import { parseProviderId } from '@palisade/domain';
import { digestSecret } from '@palisade/guards';
import { JsonLogger, ManagementListener, limitSlowRequests } from '@palisade/platform';
import { MemoryStore } from '@palisade/storage';
import request from 'supertest';
import { createControlPlaneApp } from '../apps/control-plane/src/app.setup.js';
import { createScimServiceApp } from '../apps/scim-service/src/app.setup.js';

const ADMIN_TOKEN = 'admin-token-of-the-tests';
const READ_TOKEN = 'read-token-of-the-tests';
const SCIM_TOKEN = 'scim-token-of-the-tests';
const FOR_OPERATORS = ['/metrics', '/docs', '/docs-json', '/docs-yaml', '/docs/swagger-ui.css'];
const HEALTH = ['/health/live', '/health/ready'];

const SHARED = {
  adminToken: ADMIN_TOKEN,
  adminTokenDigests: [{ name: 'prometheus', digest: digestSecret(READ_TOKEN), scope: 'read' }],
} as const;
const logger = new JsonLogger({ service: 'test', level: 'fatal' });

let app: NestExpressApplication | undefined;
afterEach(() => app?.close());

const CREATE = {
  'scim-service': (config: object) => {
    const scim = { scimBearerToken: SCIM_TOKEN, scimProviderId: parseProviderId('secretive') };
    return createScimServiceApp({ config: { ...SHARED, ...scim, ...config }, store: new MemoryStore(), logger });
  },
  'control-plane': (config: object) => {
    const control = { mayLead: false, proxyTokenDigests: [] };
    return createControlPlaneApp({ config: { ...SHARED, ...control, ...config }, store: new MemoryStore(), logger });
  },
};

/** The app with both of its listeners; the second one only if it is configured. */
async function start(name: keyof typeof CREATE, config: object = {}) {
  app = await CREATE[name](config);
  const server: Server = app.getHttpServer();
  limitSlowRequests(server);
  Object.assign(server, { requestTimeout: 100, headersTimeout: 100, connectionsCheckingInterval: 20 });
  await app.listen(0, '127.0.0.1');
  const { port } = app.get(ManagementListener).address ?? {};
  return { client: request(server), management: request(`http://127.0.0.1:${port}`), origin: await app.getUrl() };
}

describe.each(['scim-service', 'control-plane'] as const)('the management listener of %s', (name) => {
  it('has metrics, API pages and health, and nothing else', async () => {
    const { management } = await start(name, { managementListen: { host: '127.0.0.1', port: 0 } });
    for (const path of [...FOR_OPERATORS, ...HEALTH]) {
      await management.get(path).redirects(1).expect(200);
    }
    for (const path of ['/api/v1/log', '/scim/v2/Users', '/oauth/token', '/metricsx', '/docsx', '/health']) {
      await management.get(path).set('Authorization', `Bearer ${ADMIN_TOKEN}`).expect(404);
    }
  });

  it('takes metrics and API pages from the listener of the service, which keeps health', async () => {
    const { client } = await start(name, { managementListen: { host: '127.0.0.1', port: 0 } });
    for (const path of FOR_OPERATORS) {
      await client.get(path).set('Authorization', `Bearer ${ADMIN_TOKEN}`).expect(404);
    }
    for (const path of HEALTH) {
      await client.get(path).expect(200);
    }
    await client.get('/api/v1/log').set('Authorization', `Bearer ${ADMIN_TOKEN}`).expect(200);
  });

  it('is not there unless it is configured', async () => {
    const { client } = await start(name);
    expect(app?.get(ManagementListener).address).toBeUndefined();
    for (const path of [...FOR_OPERATORS, ...HEALTH]) {
      await client.get(path).redirects(1).expect(200);
    }
  });

  it('closes with the app', async () => {
    const { management } = await start(name, { managementListen: { host: '127.0.0.1', port: 0 } });
    await app?.close();
    await expect(management.get('/health/live')).rejects.toThrow('ECONNREFUSED');
  });
});

describe('metrics', () => {
  it('name providers only to admins', async () => {
    const { client } = await start('scim-service');
    await client.get('/scim/v2/Users').set('Authorization', `Bearer ${SCIM_TOKEN}`).expect(200);
    const { text: open } = await client.get('/metrics').expect(200);
    expect(open).toContain('route="/scim/v2/Users"');
    expect(open).not.toMatch(/provider=|secretive/);
    const { text: whole } = await client.get('/metrics').set('Authorization', `Bearer ${READ_TOKEN}`).expect(200);
    expect(whole).toContain('provider_requests_total{provider="secretive",status="200"} 1');
    expect(whole).toContain('route="/scim/v2/Users"');
  });

  it('are for nobody with a credential that admits to nothing', async () => {
    const { client } = await start('scim-service');
    for (const token of [SCIM_TOKEN, 'invented']) {
      await client.get('/metrics').set('Authorization', `Bearer ${token}`).expect(401);
    }
  });
});

describe('a body that does not arrive in time', () => {
  it.each([
    ['/oauth/token', 'application/x-www-form-urlencoded', undefined],
    ['/scim/v2/Users', 'application/scim+json', SCIM_TOKEN],
    ['/scim/v2/Bulk', 'application/scim+json', SCIM_TOKEN],
    ['/api/v1/bindings', 'application/json', ADMIN_TOKEN],
  ])('ends the connection with 408 at %s, also when some of it keeps coming', async (path, type, token) => {
    const { origin } = await start('scim-service');
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    const credential = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`;
    socket.write(`POST ${path} HTTP/1.1\r\nHost: scim.example\r\n${credential}`);
    socket.write(`Content-Type: ${type}\r\nContent-Length: 1000\r\n\r\n`);
    const trickle = setInterval(() => socket.write(' '), 10);
    try {
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /);
    } finally {
      clearInterval(trickle);
      socket.destroy();
    }
  });
});
