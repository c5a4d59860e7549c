import { describe, expect, it } from '@jest/globals';
import { Findings, formatFinding } from './findings.js';
import { formatPath, isWithin } from './path.js';
import { showValue } from './show-value.js';

describe(Findings.name, () => {
  it('keeps the first problem of a path', () => {
    const findings = new Findings();
    findings.expected(['a'], 'one', 2);
    findings.expected(['a'], 'three', 4);
    expect(findings.problems.map(formatFinding)).toEqual(['a: expected one, found 2']);
  });

  it('does not count on what is, contains, or is contained by something with a problem', () => {
    const findings = new Findings();
    findings.problem(['a', 'b'], 'is wrong');
    const paths = [['a'], ['a', 'b'], ['a', 'b', 'c'], ['a', 'bc'], ['b']];
    expect(paths.map((path) => findings.isSound(path))).toEqual([false, false, false, true, true]);
  });

  it('tells a wrong form from a wrong part', () => {
    const findings = new Findings();
    findings.problem(['a', 'b'], 'is wrong');
    expect([['a'], ['a', 'b'], ['a', 'b', 'c']].map((path) => findings.hasForm(path))).toEqual([true, false, false]);
  });

  it('counts what is more than 200', () => {
    const findings = new Findings();
    for (let index = 0; index < 205; index += 1) {
      findings.problem(['a', index], 'is wrong');
      findings.warning(['a', index], 'is odd');
    }
    expect([findings.problems.length, findings.warnings.length, findings.omitted, findings.isFull]).toEqual([
      200,
      200,
      { problems: 5, warnings: 5 },
      true,
    ]);
  });
});

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

describe(isWithin.name, () => {
  it('compares whole parts', () => {
    expect([isWithin(['a', 'b'], ['a']), isWithin(['ab'], ['a']), isWithin(['a'], ['a', 'b'])]).toEqual([
      true,
      false,
      false,
    ]);
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
