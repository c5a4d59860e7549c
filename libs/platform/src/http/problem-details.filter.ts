import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { Response } from 'express';
import { type StatusByCode, toProblem } from './problem-details.js';
import { currentRequest } from './request-context.js';

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** Answers every error as problem details. An unexpected one is logged with its cause; the client learns only the request id. */
@Catch()
export class ProblemDetailsFilter implements ExceptionFilter {
  readonly #logger = new Logger(ProblemDetailsFilter.name);

  constructor(private readonly statuses: StatusByCode = {}) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    const { body, headers } = toProblem(error, this.statuses, currentRequest()?.requestId);
    if (body.status === 500) {
      this.#logger.error('a request failed unexpectedly', error);
    }
    if (response.headersSent) {
      // Too late to send an error; cutting the connection is the only way left to show the failure.
      response.destroy();
      return;
    }
    response.status(body.status).set(headers).type(PROBLEM_MEDIA_TYPE).send(JSON.stringify(body));
  }
}
