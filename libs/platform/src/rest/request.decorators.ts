import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { ChangeContext } from '@palisade/domain';
import { principalOf } from '@palisade/guards';
import type { Response } from 'express';
import { currentRequest } from '../http/request-context.js';

/** Who changes something with the current request, and when: what the log will say. */
export const Change = createParamDecorator((_: undefined, context: ExecutionContext): ChangeContext => {
  const { actor } = principalOf(context.switchToHttp().getRequest());
  return { actor, requestId: currentRequest()?.requestId, at: new Date() };
});

/** A signal that is aborted when the connection ends, before the answer or after it. */
export const ClientGone = createParamDecorator((_: undefined, context: ExecutionContext): AbortSignal => {
  const gone = new AbortController();
  context
    .switchToHttp()
    .getResponse<Response>()
    .once('close', () => gone.abort());
  return gone.signal;
});
