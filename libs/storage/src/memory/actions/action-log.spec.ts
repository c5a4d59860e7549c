import { describe, expect, it } from '@jest/globals';
import type { ActionRecord } from '@palisade/domain';
import { verifyChain } from '../../audit/action-chain.js';
import { ActionLog } from './action-log.js';

function recordOf(userId: string): ActionRecord {
  return { timestamp: new Date(0), userId, action: 'a', resource: 'r', result: 'denied' };
}

function logOf(maxRecords: number, count: number): ActionLog {
  const log = new ActionLog(maxRecords);
  Array.from({ length: count }, (_, index) => log.append([recordOf(`u${index + 1}`)]));
  return log;
}

describe(ActionLog.name, () => {
  it.each([4, 5, 9, 20])('forgets the oldest of %i records beyond its bound and stays verifiable', async (count) => {
    const log = logOf(3, count);

    const records = log.list({ limit: 100 });

    expect(records.map(({ sequence }) => sequence)).toEqual([count - 2, count - 1, count]);
    expect(records.at(-1)?.userId).toBe(`u${count}`);
    const { start, head } = log.ends();
    expect(await verifyChain(records, start)).toEqual({ isValid: true, records: 3, head });
  });

  it('forgets within one append that exceeds its bound', () => {
    const log = new ActionLog(2);

    log.append(['a', 'b', 'c'].map(recordOf));

    expect(log.list({ limit: 10 }).map(({ userId }) => userId)).toEqual(['b', 'c']);
  });

  it('reads on from a forgotten sequence at the oldest record it has', () => {
    expect(
      logOf(2, 5)
        .list({ after: 1, limit: 10 })
        .map(({ sequence }) => sequence),
    ).toEqual([4, 5]);
  });
});
