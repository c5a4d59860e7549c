import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LogSeals } from '@palisade/platform';
import { MemoryStore } from '@palisade/storage';
import { appendSealed } from '../../test/support/log-samples.js';
import { FakeS3 } from '../../test/support/fake-s3.js';
import { LogExporter } from './log-exporter.js';
import { S3Sink } from './s3-sink.js';
import { segmentName } from './segment.js';
import { verifyExport } from './verify-export.js';

const { signal } = new AbortController();

describe(S3Sink.name, () => {
  let server: FakeS3;
  let sink: S3Sink;

  beforeEach(async () => {
    server = await FakeS3.start();
    sink = createSink('logs/audit');
  });

  afterEach(async () => {
    sink.close();
    await server.close();
  });

  function createSink(prefix: string): S3Sink {
    return new S3Sink('bucket', prefix, {
      endpoint: server.endpoint,
      region: 'eu-central-1',
      credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
      maxAttempts: 2,
    });
  }

  it('keeps segments below its prefix and lists them in order, page by page', async () => {
    for (const first of [10, 2, 300, 4000, 50_000]) {
      expect(await sink.create(segmentName(first), `segment ${first} \u20ac`)).toBe(true);
    }
    server.objects.set('bucket/logs/audit/notes.txt', '');
    server.objects.set(`bucket/logs/audit/deeper/${segmentName(1)}`, '');
    server.objects.set(`bucket/logs/audit-2/${segmentName(1)}`, '');

    expect(await sink.list()).toEqual([2, 10, 300, 4000, 50_000].map(segmentName));
    expect(await sink.read(segmentName(300))).toBe('segment 300 \u20ac');
    expect(server.objects.get(`bucket/logs/audit/${segmentName(2)}`)).toBe('segment 2 \u20ac');
  });

  it('keeps segments at the top of the bucket without a prefix', async () => {
    using top = disposable(createSink(''));

    await top.sink.create(segmentName(1), 'text');

    expect([...server.objects.keys()]).toEqual([`bucket/${segmentName(1)}`]);
    expect(await top.sink.list()).toEqual([segmentName(1)]);
  });

  it('leaves a segment alone that is there already', async () => {
    await sink.create(segmentName(1), 'mine');

    expect(await sink.create(segmentName(1), 'yours')).toBe(false);
    expect(await sink.read(segmentName(1))).toBe('mine');
  });

  it('tries again what the server could not do for a moment', async () => {
    server.failures.push(503);

    expect(await sink.create(segmentName(1), 'text')).toBe(true);
    expect(server.requests).toHaveLength(2);
  });

  it('is unavailable while the server fails, rejects or is unreachable', async () => {
    const unavailable = { code: 'AUDIT_BACKEND_UNAVAILABLE', location: 's3://bucket/logs/audit' };
    server.failures.push(500, 500);
    await expect(sink.create(segmentName(1), 'text')).rejects.toMatchObject(unavailable);
    server.failures.push(403);
    await expect(sink.list()).rejects.toMatchObject(unavailable);
    await expect(sink.read(segmentName(9))).rejects.toMatchObject(unavailable);
  });

  it('does for an export what a directory does', async () => {
    const store = new MemoryStore();
    for (let segment = 1; segment <= 3; segment++) {
      await appendSealed(store.log, 2);
      await new LogExporter(store.log, new LogSeals(store), sink).exportAll(signal);
    }

    expect(await verifyExport(sink)).toMatchObject({ isValid: true, segments: 3, records: 6 });
    server.objects.delete(`bucket/logs/audit/${segmentName(3)}`);
    expect(await verifyExport(sink)).toMatchObject({ isValid: false, brokenAt: 3, reason: 'position' });
  });
});

function disposable(sink: S3Sink): Disposable & { readonly sink: S3Sink } {
  return { sink, [Symbol.dispose]: () => sink.close() };
}
