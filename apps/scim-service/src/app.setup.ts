import { ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Store } from '@palisade/domain';
import {
  configurePlatform,
  JsonBodyInterceptor,
  JsonLogger,
  ProblemDetailsFilter,
  setupApiPages,
  type Tracing,
} from '@palisade/platform';
import { SCIM_LIMITS } from '@palisade/scim';
import { createApiDocument } from './api-document.js';
import { AppModule } from './app.module.js';
import { loadConfig, type ScimServiceConfig } from './config/scim-service.config.js';
import { ScimServiceExceptionFilter } from './exception.filter.js';
import { CATALOGUE } from './problems.js';
import { ScimHttpAdapter } from './scim/scim-http.adapter.js';

const BODIES = {
  mediaTypes: ['application/scim+json', 'application/json'],
  limits: { maxBytes: SCIM_LIMITS.maxBodyBytes, maxValues: SCIM_LIMITS.maxBodyValues },
  exception: {
    path: /^\/scim\/v2\/Bulk\/?$/,
    limits: { maxBytes: SCIM_LIMITS.maxBulkBytes, maxValues: SCIM_LIMITS.maxBulkValues },
  },
};

export interface ScimServiceAppOptions {
  readonly config: Partial<ScimServiceConfig>;
  readonly store: Store;
  /** By default JSON lines on standard output. */
  readonly logger?: JsonLogger;
  /** When given, requests are traced, and it ends with the app. */
  readonly tracing?: Tracing;
}

/** The service with everything that it needs, not yet listening; used alike by main.ts and by the end-to-end tests. */
export async function createScimServiceApp(options: ScimServiceAppOptions): Promise<NestExpressApplication> {
  const config: ScimServiceConfig = Object.freeze({ ...loadConfig({}), ...options.config });
  const logger = options.logger ?? new JsonLogger({ service: 'scim-service', level: config.logLevel });
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.forRoot(config, options.store, options.tracing),
    new ScimHttpAdapter(),
    { logger, bodyParser: false, abortOnError: false },
  );
  configurePlatform(app, logger);
  app.disable('etag');
  app.useGlobalFilters(new ScimServiceExceptionFilter(new ProblemDetailsFilter(CATALOGUE.statuses)));
  app.useGlobalInterceptors(new JsonBodyInterceptor(BODIES));
  app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }));
  setupApiPages(app, 'Palisade SCIM service', () => createApiDocument(app, config));
  return app;
}
