import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { LOG_START, type SealedRecord } from '@palisade/domain';
import { MemoryStore } from '@palisade/storage';
import { appendSealed } from '../../test/support/log-samples.js';
import { firstPosition, isSegmentName, readSegment, segmentName, writeSegment } from './segment.js';

async function recordsOf(count: number): Promise<[SealedRecord, ...SealedRecord[]]> {
  const { log } = new MemoryStore();
  await appendSealed(log, count);
  return (await log.list({ limit: count })) as [SealedRecord, ...SealedRecord[]];
}

function write(records: [SealedRecord, ...SealedRecord[]]): string {
  return writeSegment(records, LOG_START, 'signed');
}

describe(segmentName.name, () => {
  it('sorts as the positions do, and says the first', () => {
    const names = [1, 9, 10, 10_001, Number.MAX_SAFE_INTEGER].map(segmentName);

    expect(names).toEqual(names.toSorted());
    expect(names.map(firstPosition)).toEqual([1, 9, 10, 10_001, Number.MAX_SAFE_INTEGER]);
  });

  it.each(['log-1.ndjson', 'log-0000000000000001.ndjson.tmp', '.log-0000000000000001.ndjson', 'x'])(
    'is not %j',
    (name) => {
      expect(isSegmentName(name)).toBe(false);
    },
  );
});

describe(writeSegment.name, () => {
  it('writes a line for each record and one about all of them', async () => {
    const [first, second] = (await recordsOf(2)) as [SealedRecord, SealedRecord];

    const lines = write([first, second]).split('\n');

    expect(lines).toHaveLength(4);
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ position: 2, detail: { n: 2 }, hash: second.hash });
    const { sha256, ...fields } = JSON.parse(lines[2] ?? '').segment;
    expect(fields).toEqual({
      first: 1,
      last: 2,
      records: 2,
      previous_seal: '0'.repeat(64),
      seal: second.seal,
      signature: 'signed',
    });
    const digested = `${lines[0]}
${lines[1]}
${JSON.stringify(fields)}`;
    expect(sha256).toBe(createHash('sha256').update(digested).digest('hex'));
    expect(lines[3]).toBe('');
  });
});

describe(readSegment.name, () => {
  it('reads what was written', async () => {
    const records = await recordsOf(3);

    expect(readSegment(write(records))).toMatchObject({ records, summary: { first: 1, last: 3, records: 3 } });
  });

  it('notices every byte that is different, missing or too many', async () => {
    const text = write(await recordsOf(3));
    for (let at = 0; at < text.length; at += 7) {
      expect(readSegment(`${text.slice(0, at)}#${text.slice(at + 1)}`)).toBeUndefined();
      expect(readSegment(text.slice(0, at))).toBeUndefined();
      expect(readSegment(`${text.slice(0, at)} ${text.slice(at)}`)).toBeUndefined();
    }
  });

  it('rejects a segment whose last line is right about other records', async () => {
    const [one, two] = [await recordsOf(2), await recordsOf(3)].map((records) => write(records).split('\n'));
    const forged = [...(two ?? []).slice(0, 3), ...(one ?? []).slice(2)].join('\n');

    expect(readSegment(forged)).toBeUndefined();
  });

  it.each(['', '\n', '\n\n', '{}', '{"segment":null}', '{"segment":{"first":1}}\n', '{'.repeat(100_000)])(
    'rejects %j',
    (text) => {
      expect(readSegment(text)).toBeUndefined();
    },
  );
});
