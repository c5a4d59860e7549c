import { trace } from '@opentelemetry/api';

/** What joins a log line to the span that the caller is in; undefined outside of one. */
export function spanLogFields(): { readonly trace_id: string; readonly span_id: string } | undefined {
  const span = trace.getActiveSpan();
  if (span === undefined) {
    return undefined;
  }
  const { traceId, spanId } = span.spanContext();
  return { trace_id: traceId, span_id: spanId };
}
