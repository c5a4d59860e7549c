import { loadVariables, type Environment, type Rule } from '../config/load-variables.js';
import type { Values } from '../config/variable.js';
import { OTLP_TRACES_VARIABLES, OTLP_VARIABLES, SPAN_VARIABLES, SWITCH_VARIABLES } from './tracing-variables.js';

/** The settings that the SDK does not read from the environment itself. */
export type TracingSettings =
  | { readonly exporter: 'console' }
  | {
      readonly exporter: 'otlp';
      readonly protocol: 'http/protobuf' | 'http/json';
      readonly headers: Readonly<Record<string, string>>;
    };

const SHARE_OF_RATIO: Rule<typeof SPAN_VARIABLES> = {
  needs: ['sampler', 'samplerArg'],
  check: ({ sampler, samplerArg }) =>
    sampler.endsWith('traceidratio') && samplerArg === undefined
      ? `OTEL_TRACES_SAMPLER_ARG: required with OTEL_TRACES_SAMPLER=${sampler}`
      : undefined,
};

/** Where one is not set, the SDK's own default applies. */
const BATCH_FITS_QUEUE: Rule<typeof SPAN_VARIABLES> = {
  needs: ['maxQueueSize', 'maxExportBatchSize'],
  check: ({ maxQueueSize = 2048, maxExportBatchSize = Math.min(512, maxQueueSize) }) =>
    maxExportBatchSize > maxQueueSize
      ? `OTEL_BSP_MAX_EXPORT_BATCH_SIZE: expected at most OTEL_BSP_MAX_QUEUE_SIZE (${maxQueueSize})`
      : undefined,
};

const RULES = [SHARE_OF_RATIO, BATCH_FITS_QUEUE];
const OTLP = { ...SPAN_VARIABLES, ...OTLP_VARIABLES, ...OTLP_TRACES_VARIABLES };
/** Variables with these prefixes are checked elsewhere. */
const foreignPrefixes = ['SVC_'];

/**
 * How spans are exported according to the environment; undefined when tracing is off, whatever the other variables say.
 * Values that the SDK would silently ignore are reported as mistakes.
 *
 * @throws {ConfigurationError} with all mistakes at once, by variable name and without secret values
 */
export function loadTracing(environment: Environment = process.env): TracingSettings | undefined {
  const { exporter, isSdkDisabled } = loadVariables(SWITCH_VARIABLES, environment, { foreignPrefixes });
  if (isSdkDisabled || exporter === 'none') {
    return undefined;
  }
  if (exporter === 'console') {
    loadVariables(SPAN_VARIABLES, environment, { rules: RULES, foreignPrefixes });
    return { exporter };
  }
  return otlpSettings(loadVariables(OTLP, environment, { rules: RULES, foreignPrefixes }));
}

function otlpSettings(values: Values<typeof OTLP>): TracingSettings {
  const protocol = values.tracesProtocol ?? values.protocol ?? 'http/protobuf';
  return { exporter: 'otlp', protocol, headers: { ...values.headers, ...values.tracesHeaders } };
}
