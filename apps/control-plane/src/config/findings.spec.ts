import { describe, expect, it } from '@jest/globals';
import { Findings } from './findings.js';

describe(Findings.name, () => {
  it('keeps the first problem of a path', () => {
    const findings = new Findings({ a: 2 });
    findings.expected(['a'], 'one');
    findings.expected(['a'], 'three');
    expect(findings.format().problems).toEqual(['a: expected one, found 2']);
  });

  it('does not count on what is, contains, or is contained by something with a problem', () => {
    const findings = new Findings({ a: 2 });
    findings.problem(['a', 'b'], 'is wrong');
    const paths = [['a'], ['a', 'b'], ['a', 'b', 'c'], ['a', 'bc'], ['b']];
    expect(paths.map((path) => findings.isSound(...path))).toEqual([false, false, false, true, true]);
  });

  it('tells a wrong form from a wrong part', () => {
    const findings = new Findings({ a: 2 });
    findings.problem(['a', 'b'], 'is wrong');
    expect([['a'], ['a', 'b'], ['a', 'b', 'c']].map((path) => findings.hasForm(...path))).toEqual([true, false, false]);
  });

  it('counts what is more than 200', () => {
    const findings = new Findings({ a: 2 });
    for (let index = 0; index < 205; index += 1) {
      findings.problem(['a', index], 'is wrong');
      findings.warning(['a', index], 'is odd');
    }
    const { problems, warnings } = findings.format();
    expect([problems.length, problems.at(-1), warnings.length, warnings.at(-1), findings.isFull]).toEqual([
      201,
      'and 5 more',
      201,
      'and 5 more',
      true,
    ]);
  });
});
