import { SpanKind, SpanStatusCode, trace, type Span } from '@opentelemetry/api';
import { DatabaseError, type Client } from 'pg';
import { TRACER_NAME } from './tracer-name.js';
import { summarize } from './statement-summary.js';

type Server = Pick<Client, 'host' | 'port' | 'database'>;

/**
 * Runs a statement, in a span of its own when the caller is in one that is recorded: what nobody has asked for, such as
 * looking for changes, makes none. The span has the text without literals, and never a parameter.
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
