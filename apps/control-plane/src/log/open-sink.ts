import { fileURLToPath } from 'node:url';
import { DirectorySink } from './directory-sink.js';
import type { SegmentSink } from './segment-sink.js';

/**
 * The place that an `audit_backend` names.
 *
 * @param location `file:///<absolute path>` or `s3://<bucket>/<prefix>`
 */
export async function openSink(location: URL): Promise<SegmentSink> {
  if (location.protocol === 'file:') {
    return new DirectorySink(fileURLToPath(location));
  }
  // The SDK takes a while to load, and few installations need it.
  const { S3Sink } = await import('./s3-sink.js');
  return new S3Sink(location.host, decodeURIComponent(location.pathname).replaceAll(/^\/+|\/+$/g, ''));
}
