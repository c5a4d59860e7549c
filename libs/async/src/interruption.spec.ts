import { describe, expect, it } from '@jest/globals';
import { Interruption } from './interruption.js';

const forever = () => new Promise<never>(() => {});

describe(Interruption.name, () => {
  it('lets promises come to what they come to', async () => {
    const interruption = new Interruption();
    await expect(interruption.unless(Promise.resolve(1))).resolves.toBe(1);
    await expect(interruption.unless(Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  });

  it('ends all who wait, with the first reason', async () => {
    const interruption = new Interruption();
    const waiting = Promise.allSettled([interruption.unless(forever()), interruption.unless(forever())]);
    interruption.happen('lost');
    interruption.happen('lost again');
    expect(await waiting).toEqual([
      { status: 'rejected', reason: 'lost' },
      { status: 'rejected', reason: 'lost' },
    ]);
  });

  it('ends those who come after it has happened', async () => {
    const interruption = new Interruption();
    interruption.happen(new Error('lost'));
    await expect(interruption.unless(Promise.resolve(1))).rejects.toThrow('lost');
    expect(() => interruption.throwIfHappened()).toThrow('lost');
    expect(interruption.hasHappened).toBe(true);
  });

  it('leaves nobody to tell of a promise that fails later', async () => {
    const interruption = new Interruption();
    const late = Promise.withResolvers<never>();
    const waiting = interruption.unless(late.promise);
    interruption.happen('lost');
    await expect(waiting).rejects.toBe('lost');
    late.reject(new Error('late'));
    await expect(late.promise).rejects.toThrow('late');
  });
});
