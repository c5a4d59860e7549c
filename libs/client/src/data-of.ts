import { ApiError } from './client.errors.js';

interface Answer {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

type DataOf<Given> = Given extends { readonly data: infer Data; readonly error?: never } ? Data : never;

/** The data of an answer; undefined when it has none. @throws {ApiError} when the service answered with an error */
export function dataOf<Given extends Answer>(answer: Given): DataOf<Given> {
  if (!answer.response.ok) {
    throw readError(answer.response, answer.error);
  }
  return answer.data as DataOf<Given>;
}

const MAX_RETRY_AFTER_SECONDS = 3600;
/** Longer texts are cut. */
const MAX_TEXT_LENGTH = 4096;

/**
 * The error in an answer: problem details (RFC 9457), an Error resource (RFC 7644 §3.12), or an error of a token request
 * (RFC 6749 §5.2). `body` may be JSON or any text, since a gateway may have answered.
 */
export function readError(response: Response, body: unknown): ApiError {
  const fields = typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : {};
  const text = (...names: readonly string[]): string | undefined =>
    names.map((name) => textAt(fields, name)).find(Boolean);
  const errors: unknown[] = Array.isArray(fields['errors']) ? fields['errors'] : [];
  const detail = text('detail', 'error_description', 'title') ?? response.statusText;
  return new ApiError({
    status: response.status,
    code: text('code', 'scimType', 'error') ?? `HTTP ${response.status}`,
    detail: [detail, ...errors.filter((each) => typeof each === 'string')].join('; ').slice(0, MAX_TEXT_LENGTH),
    requestId: text('request_id') ?? response.headers.get('X-Request-Id') ?? undefined,
    retryAfterSeconds: readRetryAfter(response.headers.get('Retry-After')),
  });
}

function textAt(fields: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' && value !== '' ? value.slice(0, MAX_TEXT_LENGTH) : undefined;
}

function readRetryAfter(header: string | null): number | undefined {
  return header !== null && /^\d{1,9}$/.test(header) ? Math.min(Number(header), MAX_RETRY_AFTER_SECONDS) : undefined;
}
