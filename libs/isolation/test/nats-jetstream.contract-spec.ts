import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { ScopedJetStream } from '../src/backends/nats/scoped-jetstream.js';
import { ACME, BOLT, NatsWork, NatsWorld } from './support/nats-world.js';

let world: NatsWorld;
let manager: JetStreamManager;

beforeAll(async () => {
  world = await NatsWorld.start();
  manager = await jetstreamManager(world.observer);
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

beforeEach(async () => {
  for (const name of await manager.streams.names().next()) {
    await manager.streams.delete(name);
  }
});

const begin = (namespace = ACME) => NatsWork.begin(world.driver(), namespace);

/** A stream with a consumer, and so many messages. */
async function prepare({ nats: { jetstream } }: NatsWork, count = 0): Promise<ScopedJetStream> {
  await jetstream.createStream('orders', { subjects: ['orders.>'], storage: 'memory' });
  await jetstream.createConsumer('orders', 'worker', { ackWaitMs: 1000 });
  for (let index = 0; index < count; index++) {
    await jetstream.publish(`orders.${index}`, String(index));
  }
  return jetstream;
}

describe(ScopedJetStream.name, () => {
  it('keeps messages until they are consumed and acknowledged', async () => {
    await using work = await begin();
    const jetstream = await prepare(work, 3);
    const messages = await jetstream.fetch('orders', 'worker', { maxMessages: 3 });
    expect(messages.map(({ subject, text, sequence }) => [subject, text, sequence])).toEqual([
      ['orders.0', '0', 1],
      ['orders.1', '1', 2],
      ['orders.2', '2', 3],
    ]);
    await Promise.all(messages.map((message) => message.ack()));
    expect((await manager.consumers.info('acme_acme_orders', 'acme_acme_worker')).num_ack_pending).toBe(0);
  });

  it('keeps a message with an id once', async () => {
    await using work = await begin();
    const jetstream = await prepare(work);
    expect(await jetstream.publish('orders.1', 'a', { messageId: 'one' })).toEqual({ sequence: 1, isDuplicate: false });
    expect(await jetstream.publish('orders.1', 'a', { messageId: 'one' })).toEqual({ sequence: 1, isDuplicate: true });
    expect(await jetstream.findStream('orders')).toMatchObject({ messages: 1, consumers: 1, lastSequence: 1 });
  });

  it('says when no stream keeps a subject', async () => {
    await using work = await begin();
    await expect(work.nats.jetstream.publish('nowhere')).rejects.toMatchObject({ code: 'NO_RESPONDERS' });
  });

  it('delivers again what is given back, and not what is given up', async () => {
    await using work = await begin();
    const jetstream = await prepare(work, 2);
    const [first, second] = await jetstream.fetch('orders', 'worker', { maxMessages: 2 });
    await first?.nak();
    await second?.term();
    const [again, ...others] = await jetstream.fetch('orders', 'worker', { maxMessages: 2, waitMs: 1000 });
    expect([again?.text, again?.deliveries, others]).toEqual(['0', 2, []]);
  });

  it('consumes messages as they come, until the loop is left', async () => {
    await using work = await begin();
    const jetstream = await prepare(work, 5);
    const texts: string[] = [];
    for await (const message of jetstream.consume('orders', 'worker', { maxMessages: 2 })) {
      texts.push(message.text);
      await message.ack();
      if (texts.length === 3) {
        await jetstream.publish('orders.5', '5');
      }
      if (texts.length === 6) {
        break;
      }
    }
    expect(texts).toEqual(['0', '1', '2', '3', '4', '5']);
    expect(work.context.heldBytes).toBe(0);
  });

  it('stops consuming when the work is aborted', async () => {
    await using work = await begin();
    const jetstream = await prepare(work);
    const waiting = jetstream.consume('orders', 'worker').next();
    await jetstream.publish('orders.1', 'x');
    expect((await waiting).value).toMatchObject({ subject: 'orders.1' });
    const more = jetstream.consume('orders', 'worker').next();
    work.context.abort();
    await expect(more).rejects.toThrow('the caller has gone');
  });

  it('stops consuming when the work ends', async () => {
    await using work = await begin();
    const jetstream = await prepare(work, 1);
    const messages = jetstream.consume('orders', 'worker');
    await messages.next();
    const more = messages.next();
    await work.nats[Symbol.asyncDispose]();
    expect(await more).toEqual({ done: true, value: undefined });
  });

  it('stops consuming with an error when the connection is lost', async () => {
    await using work = await begin();
    const jetstream = await prepare(work, 1);
    const messages = jetstream.consume('orders', 'worker');
    await messages.next();
    const more = messages.next();
    await work.link.close();
    await expect(more).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
  });

  it('makes the same stream and consumer again', async () => {
    await using work = await begin();
    await prepare(work);
    await expect(prepare(work)).resolves.toBeDefined();
  });

  it('changes a stream', async () => {
    await using work = await begin();
    const jetstream = await prepare(work, 3);
    await jetstream.updateStream('orders', { subjects: ['orders.>'], storage: 'memory', maxMessages: 1 });
    expect(await jetstream.findStream('orders')).toMatchObject({ messages: 1, firstSequence: 3 });
  });

  it('deletes streams and consumers', async () => {
    await using work = await begin();
    const jetstream = await prepare(work);
    expect(await jetstream.deleteConsumer('orders', 'worker')).toBe(true);
    expect(await jetstream.deleteConsumer('orders', 'worker')).toBe(false);
    expect(await jetstream.deleteStream('orders')).toBe(true);
    expect(await jetstream.deleteStream('orders')).toBe(false);
    expect(await jetstream.findStream('orders')).toBeUndefined();
  });

  it('keeps streams and consumers of the same name apart', async () => {
    await using acme = await begin(ACME);
    await using bolt = await begin(BOLT);
    await prepare(acme, 1);
    const jetstream = await prepare(bolt, 2);
    await acme.nats.jetstream.deleteStream('orders');
    expect(await jetstream.findStream('orders')).toMatchObject({ messages: 2 });
    expect((await jetstream.fetch('orders', 'worker', { maxMessages: 2 })).map(({ text }) => text)).toEqual(['0', '1']);
  });

  it('lets a stream keep nothing but the namespace’s subjects', async () => {
    await using acme = await begin(ACME);
    await acme.nats.jetstream.createStream('all', { subjects: ['>'], storage: 'memory' });
    await using bolt = await begin(BOLT);
    await bolt.nats.publish('secret', 'x');
    world.observer.publish('secret', 'x');
    await acme.nats.publish('own', 'x');
    expect(await acme.nats.jetstream.findStream('all')).toMatchObject({ messages: 1 });
    expect((await manager.streams.info('acme_acme_all')).config.subjects).toEqual(['tenant.acme.acme.>']);
  });

  it('makes streams over the connection that is for that', async () => {
    await using work = await NatsWork.begin(world.driver({ manageConfig: { servers: world.url, name: 'manager' } }));
    await work.nats.jetstream.createStream('orders', { subjects: ['orders'], storage: 'memory' });
    expect((await world.connections()).length).toBe(2);
    await expect(work.nats.jetstream.publish('orders')).resolves.toMatchObject({ sequence: 1 });
    await work[Symbol.asyncDispose]();
    await world.waitForNone();
  });

  it.each(['', '..', 'bolt_bolt_orders\u0000', 'a.b', '*', '>', 'a b', 'a/b', 'a\\b', 'x'.repeat(129), 'ä', 'a\r\nb'])(
    'rejects %j as the name of a stream or a consumer',
    async (name) => {
      await using work = await begin();
      const { jetstream } = work.nats;
      const attempts = [
        () => jetstream.createStream(name, { subjects: ['a'] }),
        () => jetstream.updateStream(name, { subjects: ['a'] }),
        () => jetstream.findStream(name),
        () => jetstream.deleteStream(name),
        () => jetstream.createConsumer(name, 'worker'),
        () => jetstream.createConsumer('orders', name),
        () => jetstream.deleteConsumer('orders', name),
        () => jetstream.fetch(name, 'worker'),
        () => jetstream.fetch('orders', name),
        () => jetstream.consume('orders', name).next(),
      ];
      for (const attempt of attempts) {
        await expect(attempt()).rejects.toMatchObject({ code: 'INVALID_NAME' });
      }
      expect(await manager.streams.names().next()).toEqual([]);
    },
  );

  it.each([
    ['no subjects', { subjects: [] }],
    ['a subject that is none', { subjects: ['a..b'] }],
    ['a limit that is none', { subjects: ['a'], maxBytes: -1 }],
    ['an age that is none', { subjects: ['a'], maxAgeMs: 0.5 }],
  ])('rejects a stream with %s', async (_, settings) => {
    await using work = await begin();
    await expect(work.nats.jetstream.createStream('orders', settings)).rejects.toThrow(/expected/);
    expect(await manager.streams.names().next()).toEqual([]);
  });

  it('does not let settings say more than they are for', async () => {
    await using work = await begin();
    const hostile = {
      subjects: ['a'],
      sources: [{ name: 'bolt_bolt_orders' }],
      mirror: { name: 'bolt_bolt_orders' },
      republish: { src: '>', dest: 'tenant.bolt.bolt.x' },
      name: 'bolt_bolt_orders',
    };
    await work.nats.jetstream.createStream('orders', hostile);
    const consumer = { deliver_subject: 'tenant.bolt.bolt.x', filter_subject: 'tenant.bolt.bolt.>' };
    await work.nats.jetstream.createConsumer('orders', 'worker', consumer as object);
    const { config } = await manager.streams.info('acme_acme_orders');
    expect([config.sources, config.mirror, config.republish]).toEqual([undefined, undefined, undefined]);
    const info = await manager.consumers.info('acme_acme_orders', 'acme_acme_worker');
    expect([info.config.deliver_subject, info.config.filter_subject]).toEqual([undefined, undefined]);
  });

  it.each(['', 'x'.repeat(256), 'a\r\nNats-Rollup: all'])('rejects %j as a message id', async (messageId) => {
    await using work = await begin();
    const jetstream = await prepare(work);
    await expect(jetstream.publish('orders.1', 'x', { messageId })).rejects.toThrow('messageId');
  });
});
