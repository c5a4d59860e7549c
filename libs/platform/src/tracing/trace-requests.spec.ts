import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, HttpException, Logger, Param } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { SpanStatusCode } from '@opentelemetry/api';
import request from 'supertest';
import { RecordedSpans } from '../../../../test/support/tracing/recorded-spans.js';
import { configurePlatform } from '../configure-platform.js';
import { PlatformModule } from '../platform.module.js';
import { JsonLogger } from '../telemetry/json-logger.js';
import { inSpan } from './spans.js';
import type { Tracing } from './tracer-provider.js';
import { scrubbedPath, traceRequests } from './trace-requests.js';

@Controller('things')
class ThingsController {
  readonly #logger = new Logger(ThingsController.name);
  readonly asked = Promise.withResolvers<void>();

  @Get('never')
  never(): Promise<never> {
    this.asked.resolve();
    return new Promise(() => {});
  }

  @Get(':status')
  async answer(@Param('status') status: string): Promise<object> {
    await inSpan('work', {}, async () => this.#logger.log('working'));
    throw new HttpException('planted message', Number(status));
  }
}

class FakeTracing implements Tracing {
  readonly ends: number[] = [];

  async end(withinMs: number): Promise<void> {
    this.ends.push(withinMs);
  }
}

let spans: RecordedSpans;
let app: NestExpressApplication;

async function createApp({ tracing, shutdownGraceMs = 100 }: { tracing?: Tracing; shutdownGraceMs?: number }) {
  const lines: Record<string, unknown>[] = [];
  const stream = { write: (line: string) => lines.push(JSON.parse(line)) };
  const logger = new JsonLogger({ service: 'test', level: 'info', stream });
  const platform = PlatformModule.forRoot({ readiness: {}, shutdownDelayMs: 0, shutdownGraceMs, tracing });
  const module = await Test.createTestingModule({ imports: [platform], controllers: [ThingsController] }).compile();
  app = module.createNestApplication<NestExpressApplication>();
  app.useLogger(logger);
  configurePlatform(app, logger);
  await app.listen(0, '127.0.0.1');
  return { client: request(app.getHttpServer()), lines };
}

beforeEach(() => {
  spans = new RecordedSpans();
});

afterEach(async () => {
  await app.close();
  spans[Symbol.dispose]();
});

describe(traceRequests.name, () => {
  it.each([500, 503])('makes an answer of %d an error', async (status) => {
    const { client } = await createApp({ tracing: new FakeTracing() });
    await client.get(`/things/${status}`).expect(status);
    const span = spans.get('GET /things/:status');
    expect(span.status).toEqual({ code: SpanStatusCode.ERROR });
    expect(span.attributes).toMatchObject({ 'http.response.status_code': status, 'error.type': String(status) });
  });

  it.each([400, 404, 409, 429])('makes an answer of %d none', async (status) => {
    const { client } = await createApp({ tracing: new FakeTracing() });
    await client.get(`/things/${status}`).expect(status);
    const span = spans.get('GET /things/:status');
    expect(span.status).toEqual({ code: SpanStatusCode.UNSET });
    expect(span.attributes).not.toHaveProperty('error.type');
  });

  it('says that the client did not wait, and no status', async () => {
    const { lines } = await createApp({ tracing: new FakeTracing() });
    const aborting = new AbortController();
    const answer = fetch(`${await app.getUrl()}/things/never`, { signal: aborting.signal }).catch(() => undefined);
    await app.get(ThingsController).asked.promise;
    aborting.abort();
    await answer;
    while (!spans.names.includes('GET /things/never')) {
      await nextTurn();
    }
    expect(spans.get('GET /things/never').attributes).toMatchObject({ 'palisade.aborted': true });
    expect(spans.get('GET /things/never').attributes).not.toHaveProperty('http.response.status_code');
    const { traceId, spanId } = spans.get('GET /things/never').spanContext();
    expect(lines).toContainEqual(expect.objectContaining({ aborted: true, trace_id: traceId, span_id: spanId }));
  });

  it('holds what is done for the request, and its log lines', async () => {
    const { client, lines } = await createApp({ tracing: new FakeTracing() });
    await client.get('/things/400');
    const [server, work] = [spans.get('GET /things/:status'), spans.get('work')];
    expect(work.parentSpanContext?.spanId).toBe(server.spanContext().spanId);
    const ids = (span: typeof server) => ({ trace_id: span.spanContext().traceId, span_id: span.spanContext().spanId });
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'working', ...ids(work) }));
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'request', ...ids(server) }));
  });

  it('takes an invalid traceparent for none', async () => {
    const { client } = await createApp({ tracing: new FakeTracing() });
    await client.get('/things/400').set('traceparent', '00-zz-zz-01');
    expect(spans.get('GET /things/:status').parentSpanContext).toBeUndefined();
  });

  it('is not there without tracing', async () => {
    const { client, lines } = await createApp({});
    await client.get('/health/live').expect(200);
    await client.get('/nowhere').expect(404);
    expect(spans.names).toEqual([]);
    expect(lines.at(-1)).not.toHaveProperty('trace_id');
  });

  it.each([
    [200, 200],
    [60_000, 3000],
  ])('ends with the app, within %d ms of grace in %d', async (shutdownGraceMs, withinMs) => {
    const tracing = new FakeTracing();
    await createApp({ tracing, shutdownGraceMs });
    await app.close();
    expect(tracing.ends).toEqual([withinMs]);
  });
});

describe(scrubbedPath.name, () => {
  it.each([
    ['/api/v1/tenants/:tenant_id/admins', { tenant_id: 'acme' }, '/api/v1/tenants/acme/admins'],
    [
      '/api/v1/access/namespaces/:namespace/users',
      { namespace: 'acme-prod' },
      '/api/v1/access/namespaces/acme-prod/users',
    ],
    ['/api/v1/pools/:name', { name: 'premium' }, '/api/v1/pools/premium'],
  ])('shows what the deployment has named in %s', (route, parameters, path) => {
    expect(scrubbedPath(route, parameters)).toBe(path);
  });

  it.each([
    ['/scim/v2/Users/:id', { id: 'ada' }],
    ['/api/v1/access/users/:user', { user: 'user:scim:okta:ada' }],
    ['/api/v1/providers/:id/tokens/:token', { id: 'okta', token: 't-1' }],
    ['/api/v1/tenants/:tenant_id', { tenant_id: 'ada@example.com' }],
    ['/api/v1/tenants/:tenant_id', {}],
  ])('leaves %s as it is for %j', (route, parameters) => {
    expect(scrubbedPath(route, parameters)).toBe(route);
  });
});
