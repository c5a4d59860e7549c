import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseProviderId } from '@palisade/domain';
import request from 'supertest';
import { patchOp, user } from './support/scim-bodies.js';
import { ScimClient } from './support/scim-client.js';
import { ScimProcess } from './support/scim-process.js';

const SCIM_TOKEN = 'planted-scim-token-0123456789';
const ADMIN_TOKEN = 'planted-admin-token-0123456789';
const PASSWORD = 'planted-password-0123456789';
const WRONG_TOKEN = 'planted-wrong-token-0123456789';
const FILTERED_NAME = 'planted.person@example.com';
const MINUTE_MS = 60_000;

describe('what leaves the process', () => {
  let service: ScimProcess;
  let client: ScimClient;
  const secrets = [SCIM_TOKEN, ADMIN_TOKEN, PASSWORD, WRONG_TOKEN, FILTERED_NAME];
  const answers: string[] = [];

  beforeAll(async () => {
    service = await ScimProcess.spawn({
      SVC_STORE_URL: 'memory:',
      SVC_SCIM_BEARER_TOKEN: SCIM_TOKEN,
      SVC_ADMIN_TOKEN: ADMIN_TOKEN,
      SVC_LOG_LEVEL: 'trace',
    });
    await service.untilReadiness(200);
    client = new ScimClient(service.origin, parseProviderId('default'), SCIM_TOKEN);
    await makeTraffic();
    await service.end('SIGTERM');
  }, MINUTE_MS);

  afterAll(() => service.end('SIGKILL'));

  function admin(method: 'get' | 'post', path: string) {
    return request(service.origin)[method](`/api/v1${path}`).set('Authorization', `Bearer ${ADMIN_TOKEN}`);
  }

  async function makeTraffic(): Promise<void> {
    const created = await client.post(
      '/Users',
      user({ externalId: 'ada', userName: FILTERED_NAME, password: PASSWORD }),
    );
    expect(created.status).toBe(201);
    const patched = await client.patch('/Users/ada', patchOp({ op: 'replace', path: 'password', value: PASSWORD }));
    const rejected = await client.patch(
      '/Users/ada',
      patchOp({ op: 'replace', path: 'password', value: { no: PASSWORD } }),
    );
    const wrong = await client.withToken(WRONG_TOKEN).query('/Users', { filter: `userName eq "${FILTERED_NAME}"` });
    expect([patched.status, rejected.status, wrong.status]).toEqual([200, 400, 401]);
    const issued = await admin('post', '/providers/default/tokens').send({ kind: 'client', description: 'test' });
    expect(issued.status).toBe(201);
    const { id, secret } = issued.body;
    const granted = await request(service.origin)
      .post('/oauth/token')
      .auth(id, secret)
      .type('form')
      .send({ grant_type: 'client_credentials' });
    expect(granted.status).toBe(200);
    secrets.push(secret, granted.body.access_token);
    await client.withToken(granted.body.access_token).query('/Users', { filter: `userName eq "${FILTERED_NAME}"` });
    const shown = await Promise.all([
      client.get('/Users'),
      admin('get', '/providers/default/tokens'),
      admin('get', '/log'),
      request(service.origin).get('/metrics'),
      request(service.origin).get('/health/ready'),
    ]);
    answers.push(...[created, patched, rejected, wrong, ...shown].map(({ text }) => text));
  }

  it('is no secret and no filter value in the logs', () => {
    expect(service.output).toContain('"path":"/scim/v2/Users"');
    for (const secret of secrets) {
      expect(service.output).not.toContain(secret);
    }
  });

  it('is no secret in any answer, but the one that issues it', () => {
    const isNoName = (secret: string): boolean => secret !== FILTERED_NAME;
    for (const secret of secrets.filter(isNoName)) {
      expect(answers.join('\n')).not.toContain(secret);
    }
  });

  it('ends with exit code 0 on SIGTERM', async () => {
    expect(await service.end('SIGTERM')).toBe(0);
  });
});
