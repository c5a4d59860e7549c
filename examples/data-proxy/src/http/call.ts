import { createParamDecorator, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { namespaceIdentityOf, type NamespaceRequest } from '@palisade/guards';
import { parseSessionId, type IsolationCaller } from '@palisade/isolation';
import { currentRequest } from '@palisade/platform';
import type { Response } from 'express';
import { DomainError } from '@palisade/domain';
import type { CallRequest } from './access.guard.js';

export const SESSION_HEADER = 'x-palisade-session';

/** What the isolation library needs to know about a request: its caller, and when to stop. */
export interface Call {
  readonly caller: IsolationCaller;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Tells log lines whose request it is, and the turns of requests; goes behind the guard that finds out. */
export class CallerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { namespaceIdentity: identity } = context.switchToHttp().getRequest<NamespaceRequest>();
    if (identity !== undefined) {
      currentRequest()?.annotate({ namespace: identity.namespace, actor: identity.userId ?? identity.clientId });
    }
    return true;
  }
}

/**
 * The call of a request. Namespace, client and user come from its credentials. Only the session comes from a header, and the
 * library compares it with them.
 */
export const CurrentCall = createParamDecorator((_: undefined, context: ExecutionContext): Call => {
  const http = context.switchToHttp();
  const request = http.getRequest<CallRequest>();
  const { namespace, clientId, userId, tenantId } = namespaceIdentityOf(request);
  const session = request.header(SESSION_HEADER);
  return {
    caller: {
      namespace,
      clientId,
      ...(userId === undefined ? {} : { userId }),
      ...(tenantId === undefined ? {} : { tenantId }),
      ...(request.accessDemand && { access: request.accessDemand }),
      ...(session === undefined ? {} : { session: parseSessionId(session) }),
    },
    signal: signalOf(http.getResponse<Response>()),
  };
});

function signalOf(response: Response): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) {
      gone.abort(new ClientGoneError());
    }
  });
  return gone.signal;
}

/** The client disconnected before it was answered; its work was aborted. */
export class ClientGoneError extends DomainError {
  readonly code = 'CLIENT_GONE';

  constructor() {
    super('the client disconnected before it was answered');
  }
}
