import { STATUS_CODES } from 'node:http';
import { HttpException, HttpStatus } from '@nestjs/common';
import { DomainError } from '@palisade/domain';

/** RFC 9457 with the extensions `code` (stable, to branch on), `request_id` and `errors` (one message per invalid field). */
export interface ProblemDetails {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  readonly code: string;
  readonly request_id?: string;
  readonly errors?: readonly string[];
}

/** An error answer. */
export interface ProblemAnswer {
  readonly body: ProblemDetails;
  readonly headers: Readonly<Record<string, string>>;
}

/** The HTTP status of each DomainError, by its `code`. */
export type StatusByCode = Readonly<Record<string, number>>;

/** Errors that every app answers in the same way. */
export const COMMON_STATUSES: StatusByCode = {
  UNAUTHENTICATED: HttpStatus.UNAUTHORIZED,
  FORBIDDEN: HttpStatus.FORBIDDEN,
  ISSUER_UNAVAILABLE: HttpStatus.SERVICE_UNAVAILABLE,
  STORE_UNAVAILABLE: HttpStatus.SERVICE_UNAVAILABLE,
};

export const INTERNAL_ERROR_CODE = 'INTERNAL_ERROR';
export const INVALID_JSON_CODE = 'INVALID_JSON';
export const VALIDATION_FAILED_CODE = 'VALIDATION_FAILED';

/** `code` of an answer that no DomainError explains. Any other 4xx is BAD_REQUEST. */
export const CODE_BY_STATUS: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  406: 'NOT_ACCEPTABLE',
  408: 'REQUEST_TIMEOUT',
  409: 'CONFLICT',
  412: 'PRECONDITION_FAILED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
  431: 'HEADERS_TOO_LARGE',
  501: 'NOT_IMPLEMENTED',
  503: 'SERVICE_UNAVAILABLE',
};

/**
 * What to answer when `error` ended a request. Anything but a known DomainError or an HttpException is a 500 with the
 * request id and nothing else.
 */
export function toProblem(error: unknown, statuses: StatusByCode, requestId?: string): ProblemAnswer {
  const { headers = {}, ...problem } = describe(error, { ...COMMON_STATUSES, ...statuses });
  const type = error instanceof DomainError && problem.code !== INTERNAL_ERROR_CODE ? typeOf(error) : 'about:blank';
  const title = STATUS_CODES[problem.status] ?? 'Error';
  return { body: { type, title, ...problem, request_id: requestId }, headers };
}

type Description = Pick<ProblemDetails, 'status' | 'code' | 'detail' | 'errors'> &
  Partial<Pick<ProblemAnswer, 'headers'>>;

const UNEXPECTED: Description = { status: HttpStatus.INTERNAL_SERVER_ERROR, code: INTERNAL_ERROR_CODE };

function describe(error: unknown, statuses: StatusByCode): Description {
  if (error instanceof DomainError) {
    const status = Object.hasOwn(statuses, error.code) ? statuses[error.code] : undefined;
    return status === undefined
      ? UNEXPECTED
      : { status, code: error.code, detail: error.message, headers: headersOf(error) };
  }
  return error instanceof HttpException ? describeHttpException(error) : UNEXPECTED;
}

function describeHttpException(exception: HttpException): Description {
  const status = exception.getStatus();
  if (exception.cause instanceof SyntaxError) {
    return { status, code: INVALID_JSON_CODE, detail: 'the request body is not valid JSON' };
  }
  const errors = validationErrors(exception.getResponse());
  if (errors !== undefined) {
    return { status, code: VALIDATION_FAILED_CODE, detail: 'the request is not valid', errors };
  }
  const code = CODE_BY_STATUS[status] ?? (status < 500 ? 'BAD_REQUEST' : undefined);
  return code === undefined ? UNEXPECTED : { status, code, detail: exception.message, headers: headersOf(exception) };
}

/** ValidationPipe puts one message per constraint into the response of its exception. */
function validationErrors(response: string | object): readonly string[] | undefined {
  const messages: unknown = typeof response === 'object' && 'message' in response ? response.message : undefined;
  return Array.isArray(messages) ? messages.map(String) : undefined;
}

/** An error may carry its challenge, and the time after which to retry, as properties. */
function headersOf(error: object): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  if ('retryAfterSeconds' in error && typeof error.retryAfterSeconds === 'number') {
    headers['Retry-After'] = String(Math.ceil(error.retryAfterSeconds));
  }
  if ('challenge' in error && typeof error.challenge === 'string') {
    headers['WWW-Authenticate'] = error.challenge;
  }
  return headers;
}

function typeOf({ code }: DomainError): string {
  return `urn:palisade:problem:${code.toLowerCase().replaceAll('_', '-')}`;
}
