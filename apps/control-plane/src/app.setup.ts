import { ValidationPipe } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { configurePlatform, ProblemDetailsFilter, type JsonLogger } from '@palisade/platform';
import { setupApiDocs } from './http/api-docs.js';

/** Everything that stands between a request and its handler. */
export function setupApp(app: NestExpressApplication, logger: JsonLogger): void {
  configurePlatform(app, logger);
  app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }));
  app.useGlobalFilters(new ProblemDetailsFilter());
  setupApiDocs(app);
}
