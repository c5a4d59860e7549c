import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseProviderId } from '@palisade/domain';
import request from 'supertest';
import { createScratchDatabase, type ScratchDatabase } from '../libs/storage/test/scratch-database.js';
import { patchOp, user } from './support/scim-bodies.js';
import { ScimClient } from './support/scim-client.js';
import { ServiceProcess } from './support/service-process.js';
import { OtlpReceiver } from './support/tracing/otlp-receiver.js';

const SCIM_TOKEN = 'planted-scim-token-0123456789';
const ADMIN_TOKEN = 'planted-admin-token-0123456789';
const WRONG_TOKEN = 'planted-wrong-token-0123456789';
const PASSWORD = 'planted-password-0123456789';
const PERSON = 'planted.person@example.com';
const COOKIE = 'planted-cookie';
const BAGGAGE = 'planted-baggage';
const AGENT = 'planted-agent';
const MINUTE_MS = 60_000;
const AN_HOUR = '600000';

describe.each(['http/json', 'http/protobuf'])('what spans carry over %s', (protocol) => {
  let database: ScratchDatabase;
  let receiver: OtlpReceiver;
  const secrets = [SCIM_TOKEN, ADMIN_TOKEN, WRONG_TOKEN, PASSWORD, PERSON, COOKIE, BAGGAGE, AGENT];

  beforeAll(async () => {
    [database, receiver] = await Promise.all([createScratchDatabase(), OtlpReceiver.start()]);
    await using service = await ServiceProcess.spawn('scim-service', {
      SVC_STORE_URL: database.url,
      SVC_SCIM_BEARER_TOKEN: SCIM_TOKEN,
      SVC_ADMIN_TOKEN: ADMIN_TOKEN,
      OTEL_TRACES_EXPORTER: 'otlp',
      OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
      OTEL_BSP_SCHEDULE_DELAY: AN_HOUR,
    });
    await service.untilReadiness(200);
    await provision(new ScimClient(service.origin, parseProviderId('default'), SCIM_TOKEN));
    await administer(service.origin);
    await service.end('SIGTERM');
  }, MINUTE_MS);

  afterAll(async () => {
    await receiver[Symbol.asyncDispose]();
    await database.drop();
  });

  async function provision(client: ScimClient): Promise<void> {
    const ada = user({ externalId: PERSON, userName: PERSON, password: PASSWORD, emails: [{ value: PERSON }] });
    const created = await client
      .post('/Users', ada)
      .set({ Cookie: `session=${COOKIE}`, Baggage: `person=${BAGGAGE}`, 'User-Agent': AGENT });
    const again = await client.post('/Users', ada);
    const sameName = await client.post('/Users', user({ externalId: 'other', userName: PERSON }));
    const replacement = patchOp({ op: 'replace', path: 'password', value: PASSWORD });
    const patched = await client.patch(`/Users/${encodeURIComponent(PERSON)}`, replacement);
    const found = await client.query('/Users', { filter: `emails[value eq "${PERSON}"] or userName co "${PERSON}"` });
    const invalid = await client.query('/Users', { filter: `userName eq ${PERSON}` });
    const wrong = await client.withToken(WRONG_TOKEN).query('/Users', { filter: `userName eq "${PERSON}"` });
    const statuses = [created, again, sameName, patched, found, invalid, wrong].map(({ status }) => status);
    expect(statuses).toEqual([201, 201, 409, 200, 200, 400, 401]);
    expect(found.body.totalResults).toBe(1);
  }

  async function administer(origin: string): Promise<void> {
    const admin = (method: 'get' | 'post', path: string) =>
      request(origin)[method](`/api/v1${path}`).set('Authorization', `Bearer ${ADMIN_TOKEN}`);
    const issued = await admin('post', '/providers/default/tokens').send({ kind: 'client', description: PERSON });
    expect(issued.status).toBe(201);
    const { id, secret } = issued.body;
    const granted = await request(origin)
      .post('/oauth/token')
      .auth(id, secret)
      .type('form')
      .send({ grant_type: 'client_credentials' });
    expect(granted.status).toBe(200);
    secrets.push(secret, granted.body.access_token, Buffer.from(`${id}:${secret}`).toString('base64'));
    await new ScimClient(origin, parseProviderId('default'), granted.body.access_token).get('/Users').expect(200);
    await admin('get', `/access/users/${encodeURIComponent(`user:scim:default:${PERSON}`)}`);
    await fetch(`${origin}/nowhere/${PERSON}?token=${SCIM_TOKEN}`);
  }

  it('is what was asked for', () => {
    const names = ['POST /scim/v2/Users', 'GET /scim/v2/Users', 'POST /oauth/token', 'SELECT resources'];
    expect(names.filter((name) => !receiver.bytes.includes(name))).toEqual([]);
  });

  it('is no token, password, name, filter, cookie, baggage or agent, as it is or encoded', () => {
    const forms = secrets.flatMap((secret) => [secret, encodeURIComponent(secret), btoa(secret).replaceAll('=', '')]);
    expect(forms.filter((form) => receiver.bytes.includes(form))).toEqual([]);
  });

  it('is no credential of the database', () => {
    const { username, password } = new URL(database.url);
    expect(receiver.bytes.includes(`${username}:${password}`)).toBe(false);
  });
});
