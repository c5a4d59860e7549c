/** A service refused: `code: detail (request id)`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    readonly code: string,
    detail: string,
    readonly requestId: string | undefined,
    /** Seconds after which it may be tried again, if the service says so. */
    readonly retryAfterSeconds?: number,
  ) {
    super(`${code}: ${detail}${requestId === undefined ? '' : ` (request id ${requestId})`}`);
  }
}
