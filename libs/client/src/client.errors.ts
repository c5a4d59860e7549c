/** What an error answer says. */
export interface ErrorAnswer {
  /** The HTTP status. */
  readonly status: number;
  /** `code` of problem details, `scimType` of an Error resource, `error` of a token request; `HTTP <status>` when it has none. */
  readonly code: string;
  /** For people. */
  readonly detail: string;
  /** Finds the request in the log of the service. */
  readonly requestId?: string | undefined;
  /** Seconds after which to retry, at most an hour; only if the service says so. */
  readonly retryAfterSeconds?: number | undefined;
}

/** A service answered with an error: `code: detail (request id)`. Branch on `status` and `code`, see docs/status-codes.md. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor({ status, code, detail, requestId, retryAfterSeconds }: ErrorAnswer) {
    super(`${code}: ${detail}${requestId === undefined ? '' : ` (request id ${requestId})`}`);
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** A value cannot be one segment of a path; nothing was sent. */
export class PathParameterError extends Error {
  override readonly name = 'PathParameterError';

  constructor(parameter: string, expectation: string) {
    super(`${parameter}: expected ${expectation}`);
  }
}

/** No service of Palisade sends such an answer: the address is wrong, or a gateway has answered. */
export class UnexpectedAnswerError extends Error {
  override readonly name = 'UnexpectedAnswerError';

  constructor(
    readonly origin: string,
    found: string,
  ) {
    super(`${origin} answered ${found}: is it the right address?`);
  }
}

/** No answer came: the service is down, the address is wrong, or it took too long. The request may have been carried out. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';

  constructor(
    readonly origin: string,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(`cannot reach ${origin}: ${reason}`, options);
  }
}
