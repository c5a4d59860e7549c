import { beforeEach, describe, expect, it } from '@jest/globals';
import { MemoryStore } from '@palisade/storage';
import { MemorySink, appendActions } from '../../../test/support/audit-samples.js';
import { AuditExporter } from './audit-exporter.js';
import { segmentName } from './segment.js';
import { verifyExport } from './verify-export.js';

describe(verifyExport.name, () => {
  let store: MemoryStore;
  let sink: MemorySink;

  /** Segments of 2, 2 and 2 records. */
  beforeEach(async () => {
    store = new MemoryStore();
    sink = new MemorySink();
    const exporter = new AuditExporter(store.actions, sink);
    for (let segment = 1; segment <= 3; segment++) {
      await appendActions(store.actions, 2);
      await exporter.exportAll(new AbortController().signal);
    }
  });

  function change(first: number, how: (text: string) => string): void {
    sink.segments.set(segmentName(first), how(sink.segments.get(segmentName(first)) ?? ''));
  }

  it('accepts what was exported and tells its head', async () => {
    const { head } = await store.actions.ends();

    expect(await verifyExport(sink)).toEqual({
      isValid: true,
      segments: 3,
      records: 6,
      first: 1,
      last: 6,
      hash: head.hash,
    });
  });

  it('accepts that nothing is exported', async () => {
    expect(await verifyExport(new MemorySink())).toEqual({ isValid: true, segments: 0, records: 0 });
  });

  it('tells in which segment something was changed', async () => {
    change(3, (text) => text.replace('ann@', 'eve@'));

    expect(await verifyExport(sink)).toEqual({
      isValid: false,
      segment: segmentName(3),
      brokenAt: 3,
      reason: 'segment',
    });
  });

  it('tells which segment is missing', async () => {
    sink.segments.delete(segmentName(3));

    expect(await verifyExport(sink)).toEqual({
      isValid: false,
      segment: segmentName(5),
      brokenAt: 3,
      reason: 'sequence',
    });
  });

  it('refuses a segment under the name of another', async () => {
    change(3, () => sink.segments.get(segmentName(1)) ?? '');

    expect(await verifyExport(sink)).toMatchObject({ isValid: false, segment: segmentName(3), reason: 'segment' });
  });

  it('refuses a whole segment of another chain', async () => {
    const [other, otherSink] = [new MemoryStore(), new MemorySink()];
    const exporter = new AuditExporter(other.actions, otherSink);
    for (let segment = 1; segment <= 2; segment++) {
      await appendActions(other.actions, 2, { userId: 'eve' });
      await exporter.exportAll(new AbortController().signal);
    }
    change(3, () => otherSink.segments.get(segmentName(3)) ?? '');

    expect(await verifyExport(sink)).toMatchObject({ isValid: false, brokenAt: 3, reason: 'previous_hash' });
  });
});
