import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AccessQuestionDocument } from '@palisade/domain';
import { eventOf, FAKE_TOKEN, FakeControlPlane } from '../../test/support/fake-control-plane.js';
import {
  ControlPlaneClient,
  tokenFromFile,
  type ControlPlaneClientOptions,
  type PolicyEvent,
} from './control-plane-client.js';
import { ControlPlaneRejectedError, ControlPlaneUnavailableError } from './control-plane.errors.js';

const IDENTITY = { id: 'p1', pool: 'standard', host: '10.0.0.7', port: 8080 };
const DEAD = 'http://127.0.0.1:9';

let fake: FakeControlPlane;

beforeEach(async () => {
  fake = await FakeControlPlane.start();
});

afterEach(() => fake[Symbol.asyncDispose]());

function createClient(options: Partial<ControlPlaneClientOptions> = {}): ControlPlaneClient {
  return new ControlPlaneClient({ urls: [fake.url], token: FAKE_TOKEN, timeoutMs: 500, ...options });
}

async function take(events: AsyncIterable<PolicyEvent>, count: number): Promise<PolicyEvent[]> {
  const taken: PolicyEvent[] = [];
  for await (const event of events) {
    if (taken.push(event) === count) {
      break;
    }
  }
  return taken;
}

describe(ControlPlaneClient.name, () => {
  it('registers a proxy, and is told how often it has to send heartbeats', async () => {
    fake.heartbeatIntervalSeconds = 0.5;
    const answer = await createClient().register(IDENTITY);
    expect([answer, fake.registrations]).toEqual([{ heartbeatIntervalMs: 500 }, [IDENTITY]]);
  });

  it('says of a proxy that is not known that it has to register', async () => {
    await expect(createClient().heartbeat('p1')).resolves.toBeUndefined();
  });

  it('gets the parts of caps with the answer to a heartbeat', async () => {
    fake.isKnown = true;
    const part = { sequence: 3, limit: 25, valid_seconds: 30, base: 10, base_valid_seconds: 900 };
    fake.caps = { postgres: part };
    await expect(createClient().heartbeat('p1')).resolves.toMatchObject({ caps: { postgres: part } });
  });

  it.each([
    ['a part without a number', { sequence: 3, limit: 25, valid_seconds: 30, base: 10 }],
    ['a negative part', { sequence: 3, limit: -1, valid_seconds: 30, base: 0, base_valid_seconds: 900 }],
  ])('takes nothing from an answer with %s', async (_, part) => {
    fake.isKnown = true;
    fake.caps = { postgres: part as never };
    await expect(createClient().heartbeat('p1')).rejects.toThrow(/caps\.postgres/);
  });

  it('removes a proxy, also one that is removed already', async () => {
    await createClient().remove('p1');
    fake.isKnown = true;
    await createClient().remove('p1');
    expect(fake.removed).toEqual(['p1']);
  });

  it('says which status and code a request was rejected with', async () => {
    const rejection = createClient({ token: 'another' }).register(IDENTITY);
    await expect(rejection).rejects.toThrow('the control plane answered POST /proxies with 401 UNAUTHENTICATED');
    await expect(rejection).rejects.toBeInstanceOf(ControlPlaneRejectedError);
  });

  it('goes on with the next control plane, and stays with the one that answers', async () => {
    const client = createClient({ urls: [DEAD, fake.url] });
    await client.register(IDENTITY);
    await client.heartbeat('p1');
    expect(fake.heartbeats).toHaveLength(1);
  });

  it('names every control plane that did not answer, and why', async () => {
    const client = createClient({ urls: [DEAD, 'http://127.0.0.1:10'] });
    await expect(client.register(IDENTITY)).rejects.toThrow(/127\.0\.0\.1:9: .*127\.0\.0\.1:10: /);
  });

  it('gives up on a control plane that accepts connections and never answers', async () => {
    fake.handle = () => {};
    await expect(createClient({ timeoutMs: 50 }).register(IDENTITY)).rejects.toBeInstanceOf(
      ControlPlaneUnavailableError,
    );
  });

  it('follows no redirect, which would take its token elsewhere', async () => {
    await using thief = await FakeControlPlane.start();
    fake.handle = (_, response) => response.writeHead(307, { location: `${thief.url}/api/v1/proxies` }).end();
    await expect(createClient().register(IDENTITY)).rejects.toBeInstanceOf(ControlPlaneUnavailableError);
    expect(thief.registrations).toEqual([]);
  });

  it('reads no answer that has no end', async () => {
    fake.handle = (_, response) => {
      const more = (): void =>
        void (response.write('x'.repeat(100_000)) ? setImmediate(more) : response.once('drain', more));
      more();
    };
    await expect(createClient({ timeoutMs: 5000 }).register(IDENTITY)).rejects.toThrow('more than 4194304 bytes');
  });

  it.each(['<html>', '[]', '{}', '{"heartbeat_interval_seconds":0}', '{"heartbeat_interval_seconds":"5"}'])(
    'does not take %s for the answer of a control plane',
    async (body) => {
      fake.handle = (_, response) => response.end(body);
      await expect(createClient().register(IDENTITY)).rejects.toBeInstanceOf(ControlPlaneUnavailableError);
    },
  );

  it('reads its token for each request', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'palisade-token-'));
    const path = join(directory, 'token');
    const client = createClient({ token: tokenFromFile(path) });
    writeFileSync(path, `${FAKE_TOKEN}\n`);
    await client.register(IDENTITY);
    fake.token = 'its-successor';
    writeFileSync(path, 'its-successor');
    await expect(client.heartbeat('p1')).resolves.toBeDefined();
    rmSync(directory, { recursive: true });
  });

  it.each([[[]], [['ftp://control']], [['control.example.com']]])('cannot be made of the URLs %j', (urls) => {
    expect(() => createClient({ urls })).toThrow(TypeError);
  });

  it('asks about access in requests of at most 1,000 questions, and answers in order', async () => {
    fake.isKnown = true;
    fake.answer = ({ user }) => ({ allowed: Number(user) % 2 === 0 });
    const questions = Array.from({ length: 1001 }, (_, at): AccessQuestionDocument => {
      return { user: String(at), namespace: 'acme', relation: 'read' };
    });
    const answers = await createClient().askAccess('p1', questions);
    expect(fake.questions.map((batch) => batch.length)).toEqual([1000, 1]);
    expect(answers.map(({ allowed }) => allowed)).toEqual(questions.map((_, at) => at % 2 === 0));
  });

  it('takes no answers about access when one is missing, or is neither yes nor no', async () => {
    const question: AccessQuestionDocument = { user: 'ada', namespace: 'acme', relation: 'read' };
    for (const answers of [[], [{ allowed: 'yes' }], [{ allowed: true }, { allowed: true }]]) {
      fake.handle = (_, response) => response.end(JSON.stringify({ answers }));
      await expect(createClient().askAccess('p1', [question])).rejects.toBeInstanceOf(ControlPlaneUnavailableError);
    }
  });

  describe('policy stream', () => {
    const signal = new AbortController().signal;

    beforeEach(() => {
      fake.isKnown = true;
    });

    it('gives the events that it knows, with their ids', async () => {
      fake.greeting = [
        eventOf('policy', { a: 1 }, 'c:7'),
        eventOf('weather', {}),
        ': alive\n\n',
        eventOf('access', {}),
      ];
      await expect(take(createClient().followPolicy('p1', { signal }), 2)).resolves.toEqual([
        { type: 'policy', id: 'c:7', data: '{"a":1}' },
        { type: 'access', id: undefined, data: '{}' },
      ]);
    });

    it('goes on after an event', async () => {
      fake.greeting = [eventOf('access', {})];
      await take(createClient().followPolicy('p1', { signal, after: 'c:7' }), 1);
      expect(fake.resumedAfter).toEqual(['c:7']);
    });

    it('ends with the stream, and then goes to another control plane', async () => {
      await using other = await FakeControlPlane.start();
      other.isKnown = true;
      const client = createClient({ urls: [fake.url, other.url] });
      const first = take(client.followPolicy('p1', { signal, onActivity: () => fake.cut() }), 1);
      await expect(first).rejects.toBeInstanceOf(ControlPlaneUnavailableError);
      other.greeting = [eventOf('access', {})];
      await expect(take(client.followPolicy('p1', { signal }), 1)).resolves.toHaveLength(1);
    });

    it('says that the proxy has to register', async () => {
      fake.isKnown = false;
      await expect(take(createClient().followPolicy('p1', { signal }), 1)).rejects.toMatchObject({ status: 404 });
    });

    it('is given up when an event has no end', async () => {
      fake.greeting = [`event: policy\ndata: ${'x'.repeat(2000)}`];
      const events = createClient({ maxPolicyLength: 1000 }).followPolicy('p1', { signal });
      await expect(take(events, 1)).rejects.toThrow('more than 1000 characters');
    });

    it('is given up when nothing has come for several keepalives, also in the middle of an event', async () => {
      fake.greeting = ['event: policy\ndata: {"revision":'];
      await expect(take(createClient({ silenceMs: 50 }).followPolicy('p1', { signal }), 1)).rejects.toThrow('silent');
    });

    it.each([
      ['no UTF-8', 'text/event-stream', Buffer.from([0xff, 0xfe])],
      ['no stream of events', 'text/html', Buffer.from('<html>')],
    ])('is given up when it is %s', async (_, type, body) => {
      fake.handle = (__, response) => response.writeHead(200, { 'content-type': type }).end(body);
      await expect(take(createClient().followPolicy('p1', { signal }), 1)).rejects.toBeInstanceOf(
        ControlPlaneUnavailableError,
      );
    });
  });
});
