import { setTimeout as sleep } from 'node:timers/promises';
import { Controller, Get, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { describe, expect, it } from '@jest/globals';
import { PlatformModule } from '../platform.module.js';
import { Shutdown } from './shutdown.js';

const SLOW_MS = 150;

@Injectable()
class Pool implements OnApplicationShutdown {
  isClosed = false;

  onApplicationShutdown(): void {
    this.isClosed = true;
  }
}

@Controller('slow')
class SlowController {
  constructor(private readonly pool: Pool) {}

  @Get()
  async answer(): Promise<{ poolWasClosed: boolean }> {
    await sleep(SLOW_MS);
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
  return { app, origin: await app.getUrl() };
}

describe(Shutdown.name, () => {
  it('lets a request under way finish before pools are closed', async () => {
    const { app, origin } = await startApp();
    const answer = fetch(`${origin}/slow`).then((response) => response.json());
    await sleep(30); // the request has to arrive first
    await app.close();
    expect(await answer).toEqual({ poolWasClosed: false });
  });

  it('cuts a request that takes longer than the grace', async () => {
    const { app, origin } = await startApp({ shutdownGraceMs: 20 });
    const answer = fetch(`${origin}/slow`);
    answer.catch(() => {});
    await sleep(30); // the request has to arrive first
    await app.close();
    await expect(answer).rejects.toThrow('fetch failed');
  });

  it('answers 503 to readiness while requests are still accepted', async () => {
    const { app, origin } = await startApp({ shutdownDelayMs: 100 });
    const closing = app.close();
    await sleep(20); // within the delay
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
    const { app, origin } = await startApp();
    await fetch(`${origin}/health/live`);
    const startedAt = performance.now();
    await app.close();
    expect(performance.now() - startedAt).toBeLessThan(1000);
  });
});
