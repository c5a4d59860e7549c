import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HOSTILE_NAMES } from '../../../libs/isolation/test/support/hostile-names.js';
import { EventReader } from './support/event-reader.js';
import { ProxyWorld, SETTINGS } from './support/proxy-world.js';
import { readKeys } from './support/redis-observer.js';
import type { Tenant } from './support/tenant.js';

let world: ProxyWorld;
let acme: Tenant;
/** Has something that the other one is after. */
let acme2: Tenant;

beforeAll(async () => {
  world = await ProxyWorld.start({ settings: SETTINGS });
  ({ acme, acme2 } = world);
  await acme2.put('secret', 'of the other');
  await acme2.query('notes.insert', { title: 'secret', body: 'of the other' });
  await acme2.send('POST', '/v1/topics/events', { body: { records: [{ value: 'of the other' }] } });
});

afterAll(() => world[Symbol.asyncDispose]());

/** As they would have to be called to hit the other tenant, and names that no place can have. */
const namesFor = ({ namespace }: Tenant): readonly string[] => [
  ...HOSTILE_NAMES.map((name) => name.replaceAll('bolt', namespace)),
  `2:secret`,
  `../${namespace}:secret`,
  `tenant.${namespace}.${namespace}.orders`,
  `${namespace}.events`,
  `2.events`,
  '_INBOX.>',
  '$JS.API.INFO',
  '__consumer_offsets',
  'x'.repeat(1025),
];

/** Sent as they are, or encoded once more or in another way than clients do. */
const RAW_PATHS = [
  '/v1/kv/..',
  '/v1/kv/../usage',
  '/v1/kv/%2e%2e',
  '/v1/kv/%2e%2e%2fusage',
  '/v1/kv/%252e%252e',
  '/v1/kv/%00',
  '/v1/kv/%ZZ',
  '/v1/kv/%ED%A0%80',
  '/v1/kv/%FF',
  '/v1/kv//secret',
  '/v1/kv/a;b=c',
  '//v1/kv/secret',
];

const REJECTIONS = [400, 404];

describe('names that a tenant makes up', () => {
  it('make no value of another readable, and change none', async () => {
    const answers = [];
    for (const name of namesFor(acme2)) {
      const path = `/v1/kv/${encodeURIComponent(name)}`;
      const before = await acme.send('GET', path);
      const put = await acme.send('PUT', path, { body: 'mine' });
      const after = await acme.send('GET', path);
      answers.push({ name, before: before.status, put: put.status, after: after.bytes.toString() });
    }
    const accepted = answers.filter(({ put }) => put === 204);
    expect(answers.filter(({ before }) => !REJECTIONS.includes(before))).toEqual([]);
    expect(accepted.filter(({ after }) => after !== 'mine')).toEqual([]);
    expect(accepted.length).toBeGreaterThan(30);
    const keys = [...(await readKeys(acme.namespace))];
    expect(keys.filter(([key]) => key.startsWith(`tenant:${acme2.namespace}:`))).toEqual([
      [`tenant:${acme2.namespace}:${acme2.namespace}:secret`, 'of the other'],
    ]);
    expect(keys.filter(([key]) => key.startsWith(`tenant:${acme.namespace}:`))).toHaveLength(accepted.length);
    expect(keys).toHaveLength(accepted.length + 1);
  });

  it.each(RAW_PATHS)('lead nowhere else: %s', async (path) => {
    const { status, bytes } = await acme.send('GET', path);
    expect(status === 200 ? bytes.toString() : REJECTIONS).toEqual(
      status === 200 ? 'mine' : expect.arrayContaining([status]),
    );
  });

  it('send no message to another', async () => {
    await using events = await EventReader.subscribe(acme2, '>');
    for (const name of namesFor(acme2)) {
      const { status } = await acme.send('POST', `/v1/messages/${encodeURIComponent(name)}`, { body: 'mine' });
      expect([202, ...REJECTIONS]).toContain(status);
    }
    await acme2.send('POST', '/v1/messages/end', { body: 'of the other' });
    expect(await events.next()).toEqual({
      event: 'message',
      data: { subject: 'end', data: { text: 'of the other' } },
    });
  });

  it('bring no message of another', async () => {
    for (const pattern of namesFor(acme2)) {
      const response = await acme.open('GET', `/v1/messages/${encodeURIComponent(pattern)}`);
      const { statusCode } = response;
      if (statusCode === 200) {
        await acme2.send('POST', '/v1/messages/orders.new', { body: 'of the other' });
        await acme.send('POST', '/v1/messages/end', { body: 'mine' });
        const text = await readFor(response, pattern === '>' || pattern === '*' ? 'mine' : 'subscribed');
        expect(text).not.toContain('of the other');
      }
      response.destroy();
      expect([200, ...REJECTIONS]).toContain(statusCode);
    }
  });

  it('get no answer from another', async () => {
    for (const name of [
      `tenant.${acme2.namespace}.${acme2.namespace}.shout`,
      `_INBOX_${acme2.namespace}.x`,
      '>',
      '*',
    ]) {
      const { status } = await acme.send('POST', `/v1/requests/${encodeURIComponent(name)}?timeout_ms=100`);
      expect([400, 503]).toContain(status);
    }
  });

  it('reach no topic and no group of another', async () => {
    const records = [{ value: 'mine' }];
    for (const name of namesFor(acme2)) {
      const encoded = encodeURIComponent(name);
      const produced = await acme.send('POST', `/v1/topics/${encoded}`, { body: { records } });
      expect([name, REJECTIONS.includes(produced.status)]).toEqual([name, true]);
    }
    expect(await acme2.consume('events', 'readers', '&wait_ms=500')).toEqual(['of the other']);
  }, 120_000);

  it('name no group of another', async () => {
    await acme.send('POST', '/v1/topics/events', { body: { records: [{ value: 'mine' }] } });
    for (const name of namesFor(acme2)) {
      const query = `group=${encodeURIComponent(name)}&max=1&commit=false`;
      const { status, bytes } = await acme.send('GET', `/v1/topics/events?${query}`);
      expect([name, [200, 400].includes(status), bytes.includes('of the other')]).toEqual([name, true, false]);
    }
  }, 120_000);

  it('are no statements, and are kept as they are in values', async () => {
    for (const name of namesFor(acme2)) {
      const { status } = await acme.query(encodeURIComponent(name));
      expect([name, status]).toEqual([name, 404]);
    }
    const titles = namesFor(acme2).filter((name) => name.length <= 200 && !name.includes('\0'));
    for (const title of titles) {
      await acme.query('notes.insert', { title, body: '' });
    }
    const { body } = await acme.query('notes.list', { limit: 1000 });
    const { rows } = body as { rows: { title: string }[] };
    expect(rows.map(({ title }) => title).toSorted()).toEqual(titles.toSorted());
  });

  it.each(['', 'x', '..', '*', '5D7E6E0C-8F6F-4C53-8D52-3A3A0A4B5C6D', 'x'.repeat(5000)])(
    'are no session: %s',
    async (id) => {
      const { status } = await acme.send('GET', '/v1/kv/a', { headers: { 'x-palisade-session': id } });
      expect(status).toBe(400);
    },
  );
});

async function readFor(response: AsyncIterable<unknown>, mark: string): Promise<string> {
  let text = '';
  for await (const chunk of response) {
    text += String(chunk);
    if (text.includes(mark)) {
      break;
    }
  }
  return text;
}
