import { describe, expect, it } from '@jest/globals';
import { formatPath, showValue } from './problems.js';

describe(formatPath.name, () => {
  it.each([
    [['proxy_pools', 'premium', 'replicas'], 'proxy_pools.premium.replicas'],
    [['rules', 3, 'match'], 'rules[3].match'],
    [['a', 'b.c'], 'a["b.c"]'],
    [['two\nlines'], String.raw`["two\nlines"]`],
    [['a', ''], 'a[""]'],
    [['a', '\u001b[31m'], String.raw`a["\u001b[31m"]`],
  ])('writes %j', (path, text) => {
    expect(formatPath(path)).toBe(text);
  });
});

describe(showValue.name, () => {
  it.each([
    [undefined, 'nothing'],
    [null, 'nothing'],
    [[], 'a list'],
    [{}, 'an object'],
    [1.5, '1.5'],
    [false, 'false'],
    ['text', '"text"'],
    ['a\r\n\u001b[2J\u0000', String.raw`"a\r\n\u001b[2J\u0000"`],
    ['\u202Eevil\u2028\u009b', String.raw`"\u{202e}evil\u{2028}\u{9b}"`],
    ['\ud800', '"\ufffd"'],
    ['postgres://root:hunter2@db/x', '"postgres://[redacted]@db/x"'],
    ['https://token@host', '"https://[redacted]@host"'],
    ['root:hunter2@host:53', '"[redacted]@host:53"'],
    ['x'.repeat(500), `"${'x'.repeat(79)}…"`],
  ])('shows %j', (value, shown) => {
    expect(showValue(value)).toBe(shown);
  });
});
