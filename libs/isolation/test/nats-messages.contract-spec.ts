import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { headers } from '@nats-io/transport-node';
import { ScopedNats } from '../src/backends/nats/scoped-nats.js';
import { next, NatsWork, NatsWorld } from './support/nats-world.js';
import { waitUntil } from './support/wait-until.js';

let world: NatsWorld;

beforeAll(async () => {
  world = await NatsWorld.start();
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

const begin = () => NatsWork.begin(world.driver());

describe(ScopedNats.name, () => {
  it('publishes below the namespace', async () => {
    await using work = await begin();
    const seen = world.observer.subscribe('tenant.acme.acme.orders', { max: 1 });
    await world.observer.flush();
    await work.nats.publish('orders', 'one', { headers: { 'X-Kind': 'new' } });
    const message = await next(seen);
    expect([message.string(), message.headers?.get('X-Kind')]).toEqual(['one', 'new']);
  });

  it('gets what is published from the moment on at which it is subscribed', async () => {
    await using work = await begin();
    await using messages = await work.nats.subscribe('orders.*');
    const sent = headers();
    sent.set('X-Kind', 'new');
    world.observer.publish('tenant.acme.acme.orders.1', Uint8Array.of(255), { headers: sent });
    const { subject, data, headers: received } = await next(messages);
    expect([subject, [...data], received.get('X-Kind')]).toEqual(['orders.1', [255], 'new']);
  });

  it('gives each message to one of a queue group', async () => {
    await using work = await begin();
    const received: string[][] = [[], []];
    const consuming = received.map(async (own) => {
      for await (const { text } of await work.nats.subscribe('jobs', { queue: 'workers' })) {
        own.push(text);
      }
    });
    await waitUntil(async () => (await world.connections())[0]?.subscriptions === 2, 'both are subscribed');
    const texts = Array.from({ length: 100 }, (_, index) => String(index).padStart(3, '0'));
    await Promise.all(texts.map((text) => work.nats.publish('jobs', text)));
    await waitUntil(() => received.flat().length >= 100, 'all are received');
    await work.nats[Symbol.asyncDispose]();
    await Promise.all(consuming);
    expect(received.flat().toSorted()).toEqual(texts);
    expect(received.every((own) => own.length > 0)).toBe(true);
  });

  it('asks and is answered', async () => {
    await using work = await begin();
    await using requests = await work.nats.subscribe('echo');
    const asking = work.nats.request('echo', 'hello', { headers: { 'X-Kind': 'new' } });
    const request = await next(requests);
    expect([request.isRequest, request.text]).toEqual([true, 'hello']);
    await request.respond(request.text.toUpperCase(), { headers: { 'X-Kind': 'old' } });
    const response = await asking;
    expect([response.text, response.headers.get('X-Kind')]).toEqual(['HELLO', 'old']);
  });

  it('says when nobody could answer', async () => {
    await using work = await begin();
    await expect(work.nats.request('nobody')).rejects.toMatchObject({ code: 'NO_RESPONDERS', subject: 'nobody' });
  });

  it('says when nobody answers in time', async () => {
    await using work = await begin();
    await using _ = await work.nats.subscribe('slow');
    await expect(work.nats.request('slow', '', { timeoutMs: 50 })).rejects.toMatchObject({
      code: 'BACKEND_TIMEOUT',
      waitedMs: 50,
    });
  });

  it('stops waiting for an answer when the work is aborted', async () => {
    await using work = await begin();
    await using _ = await work.nats.subscribe('slow');
    const asking = work.nats.request('slow');
    work.context.abort();
    await expect(asking).rejects.toThrow('the caller has gone');
    await expect(work.nats.publish('slow')).rejects.toThrow('the caller has gone');
    expect(work.driver.isUsable(work.link)).toBe(true);
  });

  it('ends a subscription with an error when its consumer is too slow', async () => {
    await using work = await begin();
    const messages = await work.nats.subscribe('flood', { maxMessages: 2 });
    await Promise.all(['one', 'two', 'three'].map((text) => work.nats.publish('flood', text)));
    const received: string[] = [];
    const consuming = (async () => {
      for await (const message of messages) {
        received.push(message.text);
      }
    })();
    await expect(consuming).rejects.toMatchObject({ code: 'SLOW_CONSUMER' });
    expect([received, work.context.heldBytes]).toEqual([['one', 'two'], 0]);
  });

  it('ends a subscription with the reason when the work is aborted, and others go on', async () => {
    await using work = await begin();
    const other = work.next();
    await using kept = await other.subscribe('news');
    const waiting = next(await work.nats.subscribe('news'));
    work.context.abort();
    await expect(waiting).rejects.toThrow('the caller has gone');
    await other.publish('news', 'x');
    expect((await next(kept)).text).toBe('x');
    await other[Symbol.asyncDispose]();
  });

  it('leaves no subscription behind when the work has ended', async () => {
    await using work = await begin();
    for (const subject of ['a', 'b.*', 'c.>']) {
      await work.nats.subscribe(subject);
    }
    expect((await world.connections())[0]?.subscriptions).toBe(3);
    await work.nats[Symbol.asyncDispose]();
    await waitUntil(async () => (await world.connections())[0]?.subscriptions === 0, 'no subscription is left');
  });

  it('leaves no subscription behind when the loop is left', async () => {
    await using work = await begin();
    const messages = await work.nats.subscribe('news');
    await work.nats.publish('news', 'x');
    for await (const { text } of messages) {
      expect(text).toBe('x');
      break;
    }
    await waitUntil(async () => (await world.connections())[0]?.subscriptions === 0, 'no subscription is left');
  });

  it('rejects everything when its work has ended', async () => {
    await using work = await begin();
    await work.nats[Symbol.asyncDispose]();
    const { nats } = work;
    const attempts = [
      () => nats.publish('a'),
      () => nats.request('a'),
      () => nats.subscribe('a'),
      () => nats.jetstream.publish('a'),
      () => nats.jetstream.createStream('a', { subjects: ['a'] }),
      () => nats.jetstream.findStream('a'),
      () => nats.jetstream.fetch('a', 'b'),
    ];
    for (const attempt of attempts) {
      await expect(attempt()).rejects.toThrow('the work has ended');
    }
  });

  it('accounts for what it sends while it does', async () => {
    await using work = await begin();
    await work.nats.publish('a', 'x'.repeat(1000));
    expect([work.context.heldBytes, work.context.peakBytes]).toEqual([0, 1000]);
    work.context.maxBytes = 500;
    await expect(work.nats.publish('a', 'x'.repeat(501))).rejects.toThrow('too many');
  });

  it('rejects a payload that the server would not take, and stays usable', async () => {
    await using work = await begin();
    await expect(work.nats.publish('a', new Uint8Array(2_000_000))).rejects.toThrow('max_payload');
    await expect(work.nats.publish('a', 'x')).resolves.toBeUndefined();
  });
});
