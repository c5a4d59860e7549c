import { describe, expect, it } from '@jest/globals';
import { SingleFlight } from './single-flight.js';

describe(SingleFlight.name, () => {
  it('loads once for all who ask for the same at the same time, and again afterwards', async () => {
    let loads = 0;
    const flight = new SingleFlight<string, number>();
    const ask = (key: string) => flight.run(key, async () => (loads += 1));
    const together = await Promise.all([ask('a'), ask('a'), ask('b')]);
    expect([together, await ask('a')]).toEqual([[1, 1, 2], 3]);
  });

  it('gives a failure to all who share it, and tries again for the next', async () => {
    const flight = new SingleFlight<string, number>();
    const failing = () => Promise.reject(new Error('failed'));
    const together = await Promise.allSettled([flight.run('a', failing), flight.run('a', failing)]);
    expect(together.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(flight.run('a', async () => 1)).resolves.toBe(1);
  });
});
