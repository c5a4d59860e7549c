import { describe, expect, it } from '@jest/globals';
import { Backoff } from './backoff.js';

describe(Backoff.name, () => {
  const create = (random = 0): Backoff => new Backoff({ minMs: 500, maxMs: 5000, random: () => random });

  it('waits twice as long after each failure, up to a bound', () => {
    const backoff = create();
    expect([1, 2, 3, 4, 5, 6].map(() => backoff.next())).toEqual([500, 1000, 2000, 4000, 5000, 5000]);
  });

  it('begins again after a success', () => {
    const backoff = create();
    backoff.next();
    backoff.next();
    backoff.reset();
    expect(backoff.next()).toBe(500);
  });

  it('lets chance take up to a half of it away', () => {
    expect([create(0.5).next(), create(0.999_999).next()]).toEqual([375, expect.closeTo(250, 2)]);
  });

  it('waits as long as it is asked to', () => {
    const backoff = create();
    expect([backoff.next(3000), backoff.next(10), backoff.next(60_000)]).toEqual([3000, 1000, 60_000]);
  });

  it('stays within its bound however often it fails', () => {
    const backoff = create();
    const waits = Array.from({ length: 5000 }, () => backoff.next());
    expect(Math.max(...waits)).toBe(5000);
  });
});
