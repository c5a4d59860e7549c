import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { LogSeals } from '@palisade/platform';
import { MemoryStore } from '@palisade/storage';
import { MemorySink, appendSealed, temporaryDirectory } from '../../test/support/log-samples.js';
import { LogExporter } from './log-exporter.js';
import { openSink } from './open-sink.js';
import { segmentName } from './segment.js';
import { runVerifyExport, verifyExport } from './verify-export.js';

describe(verifyExport.name, () => {
  let store: MemoryStore;
  let sink: MemorySink;

  /** Segments of 2, 2 and 2 records. */
  beforeEach(async () => {
    store = new MemoryStore();
    sink = new MemorySink();
    const exporter = new LogExporter(store.log, new LogSeals(store), sink);
    for (let segment = 1; segment <= 3; segment++) {
      await appendSealed(store.log, 2);
      await exporter.exportAll(new AbortController().signal);
    }
  });

  function change(first: number, how: (text: string) => string): void {
    sink.segments.set(segmentName(first), how(sink.segments.get(segmentName(first)) ?? ''));
  }

  it('accepts what was exported and tells its head', async () => {
    const { head } = await store.log.ends();

    expect(await verifyExport(sink)).toEqual({
      isValid: true,
      segments: 3,
      records: 6,
      first: 1,
      last: 6,
      seal: head.seal,
    });
  });

  it('tells that the end is missing which was kept, or is another', async () => {
    const { head } = await store.log.ends();
    const other = { position: 4, seal: 'a'.repeat(64) };

    expect(await verifyExport(sink, head)).toMatchObject({ isValid: true });
    expect(await verifyExport(sink, other)).toMatchObject({ isValid: false, brokenAt: 4, reason: 'seal' });
    sink.segments.delete(segmentName(5));
    expect(await verifyExport(sink)).toMatchObject({ isValid: true, last: 4 });
    expect(await verifyExport(sink, head)).toEqual({ isValid: false, brokenAt: 5, reason: 'cut' });
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
      reason: 'position',
    });
  });

  it('rejects a segment under the name of another', async () => {
    change(3, () => sink.segments.get(segmentName(1)) ?? '');

    expect(await verifyExport(sink)).toMatchObject({ isValid: false, segment: segmentName(3), reason: 'segment' });
  });

  it('rejects a complete segment of another log', async () => {
    const [other, otherSink] = [new MemoryStore(), new MemorySink()];
    const exporter = new LogExporter(other.log, new LogSeals(other), otherSink);
    for (let segment = 1; segment <= 2; segment++) {
      await appendSealed(other.log, 2, { userId: 'eve' });
      await exporter.exportAll(new AbortController().signal);
    }
    change(3, () => otherSink.segments.get(segmentName(3)) ?? '');

    expect(await verifyExport(sink)).toMatchObject({ isValid: false, brokenAt: 3, reason: 'seal' });
  });
});

async function exportTo(directory: string): Promise<string> {
  const store = new MemoryStore();
  await appendSealed(store.log, 3);
  const exporter = new LogExporter(store.log, new LogSeals(store), await openSink(pathToFileURL(directory)));
  await exporter.exportAll(new AbortController().signal);
  return (await store.log.ends()).head.seal;
}

describe(runVerifyExport.name, () => {
  it('tells that an export is complete, and its last seal', async () => {
    await using directory = await temporaryDirectory();
    const seal = await exportTo(directory.path);

    expect(await runVerifyExport(pathToFileURL(directory.path).href)).toEqual({
      output: `complete: 3 records in 1 segments, position 1 to 3, keep 3:${seal}\n`,
      messages: [],
      exitCode: 0,
    });
  });

  it('ends with 1 when it is not', async () => {
    await using directory = await temporaryDirectory();
    await exportTo(directory.path);
    await writeFile(join(directory.path, segmentName(1)), 'something else');

    expect(await runVerifyExport(pathToFileURL(directory.path).href)).toEqual({
      output: `BROKEN at position 1 in ${segmentName(1)} (segment)\n`,
      messages: [],
      exitCode: 1,
    });
  });

  it('ends with 1 when it lacks what was kept, and with 2 when that cannot be read', async () => {
    await using directory = await temporaryDirectory();
    const seal = await exportTo(directory.path);
    const { href } = pathToFileURL(directory.path);

    expect(await runVerifyExport(href, `3:${seal}`)).toMatchObject({ exitCode: 0 });
    expect(await runVerifyExport(href, `4:${seal}`)).toMatchObject({
      output: 'BROKEN at position 4 (cut)\n',
      exitCode: 1,
    });
    expect(await runVerifyExport(href, seal)).toMatchObject({ output: '', exitCode: 2 });
  });

  it('tells that nothing is exported', async () => {
    await using directory = await temporaryDirectory();

    expect(await runVerifyExport(pathToFileURL(directory.path).href)).toMatchObject({
      output: 'complete: nothing is exported\n',
      exitCode: 0,
    });
  });

  it('ends with 2 when it cannot be read', async () => {
    await using directory = await temporaryDirectory();
    const file = join(directory.path, 'file');
    await writeFile(file, '');

    expect(await runVerifyExport(pathToFileURL(file).href)).toMatchObject({ output: '', exitCode: 2 });
  });

  it.each(['', 'audit', 'https://example.com/audit', '/var/audit'])('rejects the location %j', async (location) => {
    expect(await runVerifyExport(location)).toMatchObject({ output: '', exitCode: 2 });
  });
});
