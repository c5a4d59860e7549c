import {
  HttpException,
  Injectable,
  PayloadTooLargeException,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { raw, type Request, type Response } from 'express';
import { from, mergeMap, type Observable } from 'rxjs';
import { JsonBodyInterceptor } from '@palisade/platform';

export const MAX_BODY_BYTES = 1_048_576;

const read = raw({ type: () => true, limit: MAX_BODY_BYTES });

/** Reads a body as raw bytes. An interceptor runs after the guard, so no body is read before the caller is authenticated. */
@Injectable()
export class RawBodyInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    return from(readBody(http.getRequest(), http.getResponse())).pipe(mergeMap(() => next.handle()));
  }
}

async function readBody(request: Request, response: Response): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  void read(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(explain(error))));
  await promise;
  request.body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

function explain(error: unknown): unknown {
  if (!(error instanceof Error && 'status' in error && 'expose' in error && error.expose === true)) {
    return error;
  }
  return error.status === 413
    ? new PayloadTooLargeException(`body: expected at most ${MAX_BODY_BYTES} bytes`, { cause: error })
    : new HttpException(`body: ${error.message}`, Number(error.status), { cause: error });
}

/** Reads the bodies of routes that take JSON. */
export const jsonBody = new JsonBodyInterceptor({
  mediaTypes: ['application/json'],
  limits: { maxBytes: MAX_BODY_BYTES, maxValues: 100_000 },
});
