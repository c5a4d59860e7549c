import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { consumerReceivesChannel, type Consumer } from '@platformatic/kafka';
import { KafkaConsumption, type ConsumeOptions } from '../src/backends/kafka/kafka-consumption.js';
import type { KafkaMessage } from '../src/backends/kafka/kafka-message.js';
import { KafkaWork, KafkaWorld } from './support/kafka-world.js';
import { SocketCounter } from './support/socket-counter.js';
import { waitUntil } from './support/wait-until.js';
import { WorkContext } from './support/work-context.js';

let world: KafkaWorld;
let topics = 0;

beforeAll(async () => {
  world = await KafkaWorld.start();
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

/** Work on a topic of its own, of one partition. */
async function begin(): Promise<{ work: KafkaWork; topic: string; group: string }> {
  const topic = `topic-${topics++}`;
  await world.admin.createTopics({ topics: [`${world.acme}.${world.acme}.${topic}`], partitions: 1, replicas: 1 });
  return {
    work: await KafkaWork.begin(world.driver(), world.acme),
    topic,
    group: `${world.acme}.${world.acme}.${topic}`,
  };
}

function options(topic: string, overrides: Partial<ConsumeOptions> = {}): ConsumeOptions {
  return { group: topic, from: 'earliest', ...overrides };
}

async function take(messages: KafkaConsumption, count: number): Promise<KafkaMessage[]> {
  const taken: KafkaMessage[] = [];
  while (taken.length < count) {
    const { value, done } = await messages.next();
    if (done === true) {
      break;
    }
    taken.push(value);
  }
  return taken;
}

/** Counts the messages that clients of Kafka in this process have received, by their groups. */
class ReceivedMessages implements Disposable {
  readonly #counts = new Map<string, number>();
  readonly #onReceive = (event: unknown) => {
    const { groupId } = (event as { readonly client: Consumer }).client;
    this.#counts.set(groupId, this.of(groupId) + 1);
  };

  constructor() {
    consumerReceivesChannel.start.subscribe(this.#onReceive);
  }

  of(group: string): number {
    return this.#counts.get(group) ?? 0;
  }

  [Symbol.dispose](): void {
    consumerReceivesChannel.start.unsubscribe(this.#onReceive);
  }
}

const texts = (messages: readonly KafkaMessage[]) => messages.map(({ value }) => value?.toString());

describe(KafkaConsumption.name, () => {
  it('gives messages as they were produced', async () => {
    const { work, topic } = await begin();
    await using _work = work;
    const at = new Date('2026-01-02T03:04:05Z');
    await work.kafka.produce(topic, [
      { key: 'k', value: 'v', headers: { h: 'x', __proto__: 'y' }, timestamp: at },
      { key: Buffer.from([0, 255]), value: null },
      { value: '' },
    ]);
    await using messages = await work.kafka.consume(topic, options(topic));
    const [first, second, third] = await take(messages, 3);
    expect(first).toMatchObject({
      topic,
      partition: 0,
      offset: 0n,
      timestamp: at,
      key: Buffer.from('k'),
      value: Buffer.from('v'),
    });
    expect([...(first?.headers ?? [])]).toEqual([['h', Buffer.from('x')]]);
    expect([second?.key, second?.value]).toEqual([Buffer.from([0, 255]), null]);
    expect([third?.key, third?.value]).toEqual([undefined, Buffer.alloc(0)]);
    expect(work.context.rows).toBe(6);
  });

  it('continues after what was committed', async () => {
    const { work, topic } = await begin();
    await using _work = work;
    await work.kafka.produce(topic, [{ value: 'one' }, { value: 'two' }, { value: 'three' }]);
    {
      await using messages = await work.kafka.consume(topic, options(topic));
      const [, second] = await take(messages, 3);
      await second?.commit();
    }
    await using messages = await work.kafka.consume(topic, options(topic));
    expect(texts(await take(messages, 1))).toEqual(['three']);
  });

  it('keeps the furthest commit when several are under way', async () => {
    const { work, topic } = await begin();
    await using _work = work;
    await work.kafka.produce(topic, [{ value: 'one' }, { value: 'two' }, { value: 'three' }]);
    {
      await using messages = await work.kafka.consume(topic, options(topic));
      const taken = await take(messages, 2);
      await Promise.all(taken.toReversed().map((message) => message.commit()));
    }
    await using messages = await work.kafka.consume(topic, options(topic));
    expect(texts(await take(messages, 1))).toEqual(['three']);
  });

  it('begins with what comes from now on, unless told otherwise', async () => {
    const { work, topic } = await begin();
    await using _work = work;
    await work.kafka.produce(topic, [{ value: 'before' }]);
    await using messages = await work.kafka.consume(topic, { group: topic });
    const next = take(messages, 1);
    await work.kafka.produce(topic, [{ value: 'after' }]);
    expect(texts(await next)).toEqual(['after']);
  });

  it('shares the partitions of a topic with others of its group', async () => {
    const { work, topic, group } = await begin();
    await using _work = work;
    await using first = await work.kafka.consume(topic, options(topic));
    await using second = await work.kafka.consume(topic, options(topic));
    expect(await world.countMembers(group)).toBe(2);
    const taken: KafkaMessage[] = [];
    const collect = async (messages: KafkaConsumption) => {
      for await (const message of messages) {
        taken.push(message);
      }
    };
    const collecting = Promise.all([collect(first), collect(second)]);
    await work.kafka.produce(topic, [{ value: 'one' }, { value: 'two' }]);
    await waitUntil(() => taken.length >= 2, 'messages have come');
    await Promise.all([first.return(), second.return()]);
    await collecting;
    expect(texts(taken)).toEqual(['one', 'two']);
  });

  it('leaves the group and closes its connections when the loop is left', async () => {
    const { work, topic, group } = await begin();
    await using _work = work;
    using sockets = new SocketCounter();
    await work.kafka.produce(topic, [{ value: 'one' }]);
    for await (const _message of await work.kafka.consume(topic, options(topic))) {
      expect(await world.countMembers(group)).toBe(1);
      break;
    }
    expect([await world.countMembers(group), sockets.open, work.connection.socketCount]).toEqual([0, 0, 1]);
    expect(sockets.opened).toBeGreaterThan(0);
    expect(work.context.heldBytes).toBe(0);
  });

  it('ends and leaves the group with its work', async () => {
    const { work, topic, group } = await begin();
    await using _work = work;
    const messages = await work.kafka.consume(topic, options(topic));
    const waiting = messages.next();
    await work.kafka[Symbol.asyncDispose]();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect([await world.countMembers(group), work.connection.socketCount]).toEqual([0, 1]);
    await expect(work.kafka.consume(topic, options(topic))).rejects.toThrow('the work has ended');
  });

  it('fails with the reason when the work is aborted, and leaves no member behind', async () => {
    const { work, topic, group } = await begin();
    await using _work = work;
    const context = new WorkContext();
    const messages = await work.next(context).consume(topic, options(topic));
    const waiting = messages.next();
    context.abort(new Error('the caller has gone'));
    await expect(waiting).rejects.toThrow('the caller has gone');
    await waitUntil(async () => (await world.countMembers(group)) === 0, 'no member is left');
    await waitUntil(() => work.connection.socketCount === 1, 'its sockets are closed');
    expect([await messages.next(), context.heldBytes]).toEqual([{ done: true, value: undefined }, 0]);
  });

  it('leaves no member behind when it is aborted while it joins', async () => {
    const { work, topic, group } = await begin();
    await using _work = work;
    // Somebody is in the group already, and only notices after a while that others want to join.
    await using _other = await work.kafka.consume(topic, options(topic));
    const context = new WorkContext();
    const joining = work.next(context).consume(topic, options(topic));
    await waitUntil(() => work.connection.socketCount > 2, 'it is about to join');
    context.abort(new Error('the caller has gone'));
    await expect(joining).rejects.toThrow('the caller has gone');
    await waitUntil(() => context.heldBytes === 0, 'it has ended', 15_000);
    expect(await world.countMembers(group)).toBe(1);
  });

  it('does not commit once it has ended', async () => {
    const { work, topic } = await begin();
    await using _work = work;
    await work.kafka.produce(topic, [{ value: 'one' }]);
    const messages = await work.kafka.consume(topic, options(topic));
    const [message] = await take(messages, 1);
    await messages.return();
    await expect(message?.commit()).rejects.toThrow('the consumer has left');
  });

  it('fetches no more while messages wait', async () => {
    const { work, topic } = await begin();
    await using _work = work;
    for (let batch = 0; batch < 20; batch++) {
      await work.kafka.produce(topic, [{ value: Buffer.alloc(1000) }]);
    }
    using received = new ReceivedMessages();
    await using slow = await work.kafka.consume(topic, options('slow', { maxBytes: 2500 }));
    await using fast = await work.kafka.consume(topic, options('fast', { maxBytes: 2500 }));
    await take(slow, 1);
    await take(fast, 20);
    expect([received.of(`${world.acme}.${world.acme}.slow`), received.of(`${world.acme}.${world.acme}.fast`)]).toEqual([
      2, 20,
    ]);
    expect(await take(slow, 19)).toHaveLength(19);
  });

  it('holds memory for what one broker may send at once', async () => {
    const { work, topic } = await begin();
    await using _work = work;
    await using _messages = await work.kafka.consume(topic, options(topic, { maxBytes: 2000 }));
    expect(work.context.heldBytes).toBe(2000);
  });

  it('is not begun when the memory may not be held', async () => {
    const { work, topic, group } = await begin();
    await using _work = work;
    const context = new WorkContext();
    context.maxBytes = 1000;
    await expect(work.next(context).consume(topic, options(topic))).rejects.toThrow('bytes are too many');
    expect([await world.countMembers(group), context.heldBytes, work.connection.socketCount]).toEqual([0, 0, 1]);
  });

  it('says which topic is not there', async () => {
    const { work } = await begin();
    await using _work = work;
    await expect(work.kafka.consume('nowhere', { group: 'g' })).rejects.toMatchObject({
      code: 'KAFKA_REJECTED',
      reason: 'UNKNOWN_TOPIC_OR_PARTITION',
      message: 'kafka: consuming "nowhere" was rejected: UNKNOWN_TOPIC_OR_PARTITION',
    });
    expect([work.context.heldBytes, work.connection.socketCount]).toEqual([0, 1]);
  });
});
