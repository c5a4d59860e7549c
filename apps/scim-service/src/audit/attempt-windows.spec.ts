import { describe, expect, it } from '@jest/globals';
import type { AuditEvent } from '@palisade/domain';
import { AttemptWindows } from './attempt-windows.js';

const START = Date.UTC(2026, 10, 3);

function at(seconds: number): Date {
  return new Date(START + seconds * 1000);
}

function attempt(seconds: number, resource = 'GET /x'): AuditEvent {
  return { at: at(seconds), actor: 'anonymous', action: 'authentication', resource, result: 'denied' };
}

describe(AttemptWindows.name, () => {
  it('passes the first of a kind on at once', () => {
    const windows = new AttemptWindows();
    windows.add('a', attempt(0));
    expect(windows.collect(at(1))).toEqual([attempt(0)]);
    expect(windows.collect(at(2))).toEqual([]);
  });

  it('counts repeats and passes them on when the minute is over', () => {
    const windows = new AttemptWindows();
    windows.add('a', attempt(0));
    windows.add('a', attempt(1));
    windows.collect(at(1));
    windows.add('a', attempt(59));
    expect(windows.collect(at(59))).toEqual([]);
    expect(windows.collect(at(60))).toEqual([{ ...attempt(60), detail: { repeats: 2 } }]);
  });

  it('passes on nothing more when there were no repeats, and begins anew', () => {
    const windows = new AttemptWindows();
    windows.add('a', attempt(0));
    windows.collect(at(1));
    expect(windows.collect(at(60))).toEqual([]);
    windows.add('a', attempt(61));
    expect(windows.collect(at(62))).toEqual([attempt(61)]);
  });

  it('keeps 1000 kinds apart and only counts what is beyond', () => {
    const windows = new AttemptWindows();
    for (let kind = 0; kind < 1250; kind++) {
      windows.add(String(kind), attempt(0, `GET /${kind}`));
    }
    expect(windows.collect(at(1))).toHaveLength(1000);
    expect(windows.collect(at(60))).toEqual([
      expect.objectContaining({ resource: 'various', detail: expect.objectContaining({ repeats: 250 }) }),
    ]);
  });

  it('gives up everything when drained', () => {
    const windows = new AttemptWindows();
    windows.add('a', attempt(0));
    windows.add('a', attempt(1));
    expect(windows.drain(at(2))).toEqual([attempt(0), { ...attempt(2), detail: { repeats: 1 } }]);
    expect(windows.drain(at(2))).toEqual([]);
  });
});
