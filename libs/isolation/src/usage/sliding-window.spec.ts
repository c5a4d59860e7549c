import { describe, expect, it } from '@jest/globals';
import { SlidingWindow } from './sliding-window.js';

describe(SlidingWindow.name, () => {
  it('counts requests, errors and what took longer than a second', () => {
    const window = new SlidingWindow();
    window.add(0, 1000, false);
    window.add(1, 1001, true);
    expect(window.sums(2)).toEqual({ requests: 2, errors: 1, slow: 1 });
  });

  it('forgets what is more than a minute old', () => {
    const window = new SlidingWindow();
    window.add(9_999, 1, false);
    expect(window.sums(59_999).requests).toBe(1);
    expect(window.sums(60_000).requests).toBe(0);
  });

  it('uses the place of what it has forgotten again', () => {
    const window = new SlidingWindow();
    window.add(0, 1, true);
    window.add(60_000, 1, false);
    expect(window.sums(60_000)).toEqual({ requests: 1, errors: 0, slow: 0 });
  });

  it('tells requests per second of the slot under way and the one before', () => {
    const window = new SlidingWindow();
    for (let count = 0; count < 30; count++) {
      window.add(10_000, 1, false);
    }
    expect([window.rate(15_000), window.rate(20_000), window.rate(30_000)]).toEqual([2, 3, 0]);
  });
});
