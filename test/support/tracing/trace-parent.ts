import { randomBytes } from 'node:crypto';

export interface CallerTrace {
  readonly traceId: string;
  readonly spanId: string;
  readonly headers: { readonly traceparent: string };
}

/** A trace that a caller has begun, by W3C Trace Context; recorded unless the flags say otherwise. */
export function newTrace(flags: '00' | '01' = '01'): CallerTrace {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-${flags}` } };
}
