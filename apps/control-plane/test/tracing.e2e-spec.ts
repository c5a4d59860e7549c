import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createScratchDatabase, type ScratchDatabase } from '../../../libs/storage/test/scratch-database.js';
import { ServiceProcess } from '../../../test/support/service-process.js';
import { OtlpReceiver } from '../../../test/support/tracing/otlp-receiver.js';
import { SERVER_KIND, type ReceivedSpan } from '../../../test/support/tracing/received-span.js';
import { newTrace } from '../../../test/support/tracing/trace-parent.js';
import { ADMIN_TOKEN } from './support/control-app.js';

const MINUTE_MS = 60_000;
const PERSON = 'planted.person@example.com';

const hasServerSpan = (spans: readonly ReceivedSpan[]): boolean => spans.some(({ kind }) => kind === SERVER_KIND);

describe('the traces of control-plane', () => {
  let database: ScratchDatabase;
  let receiver: OtlpReceiver;
  let service: ServiceProcess;

  beforeEach(async () => {
    [database, receiver] = await Promise.all([createScratchDatabase(), OtlpReceiver.start()]);
    service = await ServiceProcess.spawn('control-plane', {
      SVC_STORE_URL: database.url,
      SVC_ADMIN_TOKEN: ADMIN_TOKEN,
      OTEL_TRACES_EXPORTER: 'otlp',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${receiver.endpoint}/v1/traces`,
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '20',
    });
    await service.untilReadiness(200);
  }, MINUTE_MS);

  afterEach(async () => {
    await service.end('SIGKILL');
    await receiver[Symbol.asyncDispose]();
    await database.drop();
  });

  function api(method: 'GET' | 'POST', path: string, headers: object, body?: object): Promise<Response> {
    return fetch(`${service.origin}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  it('go on with that of the caller, down to each statement', async () => {
    const [creating, reading] = [newTrace(), newTrace()];
    const tenant = { tenant_id: 'acme', namespace_pattern: 'acme-*', pool: 'standard' };
    expect((await api('POST', '/tenants', creating.headers, tenant)).status).toBe(201);
    expect((await api('GET', '/tenants/acme', reading.headers)).status).toBe(200);
    const spans = await receiver.trace(creating.traceId, hasServerSpan);
    const server = spans.find(({ kind }) => kind === SERVER_KIND);
    expect(server).toMatchObject({
      name: 'POST /api/v1/tenants',
      parentSpanId: creating.spanId,
      resource: { 'service.name': 'palisade-control-plane' },
    });
    const statements = spans.filter(({ parentSpanId }) => parentSpanId === server?.spanId).map(({ name }) => name);
    expect(statements).toEqual(expect.arrayContaining(['BEGIN', 'INSERT tenants', 'COMMIT']));
    const read = (await receiver.trace(reading.traceId, hasServerSpan)).find(({ kind }) => kind === SERVER_KIND);
    expect(read).toMatchObject({
      name: 'GET /api/v1/tenants/:tenant_id',
      attributes: { 'http.route': '/api/v1/tenants/:tenant_id', 'url.path': '/api/v1/tenants/acme' },
    });
  });

  it('are none for what the leader looks at all the time', async () => {
    const caller = newTrace();
    await api('GET', '/tenants', caller.headers);
    await receiver.trace(caller.traceId, hasServerSpan);
    const others = receiver.spans.filter(({ traceId }) => traceId !== caller.traceId);
    expect(others.filter(({ name }) => name.startsWith('SELECT') || name === 'wait for connection')).toEqual([]);
  });

  it('have no token, query or body', async () => {
    const caller = newTrace();
    const headers = { ...caller.headers, Baggage: `person=${PERSON}` };
    expect((await api('POST', `/tenants?person=${PERSON}`, headers, { tenant_id: PERSON })).status).toBe(400);
    await receiver.trace(caller.traceId, hasServerSpan);
    expect([ADMIN_TOKEN, PERSON].filter((secret) => receiver.bytes.includes(secret))).toEqual([]);
  });
});
