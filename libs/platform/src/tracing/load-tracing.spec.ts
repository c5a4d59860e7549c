import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { renderVariables } from '../config/render-variables.js';
import { loadTracing } from './load-tracing.js';
import { OTLP_VARIABLES, SPAN_VARIABLES, SWITCH_VARIABLES } from './tracing-variables.js';

const DOCUMENT = join(import.meta.dirname, '../../../../docs/tracing.md');

function load(environment: Record<string, string>) {
  return loadTracing({ OTEL_TRACES_EXPORTER: 'otlp', ...environment });
}

describe(loadTracing.name, () => {
  it('traces nothing unless told to', () => {
    expect(loadTracing({})).toBeUndefined();
    expect(loadTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' })).toBeUndefined();
  });

  it.each(['true', 'TRUE'])('traces nothing with OTEL_SDK_DISABLED=%s', (OTEL_SDK_DISABLED) => {
    expect(load({ OTEL_SDK_DISABLED })).toBeUndefined();
  });

  it('does not look at what a platform sets for everybody while nothing is traced', () => {
    const environment = { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_TRACES_SAMPLER: 'jaeger_remote' };
    expect(loadTracing(environment)).toBeUndefined();
    expect(load({ ...environment, OTEL_SDK_DISABLED: 'true' })).toBeUndefined();
  });

  it('sends protobuf unless told otherwise', () => {
    expect(load({})).toEqual({ exporter: 'otlp', protocol: 'http/protobuf', headers: {} });
    expect(load({ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' })).toMatchObject({ protocol: 'http/json' });
  });

  it('prefers what is said of traces', () => {
    const settings = load({
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf',
      OTEL_EXPORTER_OTLP_HEADERS: 'a=1,b=2',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'b=3',
    });
    expect(settings).toEqual({ exporter: 'otlp', protocol: 'http/protobuf', headers: { a: '1', b: '3' } });
  });

  it('decodes headers, whose values may have an equals sign', () => {
    expect(load({ OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20YQ==, x-scope = a%2Cb' })).toMatchObject({
      headers: { Authorization: 'Basic YQ==', 'x-scope': 'a,b' },
    });
  });

  it.each([
    ['OTEL_TRACES_EXPORTER', 'zipkin'],
    ['OTEL_SDK_DISABLED', 'yes'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'ftp://collector'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'no pair'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'name=%zz'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'two words=1'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'name=a%0d%0ab'],
    ['OTEL_EXPORTER_OTLP_TIMEOUT', '10s'],
    ['OTEL_EXPORTER_OTLP_TIMEOUT', '0'],
    ['OTEL_EXPORTER_OTLP_COMPRESSION', 'zstd'],
    ['OTEL_EXPORTER_OTLP_CERTIFICATE', '/no/such/file'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'a=b=c'],
    ['OTEL_RESOURCE_ATTRIBUTES', `a=${'x'.repeat(256)}`],
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['OTEL_TRACES_SAMPLER_ARG', 'half'],
    ['OTEL_BSP_MAX_QUEUE_SIZE', '-1'],
    ['OTEL_BSP_SCHEDULE_DELAY', '5s'],
  ])('rejects %s=%s, naming it', (name, value) => {
    expect(() => load({ [name]: value })).toThrow(`${name}: expected`);
  });

  it('wants the share with a sampler that takes one', () => {
    const sampled = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio' };
    expect(() => load(sampled)).toThrow('OTEL_TRACES_SAMPLER_ARG: required');
    expect(load({ ...sampled, OTEL_TRACES_SAMPLER_ARG: '0.1' })).toBeDefined();
  });

  it('lets a batch be no larger than the queue', () => {
    expect(() => load({ OTEL_BSP_MAX_QUEUE_SIZE: '10', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '11' })).toThrow(
      'OTEL_BSP_MAX_EXPORT_BATCH_SIZE: expected at most OTEL_BSP_MAX_QUEUE_SIZE (10)',
    );
    expect(load({ OTEL_BSP_MAX_QUEUE_SIZE: '10' })).toBeDefined();
  });

  it('tells all mistakes at once, and no header', () => {
    const mistaken = { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_EXPORTER_OTLP_HEADERS: 'Authorization: Bearer hush' };
    expect(() => load(mistaken)).toThrow(/OTEL_EXPORTER_OTLP_PROTOCOL: .*\n.*OTEL_EXPORTER_OTLP_HEADERS: (?!.*hush)/s);
  });

  it('asks nothing of a collector when spans go to standard output', () => {
    const settings = load({ OTEL_TRACES_EXPORTER: 'console', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' });
    expect(settings).toEqual({ exporter: 'console' });
  });
});

describe('docs/tracing.md', () => {
  it('describes the variables as they are', () => {
    const variables = { ...SWITCH_VARIABLES, ...OTLP_VARIABLES, ...SPAN_VARIABLES };
    expect(readFileSync(DOCUMENT, 'utf8')).toContain(renderVariables(variables));
  });
});
