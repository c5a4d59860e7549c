import { describe, expect, it } from '@jest/globals';
import type { CapPart } from './cap-parts.js';
import { HeldCapPart } from './held-cap-part.js';

function part(overrides: Partial<CapPart> = {}): CapPart {
  return { sequence: 1, limit: 10, valid_seconds: 20, base: 4, base_valid_seconds: 900, ...overrides };
}

describe(HeldCapPart, () => {
  it('is nothing before the first part', () => {
    const held = new HeldCapPart();

    expect([held.limitAt(0), held.ceilingAt(0), held.sequence, held.nextEndMs(0)]).toEqual([
      0,
      0,
      undefined,
      undefined,
    ]);
  });

  it.each([
    [0, 10, 10],
    [14_999, 10, 10],
    [15_000, 4, 10],
    [19_999, 4, 10],
    [20_000, 4, 4],
    [894_999, 4, 4],
    [895_000, 0, 4],
    [900_000, 0, 0],
    [9_000_000, 0, 0],
  ])('after %d ms opens up to %d connections and keeps %d', (afterMs, limit, ceiling) => {
    const held = new HeldCapPart();
    held.apply(part(), { sentAtMs: 500, limit: 0 });

    expect([held.limitAt(500 + afterMs), held.ceilingAt(500 + afterMs)]).toEqual([limit, ceiling]);
  });

  it('leaves what is in use beyond a smaller part until it ends', () => {
    const held = new HeldCapPart();
    held.apply(part(), { sentAtMs: 0, limit: 30 });

    expect([held.limitAt(0), held.ceilingAt(19_999), held.ceilingAt(20_000)]).toEqual([10, 30, 4]);
  });

  it('says when it becomes less', () => {
    const held = new HeldCapPart();
    held.apply(part(), { sentAtMs: 500, limit: 0 });

    expect([500, 15_500, 20_500, 895_500, 900_500].map((nowMs) => held.nextEndMs(nowMs))).toEqual([
      15_500,
      20_500,
      895_500,
      900_500,
      undefined,
    ]);
  });

  it('ignores a part that is older than the one in force, or the same', () => {
    const held = new HeldCapPart();
    held.apply(part({ sequence: 2, limit: 3 }), { sentAtMs: 0, limit: 0 });
    held.apply(part({ sequence: 1 }), { sentAtMs: 0, limit: 0 });
    held.apply(part({ sequence: 2 }), { sentAtMs: 5000, limit: 0 });

    expect([held.sequence, held.limitAt(0), held.limitAt(15_000)]).toEqual([2, 3, 4]);
  });
});
