import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { fairShares } from './fair-shares.js';

describe(fairShares, () => {
  it.each([
    [100, [10, 200, 200], [10, 45, 45]],
    [10, [5, 5], [5, 5]],
    [7, [9, 9], [4, 3]],
    [7, [9, 100], [4, 3]],
    [2, [1, 1, 1], [1, 1, 0]],
    [0, [3], [0]],
    [-5, [3, 0], [0, 0]],
    [5, [], []],
  ])('divides %d among %j', (amount, wants, shares) => {
    expect(fairShares(amount, wants)).toEqual(shares);
  });

  it('gives all that is wanted, or all that there is, and nobody less who has no more', () => {
    const property = fc.property(fc.nat(1000), fc.array(fc.nat(300), { minLength: 1 }), (amount, wants) => {
      const shares = fairShares(amount, wants);
      const wanted = wants.reduce((sum, want) => sum + want, 0);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(Math.min(amount, wanted));
      const most = Math.max(...shares);
      shares.forEach((share, index) => {
        expect(share).toBeLessThanOrEqual(wants[index] ?? 0);
        expect(share === wants[index] || share >= most - 1).toBe(true);
      });
    });
    fc.assert(property);
  });
});
