import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { LogSeals } from '@palisade/platform';
import { MemoryStore } from '@palisade/storage';
import { MemorySink, append, appendSealed, recordOf } from '../../test/support/log-samples.js';
import { LogExporter } from './log-exporter.js';
import { segmentName } from './segment.js';
import { verifyExport } from './verify-export.js';

const { signal } = new AbortController();

describe(LogExporter.name, () => {
  let store: MemoryStore;
  let sink: MemorySink;
  let exporter: LogExporter;

  beforeEach(() => {
    store = new MemoryStore();
    sink = new MemorySink();
    exporter = new LogExporter(store.log, new LogSeals(store), sink);
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('exports what there is, in segments of 10,000 records', async () => {
    await appendSealed(store.log, 10_001);

    expect(await exporter.exportAll(signal)).toEqual({ records: 10_001, through: 10_001 });

    expect([...sink.segments.keys()]).toEqual([segmentName(1), segmentName(10_001)]);
    expect(await verifyExport(sink)).toMatchObject({ isValid: true, segments: 2, records: 10_001, first: 1 });
  });

  it('ends a segment when its records are big', async () => {
    await appendSealed(store.log, 20, { detail: { big: 'x'.repeat(1_000_000) } });

    await exporter.exportAll(signal);

    expect([...sink.segments.keys()]).toEqual([segmentName(1), segmentName(10), segmentName(19)]);
  });

  it('exports every record once', async () => {
    await appendSealed(store.log, 3);
    await exporter.exportAll(signal);
    await appendSealed(store.log, 2);

    expect(await exporter.exportAll(signal)).toEqual({ records: 2, through: 5 });
    expect(await exporter.exportAll(signal)).toEqual({ records: 0, through: 5 });
    expect([...sink.segments.keys()]).toEqual([segmentName(1), segmentName(4)]);
  });

  it('knows how far the export is, also while it cannot go on', async () => {
    expect(exporter.exportedThrough).toBeUndefined();
    await appendSealed(store.log, 3);
    await exporter.exportAll(signal);
    sink.isAway = true;
    await appendSealed(store.log, 2);
    await exporter.exportAll(signal).catch(() => {});

    expect(exporter.exportedThrough).toBe(3);
  });

  it('goes on where an earlier process has ended', async () => {
    await appendSealed(store.log, 3);
    await exporter.exportAll(signal);
    await appendSealed(store.log, 1);

    const successor = new LogExporter(store.log, new LogSeals(store), sink);

    expect(await successor.exportAll(signal)).toEqual({ records: 1, through: 4 });
  });

  it('exports once what several replicas export at the same time', async () => {
    const replicas = [
      exporter,
      new LogExporter(store.log, new LogSeals(store), sink),
      new LogExporter(store.log, new LogSeals(store), sink),
    ];
    for (let round = 1; round <= 5; round++) {
      await appendSealed(store.log, 2);
      await Promise.all(replicas.map((replica) => replica.exportAll(signal)));
    }

    expect(await verifyExport(sink)).toMatchObject({ isValid: true, records: 10, first: 1, last: 10 });
  });

  it('exports everything after an outage of the backend', async () => {
    await appendSealed(store.log, 2);
    sink.isAway = true;
    await expect(exporter.exportAll(signal)).rejects.toMatchObject({ code: 'AUDIT_BACKEND_UNAVAILABLE' });
    sink.isAway = false;

    expect(await exporter.exportAll(signal)).toEqual({ records: 2, through: 2 });
  });

  it('begins where the log begins, and tells what was removed before', async () => {
    await appendSealed(store.log, 2);
    await exporter.exportAll(signal);
    await append(store.log, [recordOf(), recordOf({ timestamp: new Date('2027-01-01T00:00:00Z') })]);
    await store.log.removeBefore(new Date('2027-01-01T00:00:00Z'));

    expect(await exporter.exportAll(signal)).toEqual({ records: 1, through: 4 });

    expect(jest.mocked(Logger.prototype.warn)).toHaveBeenCalledWith(
      'records 3 to 3 were removed before they were exported',
    );
    expect(await verifyExport(sink)).toMatchObject({ isValid: false, brokenAt: 3, reason: 'position' });
  });

  it('exports nothing once the signal has aborted', async () => {
    await appendSealed(store.log, 2);

    expect(await exporter.exportAll(AbortSignal.abort())).toEqual({ records: 0, through: 0 });
    expect(sink.segments.size).toBe(0);
  });

  it.each([
    ['has other records after those that were exported', 3],
    ['has other records instead of those that were exported', 2],
    ['has fewer records than were exported', 1],
  ])('exports nothing when the store %s', async (_, count) => {
    await appendSealed(store.log, 2);
    await exporter.exportAll(signal);
    const other = new MemoryStore();
    await appendSealed(other.log, count, { userId: 'eve' });

    const forged = new LogExporter(other.log, new LogSeals(other), sink).exportAll(signal);

    await expect(forged).rejects.toMatchObject({ code: 'AUDIT_CHAIN_BROKEN', where: 'the store' });
    expect(sink.segments.size).toBe(1);
  });

  it('exports nothing when the last segment is not as it was written', async () => {
    await appendSealed(store.log, 2);
    await exporter.exportAll(signal);
    sink.segments.set(segmentName(1), (sink.segments.get(segmentName(1)) ?? '').replace('ann@', 'eve@'));

    const other = new LogExporter(store.log, new LogSeals(store), sink).exportAll(signal);

    await expect(other).rejects.toMatchObject({ code: 'AUDIT_CHAIN_BROKEN', brokenAt: 1, reason: 'segment' });
  });

  it('exports nothing when exported segments are gone', async () => {
    await appendSealed(store.log, 2);
    await exporter.exportAll(signal);
    await appendSealed(store.log, 2);
    await exporter.exportAll(signal);
    sink.segments.delete(segmentName(3));

    const other = new LogExporter(store.log, new LogSeals(store), sink).exportAll(signal);

    await expect(other).rejects.toMatchObject({ code: 'AUDIT_CHAIN_BROKEN', where: 'memory:', brokenAt: 3 });
  });

  it('goes on behind a segment that was written by a process that ended right after it', async () => {
    await appendSealed(store.log, 2);
    jest.spyOn(store.log, 'moveReader').mockRejectedValueOnce(new Error('ended'));
    await expect(exporter.exportAll(signal)).rejects.toThrow('ended');
    await appendSealed(store.log, 1);

    const successor = new LogExporter(store.log, new LogSeals(store), sink);

    expect(await successor.exportAll(signal)).toEqual({ records: 1, through: 3 });
    expect(await verifyExport(sink)).toMatchObject({ isValid: true, records: 3 });
    expect(await store.log.findReader('export memory:')).toMatchObject({ position: 3 });
  });

  it('gives up for now when a segment can neither be created nor found', async () => {
    await appendSealed(store.log, 2);
    jest.spyOn(sink, 'create').mockResolvedValue(false);

    expect(await exporter.exportAll(signal)).toEqual({ records: 0, through: 0 });
  });
});
