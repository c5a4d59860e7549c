import { describe, expect, it } from '@jest/globals';
import { Turns } from './turns.js';

function createTurns(): Turns {
  return new Turns((maxWaiting) => new Error(`${maxWaiting} wait`));
}

describe(Turns.name, () => {
  it('come in order', async () => {
    const turns = createTurns();
    const order: number[] = [];
    const work = async (n: number) => {
      using _turn = await turns.take();
      await Promise.resolve();
      order.push(n);
    };
    await Promise.all([1, 2, 3].map(work));
    expect(order).toEqual([1, 2, 3]);
  });

  it('are not taken by who has gone', async () => {
    const turns = createTurns();
    const controller = new AbortController();
    const first = await turns.take();
    const second = turns.take(controller.signal);
    const third = turns.take();
    controller.abort(new Error('gone'));
    await expect(second).rejects.toThrow('gone');
    first[Symbol.dispose]();
    await expect(third).resolves.toBeDefined();
  });

  it('are given up once, however often', async () => {
    const turns = createTurns();
    const first = await turns.take();
    first[Symbol.dispose]();
    await turns.take();
    const third = turns.take();
    first[Symbol.dispose]();
    await expect(Promise.race([third.then(() => 'taken'), Promise.resolve('waiting')])).resolves.toBe('waiting');
  });

  it('are waited for by 100 at most', async () => {
    const turns = createTurns();
    await turns.take();
    for (let count = 0; count < 100; count++) {
      void turns.take();
    }
    await expect(turns.take()).rejects.toThrow('100 wait');
  });
});
