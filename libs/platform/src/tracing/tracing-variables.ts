import { choice, flag, integer, readableFile, text, url } from '../config/variable-kinds.js';
import { variable, type Variable, type Variables } from '../config/variable.js';

const MAX_PAIRS = 64;
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** The SDK drops all attributes when one of them is longer. */
const MAX_ATTRIBUTE_LENGTH = 255;

/**
 * Parses comma-separated `name=value` pairs with percent-encoded values; a value may contain `=`. Undefined when a pair is
 * not a header, or there are more than 64.
 */
export function parseHeaders(text: string): Readonly<Record<string, string>> | undefined {
  const pairs = splitPairs(text);
  const areHeaders = pairs?.every(([name, value]) => HEADER_NAME.test(name) && HEADER_VALUE.test(value));
  return pairs !== undefined && areHeaders ? Object.fromEntries(pairs) : undefined;
}

/** The same, but names and every `=` of a value must be percent-encoded too. */
export function parseResourceAttributes(text: string): Readonly<Record<string, string>> | undefined {
  const pairs = text.split(',').every((pair) => pair.split('=').length <= 2) ? splitPairs(text) : undefined;
  const areShort = pairs?.flat().every((part) => part.length <= MAX_ATTRIBUTE_LENGTH);
  return pairs !== undefined && areShort ? Object.fromEntries(pairs) : undefined;
}

/** Undefined when a pair has no name; throws when one is not properly encoded. */
function splitPairs(text: string): [string, string][] | undefined {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  const split = pairs.map((pair): [string, string] => {
    const end = pair.indexOf('=');
    return end === -1 ? ['', ''] : [decode(pair.slice(0, end)), decode(pair.slice(end + 1))];
  });
  return split.length <= MAX_PAIRS && split.every(([name]) => name !== '') ? split : undefined;
}

/** @throws {URIError} */
function decode(part: string): string {
  return decodeURIComponent(part.trim());
}

const MAX_MS = 600_000;
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** Whether there is tracing. The other variables are looked at only then: platforms set some of them for everybody. */
export const SWITCH_VARIABLES = {
  exporter: choice('OTEL_TRACES_EXPORTER', {
    description: 'Where spans go. `otlp`: to a collector. `console`: to standard output, for development.',
    choices: ['none', 'otlp', 'console'],
    default: 'none',
  }),
  isSdkDisabled: flag('OTEL_SDK_DISABLED', {
    description: 'Switches tracing off, whatever else is set.',
    default: 'false',
  }),
} satisfies Variables;

/** What spans say of the service, which requests are traced, and how spans wait to be sent. */
export const SPAN_VARIABLES = {
  serviceName: text('OTEL_SERVICE_NAME', {
    description: '`service.name` of all spans. Both services have the same name when they share it.',
    computedDefault: '`palisade-scim-service`, `palisade-control-plane`',
  }),
  resourceAttributes: variable<Readonly<Record<string, string>>, { description: string }>(
    'OTEL_RESOURCE_ATTRIBUTES',
    { description: 'Further attributes of the service, for example `deployment.environment.name=staging`.' },
    'comma-separated pairs `key=value`, percent-encoded, of up to 255 characters each',
    parseResourceAttributes,
  ),
  sampler: choice('OTEL_TRACES_SAMPLER', {
    description: 'Which traces are recorded. `parentbased_…` does as the caller says, if it says something.',
    choices: SAMPLERS,
    default: 'parentbased_always_on',
  }),
  samplerArg: variable<number, { description: string }>(
    'OTEL_TRACES_SAMPLER_ARG',
    { description: 'The share of traces that `traceidratio` records.' },
    'a number from 0 to 1',
    (value) => (/^\d{0,9}(?:\.\d{1,15})?$/.test(value) && Number(value) <= 1 ? Number(value) : undefined),
  ),
  scheduleDelay: integer('OTEL_BSP_SCHEDULE_DELAY', {
    description: 'How long spans wait at most to be sent together.',
    min: 0,
    max: MAX_MS,
    unit: 'ms',
    computedDefault: '`5000`',
  }),
  exportTimeout: integer('OTEL_BSP_EXPORT_TIMEOUT', {
    description: 'How long sending may take before the next spans are sent.',
    min: 1,
    max: MAX_MS,
    unit: 'ms',
    computedDefault: '`30000`',
  }),
  maxQueueSize: integer('OTEL_BSP_MAX_QUEUE_SIZE', {
    description: 'Spans that wait at most; what comes beyond that is lost.',
    min: 1,
    max: 100_000,
    computedDefault: '`2048`',
  }),
  maxExportBatchSize: integer('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', {
    description: 'Spans that are sent together at most.',
    min: 1,
    max: 100_000,
    computedDefault: '`512`',
  }),
} satisfies Variables;

/** Each also exists for traces only, see {@link OTLP_TRACES_VARIABLES}. */
export const OTLP_VARIABLES = {
  protocol: choice('OTEL_EXPORTER_OTLP_PROTOCOL', {
    description: 'How spans are sent; there is no gRPC.',
    choices: ['http/protobuf', 'http/json'],
    computedDefault: '`http/protobuf`',
  }),
  endpoint: url('OTEL_EXPORTER_OTLP_ENDPOINT', {
    description: 'The collector; `/v1/traces` is appended (not to that of `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`).',
    schemes: ['http:', 'https:'],
    computedDefault: '`http://localhost:4318`',
  }),
  headers: variable<Readonly<Record<string, string>>, { description: string; secret: true }>(
    'OTEL_EXPORTER_OTLP_HEADERS',
    { description: 'Sent along, for example `Authorization=Bearer%20…`.', secret: true },
    'comma-separated pairs `name=value`, percent-encoded',
    parseHeaders,
  ),
  timeout: integer('OTEL_EXPORTER_OTLP_TIMEOUT', {
    description: 'How long sending may take, further attempts included.',
    min: 1,
    max: MAX_MS,
    unit: 'ms',
    computedDefault: '`10000`',
  }),
  compression: choice('OTEL_EXPORTER_OTLP_COMPRESSION', {
    description: 'Whether what is sent is compressed.',
    choices: ['none', 'gzip'],
    computedDefault: '`none`',
  }),
  certificate: readableFile('OTEL_EXPORTER_OTLP_CERTIFICATE', {
    description: 'Authorities that the certificate of the collector is checked with (PEM).',
    computedDefault: 'those of Node.js',
  }),
  clientCertificate: readableFile('OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE', {
    description: 'Certificate of the service, with its chain (PEM).',
  }),
  clientKey: readableFile('OTEL_EXPORTER_OTLP_CLIENT_KEY', { description: 'The key of that certificate (PEM).' }),
} satisfies Variables;

type ForTraces<D extends Variables> = { readonly [K in keyof D & string as `traces${Capitalize<K>}`]: D[K] };

/** `OTEL_EXPORTER_OTLP_TRACES_…`, which win over those without `TRACES_`. */
export const OTLP_TRACES_VARIABLES = forTraces(OTLP_VARIABLES);

function forTraces<D extends Variables>(definitions: D): ForTraces<D> {
  const renamed = Object.entries(definitions).map(([key, each]): [string, Variable<unknown>] => [
    `traces${key.charAt(0).toUpperCase()}${key.slice(1)}`,
    { ...each, name: each.name.replace('_OTLP_', '_OTLP_TRACES_') },
  ]);
  return Object.fromEntries(renamed) as ForTraces<D>;
}
