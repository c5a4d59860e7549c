import { describe, expect, it } from '@jest/globals';
import { MessageBuffer, type MessageBufferOptions } from './message-buffer.js';

function createBuffer(overrides: Partial<MessageBufferOptions> = {}) {
  let held = 0;
  let ends = 0;
  const hold = (bytes: number): Disposable => {
    held += bytes;
    return { [Symbol.dispose]: () => void (held -= bytes) };
  };
  const buffer = new MessageBuffer<string>({
    maxMessages: 2,
    maxBytes: 100,
    hold,
    onEnd: () => ends++,
    ...overrides,
  });
  return { buffer, held: () => held, ends: () => ends };
}

async function consume(buffer: MessageBuffer<string>): Promise<string[]> {
  const messages: string[] = [];
  for await (const message of buffer) {
    messages.push(message);
  }
  return messages;
}

describe(MessageBuffer.name, () => {
  it('gives messages in their order', async () => {
    const { buffer } = createBuffer();
    buffer.push('one', 1);
    buffer.push('two', 1);
    buffer.end();
    expect(await consume(buffer)).toEqual(['one', 'two']);
  });

  it('gives a message at once to a consumer who waits for it', async () => {
    const { buffer, held } = createBuffer();
    const [first, second] = [buffer.next(), buffer.next()];
    buffer.push('one', 1);
    buffer.push('two', 1);
    expect(await Promise.all([first, second])).toEqual([
      { done: false, value: 'one' },
      { done: false, value: 'two' },
    ]);
    expect(held()).toBe(0);
  });

  it('ends with an error after those that wait when there is a message too many', async () => {
    const { buffer, ends } = createBuffer();
    for (const message of ['one', 'two', 'three', 'four']) {
      buffer.push(message, 5);
    }
    expect(ends()).toBe(1);
    expect([await buffer.next(), await buffer.next()].map(({ value }) => value)).toEqual(['one', 'two']);
    await expect(buffer.next()).rejects.toMatchObject({ code: 'SLOW_CONSUMER', messages: 2, bytes: 10 });
    expect((await buffer.next()).done).toBe(true);
  });

  it('ends when there are too many bytes', async () => {
    const { buffer } = createBuffer({ maxBytes: 10 });
    buffer.push('one', 10);
    buffer.push('two', 1);
    await buffer.next();
    await expect(buffer.next()).rejects.toMatchObject({ code: 'SLOW_CONSUMER' });
  });

  it('accounts for messages while they wait', async () => {
    const { buffer, held } = createBuffer();
    buffer.push('one', 3);
    buffer.push('two', 4);
    expect(held()).toBe(7);
    await buffer.next();
    expect(held()).toBe(4);
  });

  it('ends with what is said when the memory may not be held', async () => {
    const { buffer } = createBuffer({
      hold: () => {
        throw new Error('too much');
      },
    });
    buffer.push('one', 3);
    await expect(consume(buffer)).rejects.toThrow('too much');
  });

  it('drops what waits when the consumer leaves', async () => {
    const { buffer, held, ends } = createBuffer();
    buffer.push('one', 3);
    buffer.push('two', 4);
    for await (const _ of buffer) {
      break;
    }
    buffer.push('three', 5);
    expect([held(), ends(), buffer.isEnded]).toEqual([0, 1, true]);
  });

  it('lets a consumer who waits go when it ends', async () => {
    const { buffer } = createBuffer();
    const waiting = buffer.next();
    buffer.end();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  it('tells a consumer who waits why it ends', async () => {
    const { buffer } = createBuffer();
    const waiting = buffer.next();
    buffer.end(new Error('lost'));
    await expect(waiting).rejects.toThrow('lost');
  });
});
