import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';

export const REQUEST_ID_HEADER = 'X-Request-Id';

/** What is known about a caller after authentication; it is added to every log line of the request. */
export interface RequestAnnotations {
  readonly provider?: string;
  readonly namespace?: string;
  readonly actor?: string;
  readonly trace_id?: string;
  readonly span_id?: string;
}

/** What all code that runs on behalf of one HTTP request can see of it. */
export class RequestContext {
  #fields: Readonly<Record<string, string | undefined>>;

  #isWaiting = false;

  constructor(readonly requestId: string) {
    this.#fields = { request_id: requestId };
  }

  /** For log lines. */
  get logFields(): Readonly<Record<string, string | undefined>> {
    return this.#fields;
  }

  /** Whether the answer waits for something to happen, so that its duration says nothing about the service. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  startWaiting(): void {
    this.#isWaiting = true;
  }

  annotate(annotations: RequestAnnotations): void {
    this.#fields = { ...this.#fields, ...annotations };
  }
}

const storage = new AsyncLocalStorage<RequestContext>();

/** The request on whose behalf the caller runs; undefined outside of one. */
export function currentRequest(): RequestContext | undefined {
  return storage.getStore();
}

/**
 * Gives each request an id, the client's own `X-Request-Id` when it is 1 to 128 of `A-Z a-z 0-9 . _ -`, and sends it
 * back. Must run before everything else.
 */
export function requestContext(request: Request, response: Response, next: NextFunction): void {
  const given = request.headers['x-request-id'];
  const requestId = typeof given === 'string' && /^[\w.-]{1,128}$/.test(given) ? given : randomUUID();
  response.setHeader(REQUEST_ID_HEADER, requestId);
  storage.run(new RequestContext(requestId), next);
}

/** Browsers neither guess another content type nor let another site frame a page. */
export function securityHeaders(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Content-Security-Policy', "frame-ancestors 'none'");
  next();
}
