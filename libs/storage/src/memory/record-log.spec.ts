import { describe, expect, it } from '@jest/globals';
import { verifyLog, type LogRecord } from '@palisade/domain';
import { RecordLog } from './record-log.js';

function recordOf(userId: string): LogRecord {
  return { timestamp: new Date(0), userId, action: 'a', resource: 'r', result: 'denied' };
}

function logOf(maxRecords: number, count: number): RecordLog {
  const log = new RecordLog(maxRecords);
  for (let index = 1; index <= count; index += 1) {
    log.append([recordOf(`u${index}`)]);
    log.seal();
  }
  return log;
}

describe(RecordLog.name, () => {
  it.each([4, 5, 9, 20])('removes the oldest of %i records beyond its bound and stays verifiable', async (count) => {
    const log = logOf(3, count);

    const records = log.list({ limit: 100 });

    expect(records.map(({ position }) => position)).toEqual([count - 2, count - 1, count]);
    expect(records.at(-1)?.userId).toBe(`u${count}`);
    const { removed, head } = log.ends();
    expect(await verifyLog(records, removed)).toEqual({ isValid: true, records: 3, head });
  });

  it('stays within its bound when more are sealed at once', () => {
    const log = new RecordLog(2);

    log.append(['a', 'b', 'c'].map(recordOf));
    log.seal();

    expect(log.list({ limit: 10 }).map(({ userId }) => userId)).toEqual(['b', 'c']);
  });

  it('reads on from a removed position at the oldest record it has', () => {
    const positions = logOf(2, 5)
      .list({ after: 1, limit: 10 })
      .map(({ position }) => position);
    expect(positions).toEqual([4, 5]);
  });

  it('reads backward from a position, and from the end', () => {
    const log = logOf(3, 5);
    const positions = (query: object): number[] =>
      log.list({ order: 'desc', limit: 2, ...query }).map(({ position }) => position);

    expect(positions({})).toEqual([5, 4]);
    expect(positions({ before: 4 })).toEqual([3]);
    expect(positions({ before: 2 })).toEqual([]);
    expect(positions({ after: 4, before: 900 })).toEqual([5]);
  });
});
