import { ApiError } from './api.error.js';

const MAX_RETRY_AFTER_SECONDS = 3600;

/** The error that an answer tells of, in problem details (RFC 9457) or as an Error resource (RFC 7644 §3.12). */
export function readRefusal(response: Response, body: string): ApiError {
  const fields = readObject(body);
  const id = textAt(fields, 'request_id') ?? response.headers.get('X-Request-Id') ?? undefined;
  const code = textAt(fields, 'code') ?? textAt(fields, 'scimType') ?? `HTTP ${response.status}`;
  const errors = Array.isArray(fields['errors']) ? fields['errors'].map(String) : [];
  const detail = [textAt(fields, 'detail') ?? textAt(fields, 'title') ?? response.statusText, ...errors].join('; ');
  return new ApiError(response.status, code, detail, id, readRetryAfter(response.headers.get('Retry-After')));
}

function readObject(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch (error) {
    if (error instanceof SyntaxError) {
      return {};
    }
    throw error;
  }
}

function textAt(fields: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function readRetryAfter(header: string | null): number | undefined {
  return header !== null && /^\d{1,9}$/.test(header) ? Math.min(Number(header), MAX_RETRY_AFTER_SECONDS) : undefined;
}
