import { type Attributes, context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

/** Name of the instrumentation in all spans. */
export const TRACER_NAME = 'palisade';

export interface SpanOptions {
  readonly attributes?: Attributes;
  /** A request to another program. */
  readonly isClient?: boolean;
}

/**
 * Runs work within a span: a child of the current span, or the root of a new trace. When the work rejects, the span records
 * the code or name of the error; never its message, which may hold data.
 */
export async function inSpan<T>(
  name: string,
  { attributes, isClient = false }: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const kind = isClient ? SpanKind.CLIENT : SpanKind.INTERNAL;
  return trace.getTracer(TRACER_NAME).startActiveSpan(name, { kind, attributes }, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      failSpan(span, errorType(error));
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Like {@link inSpan}, but only as a child: without a current span the work runs untraced. */
export async function inSubspan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  return trace.getActiveSpan() === undefined ? work() : inSpan(name, options, work);
}

/** Marks a span as failed when no error was thrown; `type` must be one of a few values. */
export function failSpan(span: Span, type: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', type);
}

function errorType(error: unknown): string {
  if (!(error instanceof Error)) {
    return typeof error;
  }
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/**
 * The headers that let a server continue the current trace; none outside of one. Only for the operator's own servers: others
 * learn nothing about our traces.
 */
export function traceHeaders(): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
}
