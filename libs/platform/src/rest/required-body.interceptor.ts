import { BadRequestException, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { isObject } from '@palisade/domain';
import type { Request } from 'express';
import type { Observable } from 'rxjs';

/** Rejects a request without a JSON object as its body: a validation pipe takes none for an object without fields. */
export class RequiredBodyInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (!isObject(context.switchToHttp().getRequest<Request>().body)) {
      throw new BadRequestException(['body: expected a JSON object']);
    }
    return next.handle();
  }
}
