import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as afterReading, setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { NextFunction, Request, Response } from 'express';
import { PLATFORM_OPTIONS, type PlatformOptions } from '../platform-options.js';

const CHECK_INTERVAL_MS = 50;
/** How long an idle connection stays open, so that its client can be told that it ends. */
const NOTICE_MS = 1000;

/**
 * Ends an app in order. Readiness fails, and the last answer on each connection tells its client with `Connection: close` to
 * send no more requests on it. Requests are still served for `shutdownDelayMs`. Then no more connections are accepted, and
 * requests under way get `shutdownGraceMs` to finish before their connections are cut. An idle connection is closed no
 * earlier than a second after the beginning, unless the grace is shorter, so that no request on its way is lost. What serves
 * requests (stores, pools) must close in `onApplicationShutdown`, which comes after all this.
 */
@Injectable()
export class Shutdown implements OnModuleDestroy, BeforeApplicationShutdown, OnApplicationShutdown {
  readonly #logger = new Logger(Shutdown.name);
  /** The last answer of each connection: a client may send requests without waiting for answers. */
  readonly #underWay = new Map<Socket, ServerResponse>();
  #signals: readonly NodeJS.Signals[] = [];
  #startedAt: number | undefined;
  #graceTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly adapterHost: HttpAdapterHost,
    @Inject(PLATFORM_OPTIONS) private readonly options: PlatformOptions,
  ) {}

  get isUnderWay(): boolean {
    return this.#startedAt !== undefined;
  }

  /** Begins at one of these signals; otherwise it would begin only after modules that take long in `onModuleDestroy`. */
  beginOn(signals: readonly NodeJS.Signals[]): void {
    this.#signals = signals;
    signals.forEach((signal) => process.on(signal, this.#begin));
  }

  /** Middleware for every request; it tells clients that their connection ends. */
  readonly follow = (_request: Request, response: Response, next: NextFunction): void => {
    const { socket } = response.req;
    const earlier = this.#underWay.get(socket);
    this.#underWay.set(socket, response);
    response.once('close', () => {
      if (this.#underWay.get(socket) === response) {
        this.#underWay.delete(socket);
      }
    });
    if (this.isUnderWay) {
      withdrawEnd(earlier);
      announceEnd(response);
    }
    next();
  };

  onModuleDestroy(): void {
    this.#begin();
  }

  async beforeApplicationShutdown(signal?: string): Promise<void> {
    const server: Server = this.adapterHost.httpAdapter.getHttpServer();
    if (!server.listening) {
      return;
    }
    const { shutdownDelayMs, shutdownGraceMs } = this.options;
    this.#logger.log('shutting down', { signal, shutdownDelayMs, shutdownGraceMs });
    const startedAt = this.#begin();
    await sleepUntil(startedAt + shutdownDelayMs);
    const graceEndsAt = performance.now() + shutdownGraceMs;
    await letClientsLeave(server, Math.min(startedAt + NOTICE_MS, graceEndsAt));
    await this.#close(server, graceEndsAt);
  }

  onApplicationShutdown(): void {
    this.#signals.forEach((signal) => process.off(signal, this.#begin));
    clearTimeout(this.#graceTimer);
  }

  /** When the shutdown began, by `performance.now()`; the first call begins it. */
  readonly #begin = (): number => {
    if (this.#startedAt === undefined) {
      this.#startedAt = performance.now();
      this.#underWay.forEach(announceEnd);
      const { shutdownDelayMs, shutdownGraceMs, onGraceEnd = () => {} } = this.options;
      this.#graceTimer = setTimeout(onGraceEnd, shutdownDelayMs + shutdownGraceMs).unref();
    }
    return this.#startedAt;
  };

  async #close(server: Server, graceEndsAt: number): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    // A connection that is kept alive counts as open until it is closed while idle.
    const closeIdle = setInterval(() => setImmediate(() => server.closeIdleConnections()), CHECK_INTERVAL_MS);
    const cut = setTimeout(
      () => {
        this.#logger.warn(`requests still under way after ${this.options.shutdownGraceMs} ms are cut off`);
        server.closeAllConnections();
      },
      Math.max(0, graceEndsAt - performance.now()),
    );
    await closed;
    clearInterval(closeIdle);
    clearTimeout(cut);
  }
}

/** The connection ends with this answer, unless its head has been sent. */
function announceEnd(response: ServerResponse): void {
  if (!response.headersSent) {
    response.setHeader('Connection', 'close');
  }
}

/** Takes the announcement back: another answer follows on the connection, which would not be sent. */
function withdrawEnd(response: ServerResponse | undefined): void {
  if (response?.headersSent === false) {
    response.removeHeader('Connection');
  }
}

/** Resolves when no connection is open, or at the given time. */
async function letClientsLeave(server: Server, latestAt: number): Promise<void> {
  const countConnections = promisify(server.getConnections.bind(server));
  while (performance.now() < latestAt && (await countConnections()) > 0) {
    await sleepUntil(Math.min(performance.now() + CHECK_INTERVAL_MS, latestAt));
  }
  // After the event loop has read the sockets, everything that has arrived counts as a request under way.
  await afterReading();
}

async function sleepUntil(at: number): Promise<void> {
  await sleep(Math.max(0, at - performance.now()));
}
