import { randomUUID } from 'node:crypto';
import { SYSTEM_CLOCK, within } from '@palisade/async';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  type Resource,
} from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ConsoleSpanExporter,
  NodeTracerProvider,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-node';
import { PRODUCT_VERSION } from '../product-version.js';
import type { JsonLogger } from '../telemetry/json-logger.js';
import type { TracingSettings } from './load-tracing.js';
import { WatchedExporter } from './watched-exporter.js';

/** Records and exports spans until it is ended. */
export interface Tracing {
  /** Sends pending spans, as far as that is possible within the time. Never rejects. */
  end(withinMs: number): Promise<void>;
}

export interface TracingOptions {
  /** `service.name`, unless the environment names another. */
  readonly serviceName: string;
  /** Logs when spans cannot be exported, and when they can again. */
  readonly logger: JsonLogger;
}

/** The SDK with one exporter, registered for the whole process. It reads sampler, limits and batches from the environment. */
export async function openTracerProvider(
  settings: TracingSettings,
  { serviceName, logger }: TracingOptions,
): Promise<Tracing> {
  const exporter = new WatchedExporter(await createExporter(settings), logger);
  const provider = new NodeTracerProvider({
    resource: describeService(serviceName),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  provider.register();
  return { end: (withinMs) => endWithin(provider, withinMs) };
}

async function createExporter(settings: TracingSettings): Promise<SpanExporter> {
  if (settings.exporter === 'console') {
    return new ConsoleSpanExporter();
  }
  const { OTLPTraceExporter } =
    settings.protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter({ headers: settings.headers });
}

/** Attributes from the environment override these. */
function describeService(serviceName: string): Resource {
  const own = resourceFromAttributes({
    'service.name': serviceName,
    'service.version': PRODUCT_VERSION,
    'service.instance.id': randomUUID(),
  });
  return defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }));
}

async function endWithin(provider: NodeTracerProvider, withinMs: number): Promise<void> {
  // The exporter has logged why it failed.
  await within(withinMs, SYSTEM_CLOCK, provider.shutdown(), () => new Error('late')).catch(() => {});
}
