import { type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { NamespaceId } from '@palisade/domain';
import type { Lease, NamespacePools } from '@palisade/isolation/postgres';
import { type Client, DatabaseError } from 'pg';
import { summarize } from './statement-summary.js';

/** Name of the instrumentation in all spans. */
export const TRACER_NAME = 'palisade.storage';

/**
 * Leases a connection. When the namespace has no idle one and the current span is recorded, a span of its own shows the wait
 * until a connection comes free or is opened.
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

type Server = Pick<Client, 'host' | 'port' | 'database'>;

/**
 * Runs a statement, in a span of its own when the current span is recorded: background work, such as polling for changes,
 * makes none. The span has the text without literals, and never a parameter.
 */
export function traceStatement<T>(server: Server, text: unknown, run: () => T): T {
  const isRecorded = trace.getActiveSpan()?.isRecording() ?? false;
  if (!isRecorded || typeof text !== 'string') {
    return run();
  }
  const span = startSpan(server, text);
  const result = run();
  if (result instanceof Promise) {
    result.then(
      () => span.end(),
      (error: unknown) => fail(span, error),
    );
  } else {
    span.end();
  }
  return result;
}

function startSpan({ host, port, database }: Server, statement: string): Span {
  const { operation, summary, text } = summarize(statement);
  const attributes = {
    'db.system.name': 'postgresql',
    'db.namespace': database,
    'db.operation.name': operation,
    'db.query.summary': summary,
    'db.query.text': text,
    'server.address': host,
    'server.port': port,
  };
  return trace.getTracer(TRACER_NAME).startSpan(summary, { kind: SpanKind.CLIENT, attributes });
}

/** Its message may quote a value, so it is left out. */
function fail(span: Span, error: unknown): void {
  const state = error instanceof DatabaseError ? error.code : undefined;
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttributes({ 'error.type': state ?? nameOf(error), 'db.response.status_code': state });
  span.end();
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
