import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { TokenBucket } from './token-bucket.js';

describe(TokenBucket.name, () => {
  it("holds one second's worth of tokens", () => {
    const bucket = new TokenBucket(3);
    expect([0, 0, 0, 0].map((nowMs) => bucket.take(nowMs) === 0)).toEqual([true, true, true, false]);
  });

  it('says in how many milliseconds there will be a token', () => {
    const bucket = new TokenBucket(2);
    bucket.take(0);
    bucket.take(0);
    expect([bucket.take(0), bucket.take(400)]).toEqual([500, 100]);
  });

  it('takes nothing when there is no token', () => {
    const bucket = new TokenBucket(1);
    bucket.take(0);
    bucket.take(999);
    expect(bucket.take(1000)).toBe(0);
  });

  it('has its first token at any fraction of a millisecond', () => {
    const property = fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), (nowMs) => {
      expect(new TokenBucket(1).take(nowMs)).toBe(0);
    });
    fc.assert(property);
  });

  it('gives exactly the rate plus one burst, however the requests are spread', () => {
    const property = fc.property(
      fc.integer({ min: 1, max: 1000 }),
      fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 300 }),
      (perSecond, pauses) => {
        const bucket = new TokenBucket(perSecond);
        let [nowMs, taken] = [0, 0];
        for (const pauseMs of pauses) {
          nowMs += pauseMs;
          // As many as there are, at this moment.
          while (bucket.take(nowMs) === 0) {
            taken++;
          }
        }
        const [first = 0] = pauses;
        expect(taken).toBe(perSecond + Math.floor(((nowMs - first) * perSecond) / 1000));
      },
    );
    fc.assert(property, { numRuns: 100 });
  });
});
