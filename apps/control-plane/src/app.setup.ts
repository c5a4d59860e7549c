import { ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Store } from '@palisade/domain';
import {
  JsonBodyInterceptor,
  JsonLogger,
  PlatformHttpAdapter,
  ProblemDetailsFilter,
  configurePlatform,
  setupApiPages,
  type Tracing,
} from '@palisade/platform';
import { createApiDocument } from './api-document.js';
import { AppModule } from './app.module.js';
import { CATALOGUE } from './problems.js';
import { loadConfig, type ControlPlaneConfig } from './config/control-plane.config.js';

const BODY_LIMITS = { maxBytes: 2 ** 20, maxValues: 20_000 };
/** A heartbeat may report on 1,000 namespaces. */
const HEARTBEATS = { path: /^\/api\/v1\/proxies\/[^/]+\/heartbeat$/, limits: { ...BODY_LIMITS, maxValues: 60_000 } };

export interface ControlPlaneAppOptions {
  readonly config: Partial<ControlPlaneConfig>;
  readonly store: Store;
  /** By default JSON lines on standard output. */
  readonly logger?: JsonLogger;
  /** When given, requests are traced, and it ends with the app. */
  readonly tracing?: Tracing;
}

/** The service with everything that it needs, not yet listening; used alike by main.ts and by the end-to-end tests. */
export async function createControlPlaneApp(options: ControlPlaneAppOptions): Promise<NestExpressApplication> {
  const config: ControlPlaneConfig = Object.freeze({ ...loadConfig({}), ...options.config });
  const logger = options.logger ?? new JsonLogger({ service: 'control-plane', level: config.logLevel });
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.forRoot(config, options.store, options.tracing),
    new PlatformHttpAdapter(),
    {
      logger,
      bodyParser: false,
      abortOnError: false,
    },
  );
  setupApp(app, logger);
  return app;
}

/** Everything that stands between a request and its handler. */
export function setupApp(app: NestExpressApplication, logger: JsonLogger): void {
  configurePlatform(app, logger);
  app.useGlobalFilters(new ProblemDetailsFilter(CATALOGUE.statuses));
  app.useGlobalInterceptors(
    new JsonBodyInterceptor({ mediaTypes: ['application/json'], limits: BODY_LIMITS, exception: HEARTBEATS }),
  );
  app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }));
  setupApiPages(app, 'Palisade control plane', () => createApiDocument(app));
}
