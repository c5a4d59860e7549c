import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { FairTurns, TooManyRequestsException, currentRequest } from '@palisade/platform';
import request from 'supertest';
import { waitUntil } from '../../../libs/isolation/test/support/wait-until.js';
import { EventReader } from './support/event-reader.js';
import { NatsResponder } from './support/nats-responder.js';
import { ProxyWorld, SETTINGS } from './support/proxy-world.js';
import type { Tenant } from './support/tenant.js';

let world: ProxyWorld;
let acme: Tenant;

beforeAll(async () => {
  world = await ProxyWorld.start({ settings: SETTINGS });
  ({ acme } = world);
});

afterAll(() => world[Symbol.asyncDispose]());

/** For everybody; all others are for callers of a namespace. */
const OPEN_ROUTES = new Set(['get /health/live', 'get /health/ready', 'get /metrics']);

const METHODS = ['get', 'put', 'post', 'delete'] as const;

describe('the data proxy', () => {
  it('wants a credential on every route but those that are open', async () => {
    const answers: Record<string, unknown> = {};
    for (const route of world.routes().filter((each) => !OPEN_ROUTES.has(each))) {
      const [name, path = ''] = route.split(' ');
      const method = METHODS.find((each) => each === name) ?? 'get';
      const { status, body, headers } = await request(world.origin)[method](path.replaceAll(/:\w+/g, 'x'));
      answers[route] = [status, body.code, headers['www-authenticate']];
    }
    const rejection = [401, 'UNAUTHENTICATED', 'ApiKey realm="palisade"'];
    expect(answers).toEqual(Object.fromEntries(Object.keys(answers).map((route) => [route, rejection])));
    expect(Object.keys(answers)).toHaveLength(15);
  });

  it.each(['/health/live', '/health/ready', '/metrics'])('answers %s to everybody', async (path) => {
    await request(world.origin).get(path).expect(200);
  });

  it('answers nobody on a route that it does not have', async () => {
    await expect(acme.send('GET', '/v1/secrets')).resolves.toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it.each(['/V1/usage', '/METRICS', '/Health/ready'])('does not know %s: paths are case-sensitive', async (path) => {
    await expect(acme.send('GET', path)).resolves.toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it.each([
    ['a token that it does not accept', 'Bearer nonsense'],
    ['a password', 'Basic YTpi'],
  ])('rejects a valid key beside %s', async (_, authorization) => {
    const answer = await acme.send('GET', '/v1/usage', { headers: { authorization } });
    expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
  });

  it('knows before a body is read whose turn it is', async () => {
    const turns = world.get(FairTurns);
    const callers: unknown[] = [];
    jest.spyOn(turns, 'begin').mockImplementation(() => {
      callers.push(currentRequest()?.logFields['namespace']);
      throw new TooManyRequestsException();
    });
    const answer = await acme.send('PUT', '/v1/kv/key', { body: 'not read' });
    jest.restoreAllMocks();
    expect(answer).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } });
    expect(callers).toEqual([acme.namespace]);
  });

  it('keeps to the namespace of the credential, whatever the request says', async () => {
    const headers = { 'x-palisade-namespace': world.acme2.namespace };
    const answer = await acme.send('GET', '/v1/usage', { headers });
    expect(answer).toMatchObject({ status: 404, body: { code: 'NAMESPACE_NOT_FOUND' } });
  });
});

describe('/v1/kv', () => {
  it('keeps bytes as they are', async () => {
    const value = Uint8Array.from({ length: 256 }, (_, index) => index);
    await expect(acme.send('PUT', '/v1/kv/bytes', { body: value })).resolves.toMatchObject({ status: 204 });
    const { headers, bytes } = await acme.get('bytes');
    expect([headers['content-type'], bytes]).toEqual(['application/octet-stream', Buffer.from(value)]);
  });

  it('forgets a key after its time', async () => {
    await expect(acme.send('PUT', '/v1/kv/short?ttl_ms=1', { body: 'x' })).resolves.toMatchObject({ status: 204 });
    await waitUntil(async () => (await acme.get('short')).status === 404, 'the key is gone');
  });

  it('deletes a key', async () => {
    await acme.put('gone', 'x');
    await expect(acme.send('DELETE', '/v1/kv/gone')).resolves.toMatchObject({ status: 204 });
    await expect(acme.send('DELETE', '/v1/kv/gone')).resolves.toMatchObject({
      status: 404,
      body: { code: 'KEY_NOT_FOUND' },
    });
  });
});

describe('/v1/messages', () => {
  it('brings messages to whoever is subscribed', async () => {
    await using events = await EventReader.subscribe(acme, 'orders.*');
    await expect(acme.send('POST', '/v1/messages/orders.new', { body: 'first' })).resolves.toMatchObject({
      status: 202,
    });
    await acme.send('POST', '/v1/messages/orders.old', { body: Uint8Array.of(0xff) });
    expect(await events.take(2)).toEqual([
      { event: 'message', data: { subject: 'orders.new', data: { text: 'first' } } },
      { event: 'message', data: { subject: 'orders.old', data: { base64: '/w==' } } },
    ]);
  });

  it('rejects a subscription before it answers', async () => {
    await expect(acme.send('GET', '/v1/messages/a%20b')).resolves.toMatchObject({
      status: 400,
      body: { code: 'INVALID_NAME' },
    });
  });

  it('gives up the connection when the subscriber goes away', async () => {
    const usage = async () => (await acme.send('GET', '/v1/usage')).body;
    await using events = await EventReader.subscribe(acme, 'leaving');
    expect(await usage()).toMatchObject({
      connections: expect.arrayContaining([expect.objectContaining({ backend: 'nats', active: 1 })]),
    });
    await events[Symbol.asyncDispose]();
    await waitUntil(
      async () => !JSON.stringify(await usage()).includes('"backend":"nats","active":1'),
      'it is given back',
    );
  });
});

describe('/v1/requests', () => {
  it('answers what a service of the namespace answers', async () => {
    await using _ = await NatsResponder.start(`tenant.${acme.namespace}.${acme.namespace}.shout`);
    const { status, bytes } = await acme.send('POST', '/v1/requests/shout', { body: 'hello' });
    expect([status, bytes.toString()]).toEqual([200, 'HELLO']);
  });

  it('says when nobody could answer', async () => {
    const { status, headers, body } = await acme.send('POST', '/v1/requests/nobody', { body: 'hello' });
    expect([status, headers['retry-after'], body]).toEqual([
      503,
      '1',
      expect.objectContaining({ code: 'NO_RESPONDERS' }),
    ]);
  });
});

describe('/v1/queries', () => {
  it('runs named statements with values', async () => {
    const inserted = await acme.query('notes.insert', { title: "Robert'); drop table notes; --", body: 'x' });
    const { rows } = inserted.body as { rows: { id: string }[] };
    const { body: found } = await acme.query('notes.get', { id: rows[0]?.id });
    expect(found).toMatchObject({ rows: [{ title: "Robert'); drop table notes; --", body: 'x' }], row_count: 1 });
  });

  it.each([
    ['a statement of the caller', 'select%201', {}, 404, 'STATEMENT_NOT_FOUND'],
    ['a name that every object has', 'constructor', {}, 404, 'STATEMENT_NOT_FOUND'],
    ['no values', 'notes.insert', {}, 400, 'INVALID_VALUES'],
    ['a value too many', 'notes.list', { limit: 1, tenant_id: 'x' }, 400, 'INVALID_VALUES'],
    ['a value of another kind', 'notes.list', { limit: '1; drop table notes' }, 400, 'INVALID_VALUES'],
    ['a NUL character', 'notes.insert', { title: 'a\0b', body: '' }, 400, 'INVALID_VALUES'],
  ])('rejects %s', async (_, name, values, status, code) => {
    await expect(acme.query(name, values)).resolves.toMatchObject({ status, body: { code } });
  });

  it('begins no transaction without a session', async () => {
    await expect(acme.send('POST', '/v1/transaction')).resolves.toMatchObject({
      status: 400,
      body: { code: 'SESSION_REQUIRED' },
    });
  });
});

describe('/v1/topics', () => {
  it('brings each record to a group once', async () => {
    const records = ['one', 'two', 'three'].map((value) => ({ key: 'k', value }));
    const produced = await acme.send('POST', '/v1/topics/events', { body: { records } });
    expect(produced).toMatchObject({ status: 200, body: { positions: [{ offset: '0' }] } });
    expect(await acme.consume('events', 'readers', '&max=2')).toEqual(['one', 'two']);
    expect(await acme.consume('events', 'readers', '&max=1')).toEqual(['three']);
  });

  it('brings them again unless the group has committed', async () => {
    const take = () => acme.consume('events', 'peekers', '&max=1&commit=false');
    expect([await take(), await take()]).toEqual([['one'], ['one']]);
  });

  it('knows no topic that was not made', async () => {
    const ask = { body: { records: [{ value: 'x' }] } };
    await expect(acme.send('POST', '/v1/topics/unknown', ask)).resolves.toMatchObject({ status: 404 });
  });
});

describe('/v1/usage', () => {
  it('tells a namespace of itself only', async () => {
    await world.acme2.query('notes.list', { limit: 1 });
    const { body } = await world.acme2.send('GET', '/v1/usage');
    expect(body).toMatchObject({ namespace: world.acme2.namespace, requests: 1, errors: 0 });
  });

  it('tells operators of all', async () => {
    const { text } = await request(world.origin).get('/metrics').expect(200);
    expect(text).toContain(`namespace="${acme.namespace}"`);
  });
});
