import { describe, expect, it } from '@jest/globals';
import { FileReport } from './file-report.js';

describe(FileReport.name, () => {
  it('keeps the first problem of a path', () => {
    const report = new FileReport({ a: 2 });
    report.expected(['a'], 'one');
    report.expected(['a'], 'three');
    expect(report.format().problems).toEqual(['a: expected one, found 2']);
  });

  it('does not count on what is, contains, or is contained by something with a problem', () => {
    const report = new FileReport({ a: 2 });
    report.problem(['a', 'b'], 'is wrong');
    const paths = [['a'], ['a', 'b'], ['a', 'b', 'c'], ['a', 'bc'], ['b']];
    expect(paths.map((path) => report.isSound(...path))).toEqual([false, false, false, true, true]);
  });

  it('tells a wrong form from a wrong part', () => {
    const report = new FileReport({ a: 2 });
    report.problem(['a', 'b'], 'is wrong');
    expect([['a'], ['a', 'b'], ['a', 'b', 'c']].map((path) => report.hasForm(...path))).toEqual([true, false, false]);
  });

  it('counts what is more than 200', () => {
    const report = new FileReport({ a: 2 });
    for (let index = 0; index < 205; index += 1) {
      report.problem(['a', index], 'is wrong');
      report.warning(['a', index], 'is odd');
    }
    const { problems, warnings } = report.format();
    expect([problems.length, problems.at(-1), warnings.length, warnings.at(-1), report.isFull]).toEqual([
      201,
      'and 5 more',
      201,
      'and 5 more',
      true,
    ]);
  });
});
