import { describe, expect, it } from '@jest/globals';
import { formatBytes, parseBytes, parseCores, parseDurationMs } from './quantity.js';

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

describe(parseCores.name, () => {
  it.each([
    ['500m', 0.5],
    ['1m', 0.001],
    ['2', 2],
    ['1.5', 1.5],
    [0.5, 0.5],
    [2, 2],
    ['2500m', 2.5],
    [1024, 1024],
  ])('reads %p as %p', (quantity, cores) => {
    expect(parseCores(quantity)).toBe(cores);
  });

  it.each([
    '',
    '0',
    0,
    '0m',
    '0.5m',
    -1,
    '-1',
    '1 m',
    'm',
    '1M',
    '1.2345',
    '1025',
    NaN,
    Infinity,
    1e21,
    null,
    true,
    {},
  ])('reads %p as none', (quantity) => {
    expect(parseCores(quantity)).toBeUndefined();
  });
});

describe(parseBytes.name, () => {
  it.each([
    ['256Mi', 268_435_456],
    ['1Gi', 1_073_741_824],
    ['1.5Gi', 1_610_612_736],
    ['512MB', 512_000_000],
    ['4 GB', 4_000_000_000],
    ['1k', 1000],
    ['1K', 1000],
    ['1KiB', 1024],
    ['1T', 1_000_000_000_000],
    ['1048576', 1_048_576],
    [1_048_576, 1_048_576],
    ['1B', 1],
  ])('reads %p as %p', (quantity, bytes) => {
    expect(parseBytes(quantity)).toBe(bytes);
  });

  it.each(['', '0', 0, '0.5', -1, 'Mi', '1mi', '1 Mi ', '1Mib', '1e3', '1Pi', '999999999999999T', NaN, null, [], {}])(
    'reads %p as none',
    (quantity) => {
      expect(parseBytes(quantity)).toBeUndefined();
    },
  );
});

describe(formatBytes.name, () => {
  it.each([
    [2 ** 40, '1Ti'],
    [4 * 2 ** 30, '4Gi'],
    [1.5 * 2 ** 30, '1536Mi'],
    [3 * 2 ** 10, '3Ki'],
    [4_000_000_000, '3906250Ki'],
    [1001, '1001'],
    [0, '0'],
  ])('writes %d as %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  it.each([1, 1024, 1000, 2 ** 46])('writes %d so that it is read as the same', (bytes) => {
    expect(parseBytes(formatBytes(bytes))).toBe(bytes);
  });
});
