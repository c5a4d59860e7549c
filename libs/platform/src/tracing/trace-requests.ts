import { ROOT_CONTEXT, SpanKind, context, propagation, trace, type Attributes, type Span } from '@opentelemetry/api';
import type { NextFunction, Request, Response } from 'express';
import { routeTemplate } from '../http/observe-requests.js';
import { currentRequest, type RequestContext } from '../http/request-context.js';
import { TRACER_NAME, failSpan } from './in-span.js';
import { scrubbedPath } from './scrubbed-path.js';

/** Probes and scrapes come every few seconds and say nothing. */
const UNTRACED = /^\/(?:health(?:\/|$)|metrics\/?$)/i;

/**
 * A span for each request, within the trace that its `traceparent` names. Belongs right behind `requestContext`, whose
 * log lines get the ids of the trace. Nothing that a client sends is in it: no headers, query, body, nor path but what
 * {@link scrubbedPath} leaves of it.
 */
export function traceRequests(request: Request, response: Response, next: NextFunction): void {
  if (UNTRACED.test(request.path)) {
    next();
    return;
  }
  // Of what propagators understand only this is taken: baggage is not ours to carry on.
  const { traceparent, tracestate } = request.headers;
  const caller = propagation.extract(ROOT_CONTEXT, { traceparent, tracestate });
  const attributes = { 'http.request.method': request.method, 'url.scheme': request.protocol };
  const span = trace.getTracer(TRACER_NAME).startSpan(request.method, { kind: SpanKind.SERVER, attributes }, caller);
  const known = currentRequest();
  const { traceId, spanId } = span.spanContext();
  known?.annotate({ trace_id: traceId, span_id: spanId });
  response.once('close', () => finish(span, request, response, known));
  context.with(trace.setSpan(caller, span), next);
}

function finish(span: Span, request: Request, response: Response, known: RequestContext | undefined): void {
  const route = routeTemplate(request);
  if (route !== undefined) {
    span.updateName(`${request.method} ${route}`);
  }
  const attributes: Attributes = {
    'http.route': route,
    'url.path': route === undefined ? undefined : scrubbedPath(route, request.params),
    'http.response.status_code': response.headersSent ? response.statusCode : undefined,
    'palisade.request_id': known?.logFields['request_id'],
    'palisade.provider': known?.logFields['provider'],
    'palisade.aborted': response.writableFinished ? undefined : true,
  };
  span.setAttributes(attributes);
  if (response.headersSent && response.statusCode >= 500) {
    failSpan(span, String(response.statusCode));
  }
  span.end();
}
