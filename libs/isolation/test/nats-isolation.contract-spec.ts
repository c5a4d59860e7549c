import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { headers } from '@nats-io/transport-node';
import { NamespacePools } from '../src/pools/namespace-pools.js';
import { NatsDriver } from '../src/backends/nats/nats-driver.js';
import { ScopedNats } from '../src/backends/nats/scoped-nats.js';
import { InvalidSettingsError } from '../src/invalid-settings.error.js';
import { HOSTILE_NAMES } from './support/hostile-names.js';
import { ACME, BOLT, next, NatsWork, NatsWorld } from './support/nats-world.js';
import { WorkContext } from './support/work-context.js';

let world: NatsWorld;

beforeAll(async () => {
  world = await NatsWorld.start();
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

/** What those outside see that is none of the namespace's subjects and inboxes, while something is done. */
async function strayed(work: () => Promise<unknown>): Promise<string[]> {
  const seen: string[] = [];
  const everything = world.observer.subscribe('>', {
    callback: (_, { subject }) => {
      seen.push(subject);
    },
  });
  await world.observer.flush();
  await work();
  await world.observer.flush();
  everything.unsubscribe();
  return seen.filter((subject) => !/^(?:tenant\.acme\.|_INBOX_acme\.|\$SYS|\$JS)/.test(subject));
}

describe(`${ScopedNats.name} of two namespaces`, () => {
  it('never sees the other’s subjects or replies in 1,000 interleaved requests', async () => {
    const driver = world.driver();
    const pools = new NamespacePools({ name: 'nats', driver, isMultiplexed: true, maxTotal: 10 });
    const stop = new AbortController();
    const serving = [ACME, BOLT].map(async (namespace) => {
      using lease = await pools.acquire(namespace);
      const context = new WorkContext();
      await using nats = driver.scope(lease.connection, namespace, context);
      stop.signal.addEventListener('abort', () => context.abort(stop.signal.reason));
      const foreign: string[] = [];
      try {
        for await (const request of await nats.subscribe('>')) {
          if (!request.text.startsWith(namespace) || !request.isRequest) {
            foreign.push(request.text);
          }
          await request.respond(`${namespace} answers ${request.text}`);
        }
      } catch {
        // It was told to stop.
      }
      return foreign;
    });
    const ask = async (index: number) => {
      const namespace = index % 2 === 0 ? ACME : BOLT;
      using lease = await pools.acquire(namespace);
      await using nats = driver.scope(lease.connection, namespace, new WorkContext());
      const question = `${namespace} ${index}`;
      const { text } = await nats.request(`echo.${index % 20}`, question);
      return text === `${namespace} answers ${question}`;
    };
    const isRight = await Promise.all(Array.from({ length: 1000 }, (_, index) => ask(index)));
    expect((await world.connections()).length).toBe(2);
    stop.abort(new Error('enough'));
    expect([isRight.every(Boolean), await Promise.all(serving)]).toEqual([true, [[], []]]);
    await pools.drain(5_000);
    await world.waitForNone();
  });

  it.each(HOSTILE_NAMES)('keep %j apart as a subject, or reject it', async (name) => {
    const driver = world.driver();
    await using acme = await NatsWork.begin(driver, ACME);
    await using bolt = await NatsWork.begin(driver, BOLT);
    await using secret = await bolt.nats.subscribe('>');
    const outcomes: PromiseSettledResult<unknown>[] = [];
    const stray = await strayed(async () => {
      const { nats } = acme;
      const timeoutMs = 50;
      const attempts = [
        nats.publish(name, 'of acme'),
        nats.request(name, 'of acme', { timeoutMs }),
        nats.jetstream.publish(name, 'of acme', { timeoutMs }),
      ];
      outcomes.push(...(await Promise.allSettled(attempts)));
    });
    expect(stray).toEqual([]);
    const codes = outcomes.map((outcome) =>
      outcome.status === 'rejected' ? (outcome.reason as { code?: string }).code : 'published',
    );
    expect([
      ['published', 'BACKEND_TIMEOUT', 'BACKEND_TIMEOUT'],
      ['INVALID_NAME', 'INVALID_NAME', 'INVALID_NAME'],
    ]).toContainEqual(codes);
    await bolt.nats.publish('end');
    expect((await next(secret)).subject).toBe('end');
    expect(driver.isUsable(acme.link)).toBe(true);
  });

  it.each([...HOSTILE_NAMES, '*', '>', '*.>', 'a.*.b', 'a.>.b', '*a', '>a', 'a.>>', '**'])(
    'see nothing of each other with %j as a subscription, or reject it',
    async (pattern) => {
      const driver = world.driver();
      await using acme = await NatsWork.begin(driver, ACME);
      const opening = acme.nats.subscribe(pattern);
      const subscription = await opening.catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'INVALID_NAME' });
        return undefined;
      });
      await using bolt = await NatsWork.begin(driver, BOLT);
      for (const subject of ['secret', 'a.b', 'a.secret.b']) {
        await bolt.nats.publish(subject, 'of bolt');
        world.observer.publish(subject, 'of nobody');
      }
      await acme.nats[Symbol.asyncDispose]();
      const seen: string[] = [];
      for await (const { text } of subscription ?? []) {
        seen.push(text);
      }
      expect(seen).toEqual([]);
    },
  );

  it.each([
    ['nothing', ''],
    ['more than 512 characters', 'x'.repeat(513)],
    ['half of a surrogate pair', 'x\uDC00'],
    ['no text', 1],
    ['a wildcard', 'a.*'],
    ['a wildcard for all', '>'],
    ['an empty token', 'a..b'],
    ['an empty token at the beginning', '.a'],
    ['an empty token at the end', 'a.'],
    ['a space', 'a b'],
    ['another space', 'a\u00A0b'],
    ['a line of the protocol', 'a 1\r\nx\r\nPUB tenant.bolt.bolt.x 1\r\n'],
  ])('reject %s as a subject, and send nothing', async (_, name) => {
    await using work = await NatsWork.begin(world.driver());
    const { nats } = work;
    const text = name as string;
    const attempts = [() => nats.publish(text), () => nats.request(text), () => nats.jetstream.publish(text)];
    const stray = await strayed(async () => {
      for (const attempt of attempts) {
        await expect(attempt()).rejects.toMatchObject({ code: 'INVALID_NAME' });
      }
    });
    expect(stray).toEqual([]);
  });

  it.each([
    ['a name that is one of the servers’ instructions', { 'nats-Trace-Dest': 'tenant.bolt.bolt.x' }],
    ['a name that ends its line', { 'X\r\nNats-Trace-Dest': 'x' }],
    ['no name', { '': 'x' }],
    ['a value that ends its line', { X: 'x\r\nNats-Trace-Dest: tenant.bolt.bolt.x' }],
    ['a value that is too long', { X: 'x'.repeat(4097) }],
  ])('reject a header with %s', async (_, given) => {
    await using work = await NatsWork.begin(world.driver());
    await expect(work.nats.publish('a', '', { headers: given })).rejects.toThrow(/header/);
  });

  it('get no replies of each other', async () => {
    const driver = world.driver();
    await using acme = await NatsWork.begin(driver, ACME);
    await using requests = await acme.nats.subscribe('echo');
    const inboxes: string[] = [];
    world.observer.subscribe('tenant.acme.acme.echo', {
      max: 1,
      callback: (_, { reply = '' }) => {
        inboxes.push(reply);
      },
    });
    await world.observer.flush();
    const asking = acme.nats.request('echo');
    await (await next(requests)).respond('x');
    await asking;
    await world.observer.flush();
    expect(inboxes).toEqual([expect.stringMatching(/^_INBOX_acme\./)]);
  });

  it.each([
    'tenant.bolt.bolt.orders',
    '_INBOX_bolt.x',
    '_INBOX.x',
    '$JS.API.STREAM.DELETE.bolt_bolt_orders',
    'tenant.acme2.x',
  ])('do not respond to %s, whoever asks for that', async (reply) => {
    await using work = await NatsWork.begin(world.driver());
    await using requests = await work.nats.subscribe('echo');
    world.observer.publish('tenant.acme.acme.echo', 'x', { reply, headers: headers() });
    const request = await next(requests);
    expect(request.isRequest).toBe(false);
    const stray = await strayed(async () => {
      await expect(request.respond('x')).rejects.toMatchObject({ code: 'INVALID_NAME' });
    });
    expect(stray).toEqual([]);
  });

  it.each(['workers x', 'a\r\n', 'a.b', '*', ''])('reject %j as a queue group', async (queue) => {
    await using work = await NatsWork.begin(world.driver());
    await expect(work.nats.subscribe('jobs', { queue })).rejects.toMatchObject({ code: 'INVALID_NAME' });
  });
});

describe(NatsDriver.name, () => {
  it.each([
    ['subjectFormat', '{tenant_id}:{subject}'],
    ['subjectFormat', 'tenant.*.{tenant_id}.{subject}'],
    ['subjectFormat', 'tenant..{tenant_id}.{subject}'],
    ['subjectFormat', '>.{tenant_id}.{subject}'],
    ['streamFormat', '{tenant_id}.{name}'],
    ['streamFormat', '{tenant_id}-{name}'],
  ])('rejects %s %s', (name, format) => {
    expect(() => world.driver({ [name]: format })).toThrow(InvalidSettingsError);
  });
});
