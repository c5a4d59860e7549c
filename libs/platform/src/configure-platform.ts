import { ShutdownSignal } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { observeRequests } from './http/observe-requests.js';
import { requestContext } from './http/request-context.js';
import { securityHeaders } from './http/security-headers.js';
import { accessLog } from './logging/access-log.js';
import type { JsonLogger } from './logging/json-logger.js';
import { Metrics } from './metrics/metrics.js';

/**
 * Request ids, access log, request metrics and shutdown on signals for an app that imports {@link PlatformModule}.
 * Must be called before anything else is set up, so that it sees every request.
 */
export function configurePlatform(app: NestExpressApplication, logger: JsonLogger): void {
  const metrics = app.get(Metrics);
  app.disable('x-powered-by');
  // Express would hash every body; who wants an ETag sets it.
  app.disable('etag');
  app.use(
    requestContext,
    securityHeaders,
    observeRequests([accessLog(logger), (request) => metrics.observeRequest(request)]),
  );
  app.enableShutdownHooks([ShutdownSignal.SIGINT, ShutdownSignal.SIGTERM, ShutdownSignal.SIGHUP], {
    useProcessExit: true,
  });
}
