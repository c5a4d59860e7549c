import { describe, expect, it } from '@jest/globals';
import { parseDuration } from './duration.js';

describe(parseDuration.name, () => {
  it.each([
    ['300s', 300_000],
    ['250ms', 250],
    ['5m', 300_000],
    ['1h', 3_600_000],
    ['0s', 0],
  ])('reads %s', (text, durationMs) => {
    expect(parseDuration(text)).toBe(durationMs);
  });

  it.each(['300', 's', '-1s', '1.5s', '1 s', '1S', '1d', '300s ', '9999999999h', ''])('refuses %j', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });
});
