import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { ChainedActionRecord } from '@palisade/domain';
import { MemoryStore } from '@palisade/storage';
import { appendActions } from '../../../test/support/audit-samples.js';
import { firstSequence, isSegmentName, readSegment, segmentName, writeSegment } from './segment.js';

async function recordsOf(count: number): Promise<[ChainedActionRecord, ...ChainedActionRecord[]]> {
  const { actions } = new MemoryStore();
  await appendActions(actions, count);
  return (await actions.list({ limit: count })) as [ChainedActionRecord, ...ChainedActionRecord[]];
}

describe(segmentName.name, () => {
  it('sorts as the sequences do, and says the first', () => {
    const names = [1, 9, 10, 10_001, Number.MAX_SAFE_INTEGER].map(segmentName);

    expect(names).toEqual(names.toSorted());
    expect(names.map(firstSequence)).toEqual([1, 9, 10, 10_001, Number.MAX_SAFE_INTEGER]);
  });

  it.each(['actions-1.ndjson', 'actions-0000000000000001.ndjson.tmp', '.actions-0000000000000001.ndjson', 'x'])(
    'is not %j',
    (name) => {
      expect(isSegmentName(name)).toBe(false);
    },
  );
});

describe(writeSegment.name, () => {
  it('writes a line for each record and one about all of them', async () => {
    const [first, second] = (await recordsOf(2)) as [ChainedActionRecord, ChainedActionRecord];

    const lines = writeSegment([first, second]).split('\n');

    expect(lines).toHaveLength(4);
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ sequence: 2, detail: { n: 2 }, hash: second.hash });
    expect(JSON.parse(lines[2] ?? '')).toEqual({
      segment: {
        first: 1,
        last: 2,
        records: 2,
        previous_hash: '0'.repeat(64),
        hash: second.hash,
        sha256: createHash('sha256').update(`${lines[0]}\n${lines[1]}\n`).digest('hex'),
      },
    });
    expect(lines[3]).toBe('');
  });
});

describe(readSegment.name, () => {
  it('reads what was written', async () => {
    const records = await recordsOf(3);

    expect(readSegment(writeSegment(records))).toMatchObject({ records, summary: { first: 1, last: 3, records: 3 } });
  });

  it('notices every byte that is different, missing or too many', async () => {
    const text = writeSegment(await recordsOf(3));
    for (let at = 0; at < text.length; at += 7) {
      expect(readSegment(`${text.slice(0, at)}#${text.slice(at + 1)}`)).toBeUndefined();
      expect(readSegment(text.slice(0, at))).toBeUndefined();
      expect(readSegment(`${text.slice(0, at)} ${text.slice(at)}`)).toBeUndefined();
    }
  });

  it('refuses a segment whose last line is right about other records', async () => {
    const [one, two] = [await recordsOf(2), await recordsOf(3)].map((records) => writeSegment(records).split('\n'));
    const forged = [...(two ?? []).slice(0, 3), ...(one ?? []).slice(2)].join('\n');

    expect(readSegment(forged)).toBeUndefined();
  });

  it.each(['', '\n', '\n\n', '{}', '{"segment":null}', '{"segment":{"first":1}}\n', '{'.repeat(100_000)])(
    'refuses %j',
    (text) => {
      expect(readSegment(text)).toBeUndefined();
    },
  );
});
