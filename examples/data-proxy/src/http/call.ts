import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { namespaceIdentityOf, type NamespaceRequest } from '@palisade/guards';
import { parseSessionId, type IsolationCaller } from '@palisade/isolation';
import { currentRequest } from '@palisade/platform';
import type { Response } from 'express';
import { ClientGoneError } from './client-gone.error.js';

export const SESSION_HEADER = 'x-palisade-session';

/** For whom a request is, and until when: what the isolation library has to know of it. */
export interface Call {
  readonly caller: IsolationCaller;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
}

/**
 * The call that a request is. Namespace, client and user come from its credentials; only the session from a header, and that
 * is compared with these.
 */
export const CurrentCall = createParamDecorator((_: undefined, context: ExecutionContext): Call => {
  const http = context.switchToHttp();
  const request = http.getRequest<NamespaceRequest>();
  const { namespace, clientId, userId, tenantId } = namespaceIdentityOf(request);
  currentRequest()?.annotate({ namespace, actor: userId ?? clientId });
  const session = request.header(SESSION_HEADER);
  return {
    caller: {
      namespace,
      clientId,
      ...(userId === undefined ? {} : { userId }),
      ...(tenantId === undefined ? {} : { tenantId }),
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
