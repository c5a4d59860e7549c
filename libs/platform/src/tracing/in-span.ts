import { SpanKind, SpanStatusCode, trace, type Attributes, type Span } from '@opentelemetry/api';

/** Names the part of the program that makes the spans. */
export const TRACER_NAME = 'palisade';

export interface SpanOptions {
  readonly attributes?: Attributes;
  /** A request to another program. */
  readonly isClient?: boolean;
}

/**
 * Does work within a span: a part of the span that the caller is in, or the beginning of a trace. When the work rejects,
 * the span says so with the code or name of the error; never with its message, which may hold data.
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

/** Like {@link inSpan}, for what is worth a span only as a part of another: outside of one it is just done. */
export async function inSubspan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  return trace.getActiveSpan() === undefined ? work() : inSpan(name, options, work);
}

/** For what went wrong without an error being thrown; `type` is one of few. */
export function failSpan(span: Span, type: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', type);
}

function errorType(error: unknown): string {
  if (!(error instanceof Error)) {
    return typeof error;
  }
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
