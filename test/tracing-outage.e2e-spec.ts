import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ServiceProcess } from './support/service-process.js';
import { OtlpReceiver } from './support/tracing/otlp-receiver.js';

const SCIM_TOKEN = 'scim-token-of-the-tests';
const PRELOAD = join(import.meta.dirname, 'support/tracing/print-loaded-packages.cjs');
const MINUTE_MS = 60_000;
/** Longer than any test: what is pending is only sent at the end. */
const AN_HOUR = '600000';
const NOTHING_LISTENS = 'http://127.0.0.1:1';

describe('a service that exports spans', () => {
  let receiver: OtlpReceiver;
  let service: ServiceProcess;

  beforeEach(async () => {
    receiver = await OtlpReceiver.start();
  });

  afterEach(async () => {
    await service.end('SIGKILL');
    await receiver[Symbol.asyncDispose]();
  });

  async function start(environment: Readonly<Record<string, string>>): Promise<void> {
    service = await ServiceProcess.spawn('scim-service', {
      SVC_STORE_URL: 'memory:',
      SVC_SCIM_BEARER_TOKEN: SCIM_TOKEN,
      SVC_LOG_LEVEL: 'info',
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
      OTEL_BSP_SCHEDULE_DELAY: '20',
      ...environment,
    });
  }

  async function listUsers(): Promise<number> {
    const headers = { Authorization: `Bearer ${SCIM_TOKEN}` };
    return (await fetch(`${service.origin}/scim/v2/Users`, { headers })).status;
  }

  const told = (text: string): number => service.output.split(text).length - 1;

  async function listUntil(isOver: () => boolean): Promise<void> {
    do {
      expect(await listUsers()).toBe(200);
    } while (!isOver());
  }

  it(
    'sends what is pending when it is told to end, as protobuf unless told otherwise',
    async () => {
      await start({ OTEL_TRACES_EXPORTER: 'otlp', OTEL_BSP_SCHEDULE_DELAY: AN_HOUR });
      await service.untilReadiness(200);
      expect(await listUsers()).toBe(200);
      expect(receiver.deliveries).toEqual([]);
      expect(await service.end('SIGTERM')).toBe(0);
      expect(receiver.deliveries[0]?.headers['content-type']).toBe('application/x-protobuf');
      expect(receiver.bytes.includes('GET /scim/v2/Users')).toBe(true);
    },
    MINUTE_MS,
  );

  it(
    'tells once that the collector rejects them, and once that it takes them again',
    async () => {
      receiver.mood = 'fail';
      await start({ OTEL_TRACES_EXPORTER: 'otlp' });
      await service.untilReadiness(200);
      await listUntil(() => receiver.deliveries.length >= 3 && told('spans cannot be exported') > 0);
      receiver.mood = 'accept';
      await listUntil(() => told('spans are exported again') > 0);
      expect(await service.end('SIGTERM')).toBe(0);
      expect([told('spans cannot be exported'), told('spans are exported again')]).toEqual([1, 1]);
    },
    MINUTE_MS,
  );

  it(
    'serves and ends as ever while the collector is unreachable',
    async () => {
      await start({
        OTEL_TRACES_EXPORTER: 'otlp',
        OTEL_EXPORTER_OTLP_ENDPOINT: NOTHING_LISTENS,
        OTEL_EXPORTER_OTLP_TIMEOUT: '500',
      });
      await service.untilReadiness(200);
      await listUntil(() => told('spans cannot be exported') > 0);
      expect(await service.end('SIGTERM')).toBe(0);
      expect(told('spans cannot be exported')).toBe(1);
    },
    MINUTE_MS,
  );

  it(
    'serves and ends as ever while the collector does not answer',
    async () => {
      receiver.mood = 'hang';
      await start({ OTEL_TRACES_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_TIMEOUT: AN_HOUR });
      await service.untilReadiness(200);
      await listUntil(() => receiver.deliveries.length > 0);
      expect(await listUsers()).toBe(200);
      expect(await service.end('SIGTERM')).toBe(0);
    },
    MINUTE_MS,
  );

  it.each([
    ['nothing', {}],
    ['OTEL_TRACES_EXPORTER=none', { OTEL_TRACES_EXPORTER: 'none' }],
    ['OTEL_SDK_DISABLED=true', { OTEL_TRACES_EXPORTER: 'otlp', OTEL_SDK_DISABLED: 'true' }],
  ])(
    'loads no SDK with %s set',
    async (_, environment) => {
      await start({ ...environment, NODE_OPTIONS: `--require ${PRELOAD}` });
      await service.untilReadiness(200);
      expect(await listUsers()).toBe(200);
      expect(await service.end('SIGTERM')).toBe(0);
      expect(service.output).toContain('loaded: @opentelemetry/api\n');
      expect(receiver.deliveries).toEqual([]);
    },
    MINUTE_MS,
  );

  it(
    'loads the SDK when it is told to trace',
    async () => {
      await start({ OTEL_TRACES_EXPORTER: 'otlp', NODE_OPTIONS: `--require ${PRELOAD}` });
      await service.untilReadiness(200);
      await service.end('SIGTERM');
      expect(service.output).toMatch(/^loaded: .*@opentelemetry\/sdk-trace-node/m);
    },
    MINUTE_MS,
  );

  it(
    'writes spans to standard output when told so',
    async () => {
      await start({ OTEL_TRACES_EXPORTER: 'console' });
      await service.untilReadiness(200);
      expect(await listUsers()).toBe(200);
      await service.end('SIGTERM');
      expect(service.output).toContain("name: 'GET /scim/v2/Users'");
    },
    MINUTE_MS,
  );

  it.each([
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL: expected one of'],
    [{ OTEL_TRACES_EXPORTER: 'zipkin' }, 'OTEL_TRACES_EXPORTER: expected one of'],
  ])(
    'does not start with %j',
    async (environment, problem) => {
      await start({ OTEL_TRACES_EXPORTER: 'otlp', ...environment });
      expect(await service.exit).toMatchObject({ code: 1 });
      expect(service.output).toContain(problem);
    },
    MINUTE_MS,
  );
});
