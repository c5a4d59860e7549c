import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseProviderId } from '@palisade/domain';
import { createScratchDatabase, type ScratchDatabase } from '../libs/storage/test/scratch-database.js';
import { user } from './support/scim-bodies.js';
import { ScimClient } from './support/scim-client.js';
import { ServiceProcess } from './support/service-process.js';
import { OtlpReceiver } from './support/tracing/otlp-receiver.js';
import { CLIENT_KIND, SERVER_KIND, type ReceivedSpan } from './support/tracing/received-span.js';
import { newTrace } from './support/tracing/trace-parent.js';

const SCIM_TOKEN = 'scim-token-of-the-tests';
const ADMIN_TOKEN = 'admin-token-of-the-tests';
const MINUTE_MS = 60_000;

const hasServerSpan = (spans: readonly ReceivedSpan[]): boolean => spans.some(({ kind }) => kind === SERVER_KIND);

function serverSpan(spans: readonly ReceivedSpan[]): ReceivedSpan {
  const [span, ...others] = spans.filter(({ kind }) => kind === SERVER_KIND);
  if (span === undefined || others.length > 0) {
    throw new Error(`expected one server span, found ${spans.map(({ name }) => name).join(', ')}`);
  }
  return span;
}

describe('the traces of scim-service', () => {
  let database: ScratchDatabase;
  let receiver: OtlpReceiver;
  let service: ServiceProcess;
  let client: ScimClient;

  beforeAll(async () => {
    [database, receiver] = await Promise.all([createScratchDatabase(), OtlpReceiver.start()]);
    service = await ServiceProcess.spawn('scim-service', {
      SVC_STORE_URL: database.url,
      SVC_SCIM_BEARER_TOKEN: SCIM_TOKEN,
      SVC_ADMIN_TOKEN: ADMIN_TOKEN,
      SVC_LOG_LEVEL: 'info',
      OTEL_TRACES_EXPORTER: 'otlp',
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=of%20the%20collector',
      OTEL_BSP_SCHEDULE_DELAY: '20',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    });
    await service.untilReadiness(200);
    client = new ScimClient(service.origin, parseProviderId('default'), SCIM_TOKEN);
  }, MINUTE_MS);

  afterAll(async () => {
    await service.end('SIGKILL');
    await receiver[Symbol.asyncDispose]();
    await database.drop();
  });

  it('go on with that of the caller, down to each statement', async () => {
    const caller = newTrace();
    await client
      .post('/Users', user({ externalId: 'u1', userName: 'u1' }))
      .set({ ...caller.headers, tracestate: 'a=b' })
      .set('X-Request-Id', 'r-1')
      .expect(201);
    const spans = await receiver.trace(caller.traceId, hasServerSpan);
    const server = serverSpan(spans);
    expect(server).toMatchObject({
      name: 'POST /scim/v2/Users',
      parentSpanId: caller.spanId,
      traceState: 'a=b',
      status: { code: 0 },
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/scim/v2/Users',
        'url.path': '/scim/v2/Users',
        'http.response.status_code': 201,
        'palisade.provider': 'default',
        'palisade.request_id': 'r-1',
      },
      resource: {
        'service.name': 'palisade-scim-service',
        'service.version': expect.stringMatching(/^\d+\.\d+\.\d+/),
        'service.instance.id': expect.stringMatching(/^[\da-f-]{36}$/),
        'deployment.environment.name': 'test',
      },
    });
    const insert = spans.find(({ name }) => name === 'INSERT resources');
    expect(insert).toMatchObject({
      parentSpanId: server.spanId,
      kind: CLIENT_KIND,
      attributes: {
        'db.system.name': 'postgresql',
        'db.operation.name': 'INSERT',
        'db.query.text': expect.stringContaining('insert into'),
      },
    });
    // The first connection of the provider.
    expect(spans.find(({ name }) => name === 'wait for connection')).toMatchObject({ parentSpanId: server.spanId });
  });

  it('have the template of a route, and no identifier of a person', async () => {
    const caller = newTrace();
    await client.get('/Users/nobody@example.com').set(caller.headers).expect(404);
    const span = serverSpan(await receiver.trace(caller.traceId, hasServerSpan));
    expect(span).toMatchObject({
      name: 'GET /scim/v2/Users/:id',
      status: { code: 0 },
      attributes: { 'url.path': '/scim/v2/Users/:id', 'http.response.status_code': 404 },
    });
  });

  it('have the method alone where there is no such route', async () => {
    const caller = newTrace();
    await fetch(`${service.origin}/nowhere/nobody@example.com`, { headers: caller.headers });
    const span = serverSpan(await receiver.trace(caller.traceId, hasServerSpan));
    expect(span.name).toBe('GET');
    expect(span.attributes).not.toHaveProperty('url.path');
  });

  it('leave out health and metrics', async () => {
    const [quiet, last] = [newTrace(), newTrace()];
    for (const path of ['/health/live', '/health/ready', '/metrics']) {
      expect((await fetch(service.origin + path, { headers: quiet.headers })).status).toBe(200);
    }
    await client.get('/Users').set(last.headers).expect(200);
    await receiver.trace(last.traceId, hasServerSpan);
    expect(receiver.spans.filter(({ traceId }) => traceId === quiet.traceId)).toEqual([]);
  });

  it('record nothing that the caller does not record', async () => {
    const [unsampled, last] = [newTrace('00'), newTrace()];
    await client.get('/Users').set(unsampled.headers).expect(200);
    await client.get('/Users').set(last.headers).expect(200);
    await receiver.trace(last.traceId, hasServerSpan);
    expect(receiver.spans.filter(({ traceId }) => traceId === unsampled.traceId)).toEqual([]);
  });

  it('are found from the log', async () => {
    const caller = newTrace();
    await client.get('/Users').set(caller.headers).expect(200);
    const { spanId } = serverSpan(await receiver.trace(caller.traceId, hasServerSpan));
    await service.end('SIGTERM');
    const lines = service.output
      .trim()
      .split('\n')
      .map((line): Record<string, unknown> => JSON.parse(line));
    expect(lines).toContainEqual(
      expect.objectContaining({ msg: 'request', trace_id: caller.traceId, span_id: spanId, route: '/scim/v2/Users' }),
    );
  });

  it('come with the headers that the collector wants', () => {
    expect(receiver.deliveries[0]).toMatchObject({
      path: '/v1/traces',
      headers: { 'content-type': 'application/json', 'x-collector-key': 'of the collector' },
    });
  });
});
