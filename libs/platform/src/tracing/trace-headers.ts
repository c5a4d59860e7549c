import { context, propagation } from '@opentelemetry/api';

/**
 * The headers that let a server go on with the caller's trace; none outside of one. Only for servers of the operator's
 * own: others learn nothing of our traces.
 */
export function traceHeaders(): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
}
