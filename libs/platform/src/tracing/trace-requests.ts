import { type Attributes, context, propagation, ROOT_CONTEXT, type Span, SpanKind, trace } from '@opentelemetry/api';
import type { NextFunction, Request, Response } from 'express';
import { routeTemplate } from '../http/observe-requests.js';
import { currentRequest, type RequestContext } from '../http/request-context.js';
import { failSpan, TRACER_NAME } from './spans.js';

/** Probes and scrapes come every few seconds and would drown the other traces. */
const UNTRACED = /^\/(?:health(?:\/|$)|metrics\/?$)/i;

/**
 * Starts a span for each request, within the trace that its `traceparent` names. Must run right after `requestContext`, whose
 * log lines get the ids of the trace. The span holds nothing that a client sends: no headers, query or body, and of the path
 * only what {@link scrubbedPath} leaves.
 */
export function traceRequests(request: Request, response: Response, next: NextFunction): void {
  if (UNTRACED.test(request.path)) {
    next();
    return;
  }
  // Only these two headers are used, so that baggage is not passed on.
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

/** Parameters whose values are names that the operator chose. Others, such as `id`, may name people. */
const SHOWN: ReadonlySet<string> = new Set(['tenant_id', 'namespace', 'name']);
/** An RFC 1123 label: what valid values look like. */
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** The part of a request's path that may leave the service: the route's template with tenants, namespaces and pools. */
export function scrubbedPath(route: string, parameters: Readonly<Record<string, unknown>>): string {
  return route.replaceAll(/:(\w+)/g, (template, name: string) => {
    const value = SHOWN.has(name) ? parameters[name] : undefined;
    return typeof value === 'string' && LABEL.test(value) ? value : template;
  });
}
