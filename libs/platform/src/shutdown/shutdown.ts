import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from 'node:http';
import { Inject, Injectable, Logger, type BeforeApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { PLATFORM_OPTIONS, type PlatformOptions } from '../platform-options.js';

const IDLE_CHECK_INTERVAL_MS = 50;

/**
 * Ends an app in order: readiness fails; requests are still served for `shutdownDelayMs`; no more connections are
 * accepted; requests under way get `shutdownGraceMs` to finish, then their connections are cut. Whoever serves them
 * (stores, pools) must close in `onApplicationShutdown`, which comes after all this.
 */
@Injectable()
export class Shutdown implements OnModuleDestroy, BeforeApplicationShutdown {
  readonly #logger = new Logger(Shutdown.name);
  #isUnderWay = false;

  constructor(
    private readonly adapterHost: HttpAdapterHost,
    @Inject(PLATFORM_OPTIONS) private readonly options: PlatformOptions,
  ) {}

  get isUnderWay(): boolean {
    return this.#isUnderWay;
  }

  onModuleDestroy(): void {
    this.#isUnderWay = true;
  }

  async beforeApplicationShutdown(signal?: string): Promise<void> {
    const server: Server = this.adapterHost.httpAdapter.getHttpServer();
    if (!server.listening) {
      return;
    }
    const { shutdownDelayMs, shutdownGraceMs } = this.options;
    this.#logger.log('shutting down', { signal, shutdownDelayMs, shutdownGraceMs });
    await sleep(shutdownDelayMs);
    await this.#drain(server, shutdownGraceMs);
  }

  async #drain(server: Server, graceMs: number): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    // A connection that is kept alive counts as open until it is closed while idle.
    const closeIdle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_INTERVAL_MS);
    const cut = setTimeout(() => {
      this.#logger.warn(`requests still under way after ${graceMs} ms are cut off`);
      server.closeAllConnections();
    }, graceMs);
    await closed;
    clearInterval(closeIdle);
    clearTimeout(cut);
  }
}
