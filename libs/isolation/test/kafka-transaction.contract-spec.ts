import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KafkaTransaction } from '../src/backends/kafka/kafka-transaction.js';
import { KafkaWork, KafkaWorld } from './support/kafka-world.js';
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

/** Work with two topics of its own, of one partition each. */
async function begin(): Promise<{ work: KafkaWork; from: string; to: string }> {
  const [from, to] = [`from-${topics}`, `to-${topics++}`];
  const names = [from, to].map((name) => `${world.acme}.${world.acme}.${name}`);
  await world.admin.createTopics({ topics: names, partitions: 1, replicas: 1 });
  return { work: await KafkaWork.begin(world.driver(), world.acme), from, to };
}

/** What is committed in a topic, up to a last message that is produced for that. */
async function readAll({ kafka }: KafkaWork, topic: string): Promise<(string | undefined)[]> {
  await kafka.produce(topic, [{ value: 'end' }]);
  await using messages = await kafka.consume(topic, { group: 'readers', from: 'earliest' });
  const values: (string | undefined)[] = [];
  for await (const { value } of messages) {
    if (value?.toString() === 'end') {
      break;
    }
    values.push(value?.toString());
  }
  return values;
}

describe(KafkaTransaction.name, () => {
  it('commits what it has produced, to several topics at once too', async () => {
    const { work, from, to } = await begin();
    await using _work = work;
    const result = await work.kafka.transaction('t', async (transaction) => {
      await Promise.all([
        transaction.produce(from, [{ value: 'one' }]),
        transaction.produce(to, [{ value: 'two' }]),
        transaction.produce(to, [{ value: 'three' }]),
      ]);
      return 'done';
    });
    expect(result).toBe('done');
    expect([await readAll(work, from), await readAll(work, to)]).toEqual([['one'], ['two', 'three']]);
  });

  it('can be done again under the same name', async () => {
    const { work, to } = await begin();
    await using _work = work;
    for (const value of ['one', 'two', 'three']) {
      await work.kafka.transaction('again', (transaction) => transaction.produce(to, [{ value }]));
    }
    expect(await readAll(work, to)).toEqual(['one', 'two', 'three']);
  });

  it('leaves nothing when its work fails', async () => {
    const { work, to } = await begin();
    await using _work = work;
    const failing = work.kafka.transaction('fails', async (transaction) => {
      await transaction.produce(to, [{ value: 'lost' }]);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await readAll(work, to)).toEqual([]);
    expect(work.connection.socketCount).toBe(1);
  });

  it('commits messages together with what it has produced', async () => {
    const { work, from, to } = await begin();
    await using _work = work;
    await work.kafka.produce(from, [{ value: 'one' }, { value: 'two' }, { value: 'three' }]);
    {
      await using messages = await work.kafka.consume(from, { group: 'movers', from: 'earliest' });
      const [first, second] = [await messages.next(), await messages.next()];
      await work.kafka.transaction('move', async (transaction) => {
        for (const { value: message } of [first, second]) {
          if (message !== undefined) {
            await transaction.produce(to, [{ value: message.value }]);
            await transaction.commit(message);
          }
        }
      });
    }
    await using messages = await work.kafka.consume(from, { group: 'movers', from: 'earliest' });
    const { value: next } = await messages.next();
    expect(next?.value?.toString()).toBe('three');
    expect(await readAll(work, to)).toEqual(['one', 'two']);
  });

  it('does not commit messages when it fails', async () => {
    const { work, from } = await begin();
    await using _work = work;
    await work.kafka.produce(from, [{ value: 'one' }]);
    {
      await using messages = await work.kafka.consume(from, { group: 'movers', from: 'earliest' });
      const { value: message } = await messages.next();
      const failing = work.kafka.transaction('move', async (transaction) => {
        if (message !== undefined) {
          await transaction.commit(message);
        }
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
    }
    await using messages = await work.kafka.consume(from, { group: 'movers', from: 'earliest' });
    const { value: again } = await messages.next();
    expect(again?.value?.toString()).toBe('one');
  });

  it('shuts out whoever has begun one of the same name before', async () => {
    const { work, to } = await begin();
    await using _work = work;
    const isBegun = Promise.withResolvers<void>();
    const mayGoOn = Promise.withResolvers<void>();
    const first = work.kafka.transaction('same', async (transaction) => {
      await transaction.produce(to, [{ value: 'of the first' }]);
      isBegun.resolve();
      await mayGoOn.promise;
    });
    await isBegun.promise;
    await work.next().transaction('same', (transaction) => transaction.produce(to, [{ value: 'of the second' }]));
    mayGoOn.resolve();
    await expect(first).rejects.toMatchObject({ code: 'KAFKA_REJECTED' });
    expect(await readAll(work, to)).toEqual(['of the second']);
  });

  it('ends with the work, and closes its connections', async () => {
    const { work, to } = await begin();
    await using _work = work;
    const context = new WorkContext();
    const isBegun = Promise.withResolvers<void>();
    const endless = work.next(context).transaction('endless', async (transaction) => {
      await transaction.produce(to, [{ value: 'lost' }]);
      isBegun.resolve();
      await new Promise(() => {});
    });
    await isBegun.promise;
    context.abort(new Error('the caller has gone'));
    await expect(endless).rejects.toThrow('the caller has gone');
    await waitUntil(() => work.connection.socketCount === 1, 'its sockets are closed');
    expect(context.heldBytes).toBe(0);
  });

  it('rejects records and names as the client itself does', async () => {
    const { work, to } = await begin();
    await using _work = work;
    const produce = (topic: string, value: string) =>
      work.kafka.transaction('t', (transaction) => transaction.produce(topic, [{ value }]));
    await expect(produce('../x', 'x')).rejects.toMatchObject({ code: 'INVALID_NAME' });
    await expect(produce(to, 'x'.repeat(2_000_000))).rejects.toMatchObject({ code: 'INVALID_RECORD' });
  });
});
