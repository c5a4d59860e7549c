import { Body, Controller, Get, Logger, Param, Post, Query, Res, UseGuards } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { StoreUnavailableError } from '@palisade/domain';
import type { Response } from 'express';
import request from 'supertest';
import { configurePlatform } from './configure-platform.js';
import { FairTurns, TooManyRequestsException } from './http/fair-turns.js';
import { currentRequest } from './http/request-context.js';
import { JsonLogger } from './telemetry/json-logger.js';
import type { ReadinessCheck } from './platform-options.js';
import { PlatformModule } from './platform.module.js';
import { ProblemDetailsFilter } from './http/problem-details.filter.js';

@Controller('things')
class ThingsController {
  readonly #logger = new Logger(ThingsController.name);

  @Get('stream')
  stream(@Res() response: Response): void {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end();
  }

  @Get('news')
  news(@Query('broken') broken?: string): string {
    currentRequest()?.startWaiting();
    if (broken !== undefined) {
      throw new Error('hush');
    }
    return 'none';
  }

  @Get('of-ann/:id')
  @UseGuards({ canActivate: () => (currentRequest()?.annotate({ actor: 'ann' }), true) })
  findOfAnn(@Param('id') id: string): string {
    return id;
  }

  @Get(':id')
  find(@Param('id') id: string): string {
    if (id === 'broken') {
      throw new Error('hush');
    }
    return id;
  }

  @Post()
  create(@Body() body: object): object {
    currentRequest()?.annotate({ provider: 'acme' });
    this.#logger.log('creating', body);
    return {};
  }
}

let app: NestExpressApplication | undefined;

async function createApp(check: ReadinessCheck = async () => {}, notices = {}) {
  const lines: Record<string, unknown>[] = [];
  const stream = { write: (line: string) => lines.push(JSON.parse(line)) };
  const logger = new JsonLogger({ service: 'test', level: 'info', stream });
  const platform = PlatformModule.forRoot({
    readiness: { store: check },
    notices: () => notices,
    shutdownDelayMs: 0,
    shutdownGraceMs: 100,
  });
  const module = await Test.createTestingModule({ imports: [platform], controllers: [ThingsController] }).compile();
  app = module.createNestApplication<NestExpressApplication>();
  app.useLogger(logger);
  configurePlatform(app, logger);
  app.useGlobalFilters(new ProblemDetailsFilter());
  await app.listen(0, '127.0.0.1');
  return { client: request(app.getHttpServer()), lines };
}

afterEach(() => app?.close());

describe('turns', () => {
  it('are of the caller that the guards name, and before the handler', async () => {
    const { client, lines } = await createApp();
    const turns = app?.get(FairTurns);
    const rejected = jest.spyOn(turns ?? new FairTurns(), 'begin').mockImplementation(() => {
      lines.push({ ...currentRequest()?.logFields });
      throw new TooManyRequestsException();
    });
    const { status, headers, body } = await client.get('/things/of-ann/1');
    expect([status, headers['retry-after'], body.code]).toEqual([429, '1', 'TOO_MANY_REQUESTS']);
    expect(rejected).toHaveBeenCalledTimes(1);
    expect(lines).toContainEqual(expect.objectContaining({ actor: 'ann' }));
  });
});

describe('request ids', () => {
  it('are sent back when the client gave a sane one', async () => {
    const { client } = await createApp();
    await client.get('/things/1').set('X-Request-Id', 'Trace.1_a-b').expect('X-Request-Id', 'Trace.1_a-b');
  });

  it.each(['two words', 'a'.repeat(129), 'ü'.normalize('NFD').slice(0, 1) + '"'])(
    'are generated when the client gave %s',
    async (given) => {
      const { client } = await createApp();
      await client
        .get('/things/1')
        .set('X-Request-Id', given)
        .expect('X-Request-Id', /^[\da-f-]{36}$/);
    },
  );
});

describe('the log of a request', () => {
  it('is one line with route, path, status, time and bytes, without the query', async () => {
    const { client, lines } = await createApp();
    await client.get('/things/1?filter=hush').set('X-Request-Id', 'r-1');
    expect(lines.filter(({ msg }) => msg === 'request')).toEqual([
      {
        level: 'info',
        time: expect.any(String),
        service: 'test',
        request_id: 'r-1',
        method: 'GET',
        route: '/things/:id',
        path: '/things/1',
        status: 200,
        ms: expect.any(Number),
        bytes: 1,
        msg: 'request',
      },
    ]);
  });

  it('carries id and provider on every line, also after the body was read', async () => {
    const { client, lines } = await createApp();
    await client.post('/things').set('X-Request-Id', 'r-1').send({ size: 1 });
    expect(lines.filter(({ request_id }) => request_id === 'r-1')).toMatchObject([
      { msg: 'creating', context: 'ThingsController', provider: 'acme', size: 1 },
      { msg: 'request', provider: 'acme', status: 201 },
    ]);
  });

  it('is not written for probes at level info', async () => {
    const { client, lines } = await createApp();
    await client.get('/health/live');
    expect(lines.filter(({ msg }) => msg === 'request')).toEqual([]);
  });
});

