import { describe, expect, it } from '@jest/globals';
import { SerialQueue } from './serial-queue.js';

describe(SerialQueue.name, () => {
  it('begins a task when the one before has ended', async () => {
    const queue = new SerialQueue();
    const steps: string[] = [];
    const gate = Promise.withResolvers<void>();
    const first = queue.run(async () => {
      steps.push('first begins');
      await gate.promise;
      steps.push('first ends');
    });
    const second = queue.run(async () => void steps.push('second'));
    gate.resolve();
    await Promise.all([first, second]);
    expect(steps).toEqual(['first begins', 'first ends', 'second']);
  });

  it('rejects as a task does, and goes on with the next one', async () => {
    const queue = new SerialQueue();
    const failed = queue.run(() => Promise.reject(new RangeError('no')));
    const next = queue.run(async () => 7);
    await expect(failed).rejects.toBeInstanceOf(RangeError);
    expect(await next).toBe(7);
  });

  it('is busy until everything has ended', async () => {
    const queue = new SerialQueue();
    const run = queue.run(async () => {});
    expect(queue.isBusy).toBe(true);
    await run;
    expect(queue.isBusy).toBe(false);
  });
});
