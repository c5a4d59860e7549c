import { setImmediate as nextTurn } from 'node:timers/promises';
import { Controller, Get, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { describe, expect, it } from '@jest/globals';
import { PlatformModule } from '../platform.module.js';
import { Shutdown } from './shutdown.js';

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
  readonly asked = Promise.withResolvers<void>();
  readonly mayAnswer = Promise.withResolvers<void>();

  constructor(private readonly pool: Pool) {}

  @Get()
  async answer(): Promise<{ poolWasClosed: boolean }> {
    this.asked.resolve();
    await this.mayAnswer.promise;
    return { poolWasClosed: this.pool.isClosed };
  }
}

async function startApp({ shutdownDelayMs = 0, shutdownGraceMs = 5000 } = {}) {
  const module = await Test.createTestingModule({
    imports: [PlatformModule.forRoot({ readiness: {}, shutdownDelayMs, shutdownGraceMs })],
    controllers: [SlowController],
    providers: [Pool],
  }).compile();
  const app = module.createNestApplication<NestExpressApplication>({ logger: false });
  await app.listen(0, '127.0.0.1');
  return { app, origin: await app.getUrl(), slow: app.get(SlowController) };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) {
    await nextTurn();
  }
}

describe(Shutdown.name, () => {
  it('lets a request under way finish before pools are closed', async () => {
    const { app, origin, slow } = await startApp();
    const answer = fetch(`${origin}/slow`).then((response) => response.json());
    await slow.asked.promise;
    const closing = app.close();
    await until(() => !app.getHttpServer().listening);
    slow.mayAnswer.resolve();
    await closing;
    expect(await answer).toEqual({ poolWasClosed: false });
  });

  it('cuts a request that takes longer than the grace', async () => {
    const { app, origin, slow } = await startApp({ shutdownGraceMs: 20 });
    const answer = fetch(`${origin}/slow`);
    answer.catch(() => {});
    await slow.asked.promise;
    await app.close();
    await expect(answer).rejects.toThrow('fetch failed');
  });

  it('answers 503 to readiness while requests are still accepted', async () => {
    const { app, origin } = await startApp({ shutdownDelayMs: 3000 });
    const closing = app.close();
    await until(() => app.get(Shutdown).isUnderWay);
    const ready = await fetch(`${origin}/health/ready`);
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'shutting_down', checks: {} }]);
    await closing;
  });

  it('accepts no connection afterwards', async () => {
    const { app, origin } = await startApp();
    await app.close();
    await expect(fetch(`${origin}/health/live`)).rejects.toThrow('fetch failed');
  });

  it('does not wait for connections that are kept alive idle', async () => {
    const { app, origin } = await startApp({ shutdownGraceMs: 3_600_000 });
    await fetch(`${origin}/health/live`);
    await expect(app.close()).resolves.toBeUndefined();
  });
});
