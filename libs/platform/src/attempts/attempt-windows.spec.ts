import { describe, expect, it } from '@jest/globals';
import { AttemptWindows } from './attempt-windows.js';

const START = Date.UTC(2026, 10, 3);

function at(seconds: number): Date {
  return new Date(START + seconds * 1000);
}

function createWindows(): AttemptWindows<string> {
  return new AttemptWindows<string>({
    repeated: (first, repeats) => `${first} and ${repeats} more`,
    various: (count) => `${count} others`,
  });
}

describe(AttemptWindows.name, () => {
  it('passes the first of a kind on at once, and once', () => {
    const windows = createWindows();
    windows.add('a', 'first', at(0));
    expect([windows.collect(at(1)), windows.collect(at(2))]).toEqual([['first'], []]);
  });

  it('counts repeats and passes them on when the minute is over', () => {
    const windows = createWindows();
    windows.add('a', 'first', at(0));
    windows.add('a', 'second', at(1));
    windows.collect(at(1));
    windows.add('a', 'third', at(59));
    expect([windows.collect(at(59)), windows.collect(at(60))]).toEqual([[], ['first and 2 more']]);
  });

  it('passes on nothing more when there were no repeats, and begins anew', () => {
    const windows = createWindows();
    windows.add('a', 'first', at(0));
    windows.collect(at(1));
    expect(windows.collect(at(60))).toEqual([]);
    windows.add('a', 'later', at(61));
    expect(windows.collect(at(62))).toEqual(['later']);
  });

  it('keeps 1000 kinds apart and only counts what is beyond', () => {
    const windows = createWindows();
    for (let kind = 0; kind < 1250; kind += 1) {
      windows.add(String(kind), 'x', at(0));
    }
    expect([windows.collect(at(1)).length, windows.collect(at(60))]).toEqual([1000, ['250 others']]);
  });

  it('gives up everything when drained', () => {
    const windows = createWindows();
    windows.add('a', 'first', at(0));
    windows.add('a', 'second', at(1));
    expect([windows.drain(at(2)), windows.drain(at(2))]).toEqual([['first', 'first and 1 more'], []]);
  });
});
