import { describe, expect, it } from '@jest/globals';
import { parseDurationMs } from './duration.js';

describe(parseDurationMs.name, () => {
  it.each([
    ['300s', 300_000],
    ['250ms', 250],
    ['5m', 300_000],
    ['1h', 3_600_000],
    ['2d', 172_800_000],
    ['0s', 0],
  ])('reads %s', (text, durationMs) => {
    expect(parseDurationMs(text)).toBe(durationMs);
  });

  it.each(['300', 's', '-1s', '1.5s', '1 s', '1S', '300s ', '9999999999h', ''])('rejects %j', (text) => {
    expect(parseDurationMs(text)).toBeUndefined();
  });
});
