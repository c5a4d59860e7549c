import type { TracingSettings } from './load-tracing.js';
import type { Tracing, TracingOptions } from './tracing.js';

/**
 * Lets the spans of this process be recorded and exported. Without settings nothing is loaded, and spans cost next to
 * nothing. Requests that are made before are not traced.
 */
export async function startTracing(
  settings: TracingSettings | undefined,
  options: TracingOptions,
): Promise<Tracing | undefined> {
  if (settings === undefined) {
    return undefined;
  }
  const { openTracerProvider } = await import('./tracer-provider.js');
  return openTracerProvider(settings, options);
}
