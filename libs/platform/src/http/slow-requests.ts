import type { Server } from 'node:http';

/** Longer than load balancers keep idle connections (60 s is common); otherwise they send requests into closed ones. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
/** How long a client may take to send a whole request, and its head; Node looks every few seconds and answers 408. */
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 15_000;
const TIMEOUT_CHECK_INTERVAL_MS = 5_000;

/** Bounds how long clients may take to send requests. Must be called before the server listens. */
export function limitSlowRequests(server: Server): void {
  Object.assign(server, {
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    // Read when the server begins to listen.
    connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS,
  });
}
