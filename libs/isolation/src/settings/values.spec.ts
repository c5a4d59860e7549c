import { describe, expect, it } from '@jest/globals';
import { CORES, formatDurationMs, memory } from './values.js';

const MEMORY = memory('1Mi');

describe('CORES', () => {
  it.each([
    ['2', 2],
    [2, 2],
    ['0.5', 0.5],
    [0.25, 0.25],
    ['500m', 0.5],
    ['1024', 1024],
  ])('reads %j', (value, cores) => {
    expect(CORES.parse(value)).toBe(cores);
  });

  it.each(['', '0', 0, -1, '-1', '1025', NaN, Infinity, '1e3', '0.5m', '2 cores', 'm', '1.', '.5', null, true, ['2']])(
    'rejects %j',
    (value) => {
      expect(CORES.safeParse(value).success).toBe(false);
    },
  );
});

describe(memory.name, () => {
  it.each([
    ['4Gi', 4 * 2 ** 30],
    ['4GiB', 4 * 2 ** 30],
    ['512Mi', 2 ** 29],
    ['1024Ki', 2 ** 20],
    ['4G', 4e9],
    ['4GB', 4e9],
    ['2000k', 2e6],
    ['1.5Gi', 1.5 * 2 ** 30],
    ['1Ti', 2 ** 40],
    [1_048_576, 1_048_576],
    ['1048576', 1_048_576],
  ])('reads %j', (value, bytes) => {
    expect(MEMORY.parse(value)).toBe(bytes);
  });

  it.each(['', '4', 8, '4gi', '4Gib', '4m', '65Ti', '1023Ki', '-4Gi', '1e9', NaN, Infinity, 2 ** 60, null, '4GiBB'])(
    'rejects %j',
    (value) => {
      expect(MEMORY.safeParse(value).success).toBe(false);
    },
  );
});

describe(formatDurationMs.name, () => {
  it.each([
    [0, '0s'],
    [250, '250ms'],
    [1500, '1500ms'],
    [30_000, '30s'],
    [90_000, '90s'],
    [300_000, '5m'],
    [43_200_000, '12h'],
    [86_400_000, '1d'],
  ])('writes %j as %j', (ms, text) => {
    expect(formatDurationMs(ms)).toBe(text);
  });
});
