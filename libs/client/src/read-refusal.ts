import { ApiError } from './api.error.js';

const MAX_RETRY_AFTER_SECONDS = 3600;
/** More than this, nobody reads. */
const MAX_TEXT_LENGTH = 4096;

/**
 * The error that an answer tells of: problem details (RFC 9457), an Error resource (RFC 7644 §3.12), or an error of a token
 * request (RFC 6749 §5.2). `body` is what was read of it, JSON or text: something between may have answered.
 */
export function readRefusal(response: Response, body: unknown): ApiError {
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
