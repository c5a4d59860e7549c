import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { currentRequest, type RequestContext } from './request-context.js';

const MAX_PATH_LENGTH = 512;
/** Not an HTTP status, but what proxies log when a client did not wait for the answer. */
const CLIENT_CLOSED_REQUEST = 499;

/** A request that has been answered, or whose client disconnected first. */
export interface FinishedRequest {
  readonly context: RequestContext | undefined;
  readonly method: string;
  /** The route's template, e.g. `/scim/v2/Users/:id`; undefined when no route matched. */
  readonly route: string | undefined;
  /** Without the query, whose filters hold personal data; at most 512 characters. */
  readonly path: string;
  /** 499 when the client disconnected before any answer. */
  readonly status: number;
  readonly durationMs: number;
  /** Length of the body; undefined when it was streamed. */
  readonly bytes: number | undefined;
  /** Whether it lasted as long as its caller wanted: a stream of events, or a long poll. */
  readonly isWaiting: boolean;
  /** The connection ended before the answer did. */
  readonly aborted: boolean;
}

export type RequestObserver = (request: FinishedRequest, response: Response) => void;

/** Calls the observers at the end of every request. Must run right after {@link requestContext}. */
export function observeRequests(observers: readonly RequestObserver[]): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    const startedAt = performance.now();
    const context = currentRequest();
    response.once('close', () => {
      const finished = describeRequest(request, response, startedAt, context);
      for (const observe of observers) {
        observe(finished, response);
      }
    });
    next();
  };
}

function describeRequest(
  request: Request,
  response: Response,
  startedAt: number,
  context: RequestContext | undefined,
): FinishedRequest {
  const contentLength = response.getHeader('content-length');
  const wasAnswered = response.headersSent;
  return {
    context,
    method: request.method,
    route: routeTemplate(request),
    path: pathOf(request.originalUrl),
    status: wasAnswered ? response.statusCode : CLIENT_CLOSED_REQUEST,
    durationMs: performance.now() - startedAt,
    bytes: contentLength === undefined ? undefined : Number(contentLength),
    isWaiting: context?.isWaiting === true || isEventStream(response),
    aborted: !response.writableFinished,
  };
}

function isEventStream(response: Response): boolean {
  return String(response.getHeader('content-type')).startsWith('text/event-stream');
}

/** The template of the route that answers; undefined when none matched. */
export function routeTemplate(request: Request): string | undefined {
  const route: unknown = request.route;
  const isRoute = typeof route === 'object' && route !== null && 'path' in route && typeof route.path === 'string';
  return isRoute ? `${request.baseUrl}${route.path}` : undefined;
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return url.slice(0, Math.min(end === -1 ? url.length : end, MAX_PATH_LENGTH));
}
