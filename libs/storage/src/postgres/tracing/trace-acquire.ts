import { SpanStatusCode, trace } from '@opentelemetry/api';
import type { NamespaceId } from '@palisade/domain';
import type { Lease, NamespacePools } from '@palisade/isolation/postgres';
import { TRACER_NAME } from './tracer-name.js';

/**
 * Borrows a connection. When none of the namespace is idle, and the caller is in a span that is recorded, there is a span
 * for the time that it takes until one comes free or is opened.
 */
export async function acquireTraced<C>(pools: NamespacePools<C>, namespace: NamespaceId): Promise<Lease<C>> {
  const isRecorded = trace.getActiveSpan()?.isRecording() ?? false;
  if (!isRecorded || hasIdle(pools, namespace)) {
    return pools.acquire(namespace);
  }
  const attributes = { 'db.system.name': 'postgresql', 'db.client.connection.pool.name': pools.name };
  const span = trace.getTracer(TRACER_NAME).startSpan('wait for connection', { attributes });
  try {
    return await pools.acquire(namespace);
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
    throw error;
  } finally {
    span.end();
  }
}

function hasIdle<C>(pools: NamespacePools<C>, namespace: NamespaceId): boolean {
  return (pools.find(namespace)?.idle ?? 0) > 0;
}
