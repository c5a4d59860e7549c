import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';

export const REQUEST_ID_HEADER = 'X-Request-Id';

/** What is known about a caller once it is authenticated; it stands in every log line of the request. */
export interface RequestAnnotations {
  readonly provider?: string;
  readonly namespace?: string;
  readonly actor?: string;
  readonly trace_id?: string;
  readonly span_id?: string;
}

/** One HTTP request, as seen by everything that runs on its behalf. */
export class RequestContext {
  #fields: Readonly<Record<string, string | undefined>>;

  constructor(readonly requestId: string) {
    this.#fields = { request_id: requestId };
  }

  /** For log lines. */
  get logFields(): Readonly<Record<string, string | undefined>> {
    return this.#fields;
  }

  annotate(annotations: RequestAnnotations): void {
    this.#fields = { ...this.#fields, ...annotations };
  }
}

const storage = new AsyncLocalStorage<RequestContext>();

/** The request that the caller works for; undefined outside of one. */
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
