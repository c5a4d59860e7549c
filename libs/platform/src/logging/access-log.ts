import type { JsonLogger } from './json-logger.js';
import type { FinishedRequest, RequestObserver } from '../http/observe-requests.js';

/** Probes and scrapes come every few seconds and say nothing when all is well. */
const QUIET_ROUTES: ReadonlySet<string | undefined> = new Set(['/health/live', '/health/ready', '/metrics']);

/** One line per request at `info`; for probes and scrapes at `debug`. */
export function accessLog(logger: JsonLogger): RequestObserver {
  return (request) => {
    const level = QUIET_ROUTES.has(request.route) ? 'debug' : 'info';
    logger.write(level, toFields(request), 'request');
  };
}

function toFields({ context, durationMs, aborted, ...request }: FinishedRequest): object {
  const ms = Math.round(durationMs * 10) / 10;
  const { method, route, path, status, bytes } = request;
  return { ...context?.logFields, method, route, path, status, ms, bytes, ...(aborted && { aborted }) };
}
