import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import {
  Inject,
  Injectable,
  NotFoundException,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { HostPort } from '@palisade/domain';
import type { NextFunction, Request, Response } from 'express';
import { PLATFORM_OPTIONS, type PlatformOptions } from '../platform-options.js';
import { limitSlowRequests } from './slow-requests.js';

/** What is for operators; health is for load balancers too, so it stays on the listener of the service as well. */
const FOR_OPERATORS = /^\/(?:$|metrics(?:\/|$)|docs(?:[/-]|$))/;
const HEALTH = /^\/health\//;

/**
 * A listener of its own for metrics, API pages and health, when one is configured: it has these and nothing else, and metrics and
 * pages are not found on the listener of the service. It listens before that one, and closes after it.
 */
@Injectable()
export class ManagementListener implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly requests = new WeakSet<IncomingMessage>();
  private server: Server | undefined;

  constructor(
    private readonly adapterHost: HttpAdapterHost,
    @Inject(PLATFORM_OPTIONS) private readonly options: PlatformOptions,
  ) {}

  /** Where it listens; undefined when it does not. */
  get address(): HostPort | undefined {
    const address = this.server?.address();
    return typeof address === 'object' && address ? { host: address.address, port: address.port } : undefined;
  }

  /** Middleware: each listener has only what belongs there. */
  readonly separate = (request: Request, _response: Response, next: NextFunction): void => {
    const { method, path } = request;
    const isForOperators = FOR_OPERATORS.test(path);
    const isFound = this.requests.has(request)
      ? isForOperators || HEALTH.test(path)
      : !isForOperators || this.options.managementListen === undefined;
    next(isFound ? undefined : new NotFoundException(`Cannot ${method} ${path}`));
  };

  async onApplicationBootstrap(): Promise<void> {
    const { managementListen } = this.options;
    if (managementListen !== undefined) {
      const handle = this.adapterHost.httpAdapter.getInstance();
      this.server = createServer((request, response) => {
        this.requests.add(request);
        handle(request, response);
      });
      limitSlowRequests(this.server);
      await once(this.server.listen(managementListen), 'listening');
    }
  }

  onApplicationShutdown(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }
}
