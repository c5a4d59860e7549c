export interface Refusal {
  /** The HTTP status. */
  readonly status: number;
  /** `code` of problem details, `scimType` of an Error resource, `error` of a token request; `HTTP <status>` when it has none. */
  readonly code: string;
  /** For people. */
  readonly detail: string;
  /** Stands in the log of the service. */
  readonly requestId?: string | undefined;
  /** Seconds after which it may be tried again, at most an hour; only if the service says so. */
  readonly retryAfterSeconds?: number | undefined;
}

/** A service refused: `code: detail (request id)`. Branch on `status` and `code`; docs/status-codes.md has them all. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor({ status, code, detail, requestId, retryAfterSeconds }: Refusal) {
    super(`${code}: ${detail}${requestId === undefined ? '' : ` (request id ${requestId})`}`);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
