import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { PlatformModule } from '../platform.module.js';
import { Shutdown } from './shutdown.js';

const SLOW_REQUEST = 'GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n';
/** Nobody else listens to it. */
const SIGNAL = 'SIGUSR2';

@Injectable()
class Pool implements OnApplicationShutdown {
  isClosed = false;

  onApplicationShutdown(): void {
    this.isClosed = true;
  }
}

/** Answers when it is told to. */
@Controller('slow')
class SlowController {
  readonly #arrival = Promise.withResolvers<void>();
  readonly #secondArrival = Promise.withResolvers<void>();
  readonly #release = Promise.withResolvers<void>();
  #hasArrived = false;

  constructor(private readonly pool: Pool) {}

  @Get()
  async answer(): Promise<{ poolWasClosed: boolean }> {
    (this.#hasArrived ? this.#secondArrival : this.#arrival).resolve();
    this.#hasArrived = true;
    await this.#release.promise;
    return { poolWasClosed: this.pool.isClosed };
  }

  /** Resolves when a request is there. */
  get arrival(): Promise<void> {
    return this.#arrival.promise;
  }

  get secondArrival(): Promise<void> {
    return this.#secondArrival.promise;
  }

  release(): void {
    this.#release.resolve();
  }
}

describe(Shutdown.name, () => {
  let stop: (() => Promise<void>) | undefined;
  afterEach(() => stop?.());

  async function startApp({ shutdownDelayMs = 0, shutdownGraceMs = 300_000 } = {}) {
    const module = await Test.createTestingModule({
      imports: [PlatformModule.forRoot({ readiness: {}, shutdownDelayMs, shutdownGraceMs })],
      controllers: [SlowController],
      providers: [Pool],
    }).compile();
    const app = module.createNestApplication<NestExpressApplication>({ logger: false });
    const [shutdown, slow] = [app.get(Shutdown), app.get(SlowController)];
    app.use(shutdown.follow);
    shutdown.beginOn([SIGNAL]);
    await app.listen(0, '127.0.0.1');
    stop = () => {
      slow.release();
      return app.close();
    };
    return { app, slow, origin: await app.getUrl() };
  }

  it('lets a request under way finish before pools are closed', async () => {
    const { app, slow, origin } = await startApp();
    const answer = fetch(`${origin}/slow`).then((response) => response.json());
    await slow.arrival;
    const closing = app.close();
    slow.release();
    expect(await answer).toEqual({ poolWasClosed: false });
    await closing;
  });

  it('cuts a request that takes longer than the grace', async () => {
    const { app, slow, origin } = await startApp({ shutdownGraceMs: 20 });
    const answer = fetch(`${origin}/slow`);
    answer.catch(() => {});
    await slow.arrival;
    await app.close();
    await expect(answer).rejects.toThrow('fetch failed');
  });

  it('begins with a signal, and then still answers, but not to readiness', async () => {
    const { origin } = await startApp();
    process.emit(SIGNAL);
    expect((await fetch(`${origin}/health/live`)).status).toBe(200);
    const ready = await fetch(`${origin}/health/ready`);
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'shutting_down', checks: {} }]);
  });

  it('listens to no signal afterwards', async () => {
    const before = process.listenerCount(SIGNAL);
    const { app } = await startApp();
    expect(process.listenerCount(SIGNAL)).toBe(before + 1);
    await app.close();
    expect(process.listenerCount(SIGNAL)).toBe(before);
  });

  it.each([
    ['that comes before it', false, 'keep-alive'],
    ['that comes after it began', true, 'close'],
  ])('tells whether the connection ends in the answer to a request %s', async (_, isUnderWay, connection) => {
    const { origin } = await startApp();
    if (isUnderWay) {
      process.emit(SIGNAL);
    }
    expect(await connectionOf(`${origin}/health/live`)).toBe(connection);
  });

  it('tells that the connection ends in the answer to a request that was under way', async () => {
    const { slow, origin } = await startApp();
    const connection = connectionOf(`${origin}/slow`);
    await slow.arrival;
    process.emit(SIGNAL);
    slow.release();
    expect(await connection).toBe('close');
  });

  it.each([
    ['before it', [2, 0]],
    ['before it and after it began', [1, 1]],
    ['after it began', [0, 2]],
  ])('answers all requests that came %s without waiting for answers, and tells in the last one', async (_, counts) => {
    const { slow, origin } = await startApp();
    const client = connect(Number(new URL(origin).port), '127.0.0.1');
    const [before = 0, after = 0] = counts;
    client.write(SLOW_REQUEST.repeat(before));
    await [undefined, slow.arrival, slow.secondArrival][before];
    process.emit(SIGNAL);
    client.write(SLOW_REQUEST.repeat(after));
    await slow.secondArrival;
    slow.release();
    const answers = await text(client);
    expect(answers.match(/HTTP\/1\.1 200 OK|Connection: close/g)).toEqual([
      'HTTP/1.1 200 OK',
      'HTTP/1.1 200 OK',
      'Connection: close',
    ]);
  });

  it('accepts no connection afterwards', async () => {
    const { app, origin } = await startApp();
    await app.close();
    await expect(fetch(`${origin}/health/live`)).rejects.toThrow('fetch failed');
  });

  it('ends, whoever keeps a connection alive without using it', async () => {
    const { app, origin } = await startApp();
    await (await fetch(`${origin}/health/live`)).text();
    await app.close();
    await expect(fetch(`${origin}/health/live`)).rejects.toThrow('fetch failed');
  });
});

/** What the answer says about the connection, asked by a client that would keep it; `fetch` does not tell. */
async function connectionOf(url: string): Promise<string | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  request(url, { headers: { Connection: 'keep-alive' }, agent: false }, (response) => {
    resolve(response.headers.connection);
    response.destroy();
  })
    .on('error', reject)
    .end();
  return promise;
}
