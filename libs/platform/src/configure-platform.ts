import { ShutdownSignal } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { FairTurns } from './http/fair-turns.js';
import { ManagementListener } from './http/management-listener.js';
import { observeRequests } from './http/observe-requests.js';
import { requestContext, securityHeaders } from './http/request-context.js';
import { accessLog, type JsonLogger } from './telemetry/json-logger.js';
import { Metrics } from './telemetry/metrics.js';
import { PLATFORM_OPTIONS, type PlatformOptions } from './platform-options.js';
import { Shutdown } from './lifecycle/shutdown.js';
import { traceRequests } from './tracing/trace-requests.js';

const SIGNALS = [ShutdownSignal.SIGINT, ShutdownSignal.SIGTERM, ShutdownSignal.SIGHUP] as const;

/**
 * Request ids, access log, request metrics and shutdown on signals for an app that imports {@link PlatformModule}.
 * Must be called before anything else is set up, so that it sees every request.
 */
export function configurePlatform(app: NestExpressApplication, logger: JsonLogger): void {
  const [metrics, shutdown, turns] = [app.get(Metrics), app.get(Shutdown), app.get(FairTurns)];
  const { tracing }: PlatformOptions = app.get(PLATFORM_OPTIONS);
  app.disable('x-powered-by');
  // Express would hash every body; who wants an ETag sets it.
  app.disable('etag');
  app.use(
    shutdown.follow,
    requestContext,
    turns.follow,
    ...(tracing === undefined ? [] : [traceRequests]),
    securityHeaders,
    observeRequests([accessLog(logger), (request) => metrics.observeRequest(request), turns.end]),
    app.get(ManagementListener).separate,
  );
  app.useGlobalInterceptors(turns);
  // Before the hooks are called: readiness has to fail first, whatever takes long to end.
  shutdown.beginOn(SIGNALS);
  app.enableShutdownHooks([...SIGNALS], { useProcessExit: true });
}