describe('GET /health/live', () => {
  it('answers 200 whatever the checks say', async () => {
    const { client } = await createApp(() => Promise.reject(new Error('down')));
    await client.get('/health/live').expect(200, { status: 'ok' });
  });
});

describe('GET /health/ready', () => {
  it('answers 200 while the checks pass', async () => {
    const { client } = await createApp();
    const { body } = await client.get('/health/ready').expect(200).expect('Cache-Control', 'no-store');
    expect(body).toMatchObject({ status: 'ok', checks: { store: { status: 'up' } } });
  });

  it('answers 200 with a notice while only writes fail', async () => {
    const { client } = await createApp(undefined, { writes: 'failing since 2026-01-01T00:00:00.000Z' });
    const { body } = await client.get('/health/ready').expect(200);
    expect(body).toMatchObject({ status: 'ok', notices: { writes: 'failing since 2026-01-01T00:00:00.000Z' } });
  });

  it('answers 503 with Retry-After and the message of a domain error', async () => {
    const { client } = await createApp(() => Promise.reject(new StoreUnavailableError(1)));
    const { body } = await client.get('/health/ready').expect(503).expect('Retry-After', '1');
    expect(body).toMatchObject({
      status: 'error',
      checks: { store: { status: 'down', message: 'the store is unavailable, retry in 1 s' } },
    });
  });

  it('keeps the message of any other error to the log', async () => {
    const { client, lines } = await createApp(() => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.3')));
    const { text } = await client.get('/health/ready').expect(503);
    expect(text).not.toContain('10.0.0.3');
    expect(lines).toContainEqual(expect.objectContaining({ level: 'warn', msg: 'readiness check "store" fails' }));
  });

  it('asks the checks once for callers that come together', async () => {
    let calls = 0;
    const { client } = await createApp(async () => {
      calls += 1;
    });
    await Promise.all([client.get('/health/ready'), client.get('/health/ready'), client.get('/health/ready')]);
    expect(calls).toBe(1);
  });
});

describe('GET /metrics', () => {
  it('counts requests by method, route template and status', async () => {
    const { client } = await createApp();
    await client.get('/things/1');
    await client.get('/things/2');
    const { text } = await client.get('/metrics').expect('Content-Type', /^text\/plain/);
    expect(text).toContain('http_request_duration_seconds_count{method="GET",route="/things/:id",status="200"} 2');
  });

  it('takes streams of events and long polls for no slow requests, but counts those that fail', async () => {
    const { client } = await createApp();
    await client.get('/things/stream').expect(200);
    await client.get('/things/news').expect(200);
    await client.get('/things/news?broken').expect(500);
    await client.get('/things/1');
    const { text } = await client.get('/metrics');
    const counted = text.split('\n').filter((line) => line.startsWith('http_request_duration_seconds_count'));
    expect(counted).toEqual([
      'http_request_duration_seconds_count{method="GET",route="/things/news",status="500"} 1',
      'http_request_duration_seconds_count{method="GET",route="/things/:id",status="200"} 1',
    ]);
  });

  it('puts every path without a route under one label', async () => {
    const { client } = await createApp();
    await client.get('/no/1');
    await client.get('/no/2');
    const { text } = await client.get('/metrics');
    expect(text).toContain('http_request_duration_seconds_count{method="GET",route="unmatched",status="404"} 2');
  });

  it('is rendered once a second, however many callers ask', async () => {
    const { client } = await createApp();
    const [first, second] = await Promise.all([client.get('/metrics'), client.get('/metrics')]);
    await client.get('/things/1');
    expect(second.text).toBe(first.text);
    expect((await client.get('/metrics')).text).toBe(first.text);
  });

  it('has metrics of the process', async () => {
    const { client } = await createApp();
    expect((await client.get('/metrics')).text).toContain('process_resident_memory_bytes');
  });
});

describe(ProblemDetailsFilter.name, () => {
  it('answers an unexpected error with the request id only, and logs the rest', async () => {
    const { client, lines } = await createApp();
    const answer = await client.get('/things/broken').set('X-Request-Id', 'r-1').expect(500);
    expect(answer.get('Content-Type')).toBe('application/problem+json; charset=utf-8');
    expect(answer.body).toEqual({
      type: 'about:blank',
      title: 'Internal Server Error',
      status: 500,
      code: 'INTERNAL_ERROR',
      request_id: 'r-1',
    });
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'error', err: expect.objectContaining({ message: 'hush' }) }),
    );
  });

  it('answers a body that is not JSON with the request id', async () => {
    const { client } = await createApp();
    const { body } = await client
      .post('/things')
      .set({ 'X-Request-Id': 'r-1', 'Content-Type': 'application/json' })
      .send('{"a":')
      .expect(400);
    expect(body).toMatchObject({ code: 'INVALID_JSON', request_id: 'r-1' });
  });

  it('answers an unknown route', async () => {
    const { client } = await createApp();
    expect((await client.get('/nowhere').expect(404)).body).toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('every answer', () => {
  it('tells neither framework nor lets itself be sniffed or framed', async () => {
    const { client } = await createApp();
    const { headers } = await client.get('/things/1');
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': "frame-ancestors 'none'",
    });
    expect(headers).not.toHaveProperty('x-powered-by');
  });
});
