import { describe, expect, it } from '@jest/globals';
import { openSink } from './open-sink.js';

describe(openSink.name, () => {
  it.each([
    ['file:///var/lib/audit', 'file:///var/lib/audit'],
    ['file:///var/lib/with%20space', 'file:///var/lib/with space'],
    ['s3://bucket', 's3://bucket/'],
    ['s3://bucket/', 's3://bucket/'],
    ['s3://bucket/a/b/', 's3://bucket/a/b'],
    ['s3://bucket/a%20b', 's3://bucket/a b'],
  ])('opens %s', async (location, opened) => {
    const sink = await openSink(new URL(location));

    expect(sink.location).toBe(opened);
    sink.close();
  });
});
