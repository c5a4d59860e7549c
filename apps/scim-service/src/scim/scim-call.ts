import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { readAttributeSelection, type ScimRequest } from '@palisade/scim';
import { currentRequest } from '@palisade/platform';
import type { AuthenticatedRequest, Principal } from '@palisade/guards';
import type { Response } from 'express';

/** What every SCIM operation needs to know of its HTTP request, apart from the body. */
export interface ScimCall {
  readonly principal: Principal;
  readonly query: Readonly<Record<string, unknown>>;
  readonly request: ScimRequest;
  /** `http://host:port` as the client sees it; undefined without a usable Host header. */
  readonly origin: string | undefined;
  /** A signal that aborts when the answer is sent, or the connection is gone. */
  readonly ended: () => AbortSignal;
}

/** Injects the {@link ScimCall} of the current request. */
export const Call = createParamDecorator((_data: unknown, context: ExecutionContext): ScimCall => {
  const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
  const { principal } = request;
  if (principal === undefined) {
    throw new TypeError('a SCIM route is never public');
  }
  const query = request.query as Readonly<Record<string, unknown>>;
  const { host, prefer, 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = request.headers;
  return {
    principal,
    query,
    request: {
      ...readAttributeSelection(query),
      actor: principal.actor,
      requestId: currentRequest()?.requestId,
      ifMatch,
      ifNoneMatch,
      requireSchemas: true,
      streamMembers: true,
      returnMinimal: prefersMinimal(prefer),
    },
    origin: host !== undefined && HOST.test(host) ? `${request.protocol}://${host}` : undefined,
    ended: () => endOf(context),
  };
});

function endOf(context: ExecutionContext): AbortSignal {
  const response = context.switchToHttp().getResponse<Response>();
  const end = new AbortController();
  if (response.closed) {
    end.abort();
  } else {
    response.once('close', () => end.abort());
  }
  return end.signal;
}

/** A host name, IPv4 address or bracketed IPv6 address with an optional port; what else a Host header may hold goes into no URL. */
const HOST = /^(?:[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

// RFC 7240 §4.2.
function prefersMinimal(prefer: string | string[] | undefined): boolean {
  return /(?:^|[,;\s])return\s*=\s*"?minimal"?(?:$|[,;\s])/i.test(String(prefer ?? ''));
}
