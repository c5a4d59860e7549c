import type { TracingSettings } from './load-tracing.js';
import type { Tracing, TracingOptions } from './tracer-provider.js';

/**
 * Starts recording and exporting spans. Without settings the SDK is not loaded, and spans cost next to nothing. Earlier
 * requests are not traced.
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
