import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { currentRequest, type ProblemDetailsFilter } from '@palisade/platform';
import { SCIM_ROOT } from './scim/scim-controller.decorator.js';
import { toErrorAnswer, toFailureAnswer } from './scim/scim-error-answer.js';

/** Answers errors below `/scim/v2` with the Error resource (RFC 7644 §3.12), all others as problem details (RFC 9457). */
@Catch()
export class ScimServiceExceptionFilter implements ExceptionFilter {
  private readonly logger = new Logger(ScimServiceExceptionFilter.name);

  constructor(private readonly problems: ProblemDetailsFilter) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    if (request.path !== SCIM_ROOT && !request.path.startsWith(`${SCIM_ROOT}/`)) {
      this.problems.catch(error, host);
      return;
    }
    const response = host.switchToHttp().getResponse<Response>();
    if (response.closed && error instanceof DOMException && error.name === 'AbortError') {
      // The client has disconnected, which has ended the work; nobody reads an answer.
      return;
    }
    const answer = toErrorAnswer(error);
    if (answer === undefined) {
      this.logger.error('a SCIM request failed unexpectedly', error);
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }
    (answer ?? toFailureAnswer(currentRequest()?.requestId)).send(response);
  }
}
