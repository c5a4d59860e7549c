import { HttpStatus, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { from, mergeMap, of, type Observable } from 'rxjs';
import { inPieces, isLargePage } from './page-pieces.js';

/** A body with what else is to be answered; handlers of admin routes may return one instead of a plain body. */
export class Answer<T> {
  constructor(
    readonly body: T,
    readonly head: {
      /** Instead of the status of the route. */
      readonly status?: HttpStatus;
      /** The path of what was made. */
      readonly location?: string;
      readonly etag?: string;
    },
  ) {}
}

/** Sends what an {@link Answer} says, and large pages in pieces. */
export class AnswerInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      mergeMap((result) => {
        const body = result instanceof Answer ? open(result, response) : result;
        return isLargePage(body) ? from(inPieces(body)) : of(body);
      }),
    );
  }
}

function open({ body, head: { status, location, etag } }: Answer<unknown>, response: Response): unknown {
  if (status !== undefined) {
    response.status(status);
  }
  if (location !== undefined) {
    response.location(location);
  }
  if (etag !== undefined) {
    response.setHeader('ETag', etag);
  }
  return body;
}
