import type { Middleware, ParseAs } from 'openapi-fetch';
import { boundedAnswer } from './bounded-answer.js';
import { UnexpectedAnswerError, UnreachableError } from './client.errors.js';

const SCIM_MEDIA_TYPE = 'application/scim+json';
/** A page of groups with very many members may be large, but no answer of the services is larger than this. */
const MAX_ANSWER_BYTES = 256 * 2 ** 20;

export interface TransportOptions {
  readonly token?: string | (() => string | Promise<string>);
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly userAgent: string;
}

/** Applied to every request and answer: headers and the token, the time limit, and errors that name their cause. */
export function transport({ token, timeoutMs, signal, userAgent }: TransportOptions): Middleware {
  const deadlines = new WeakMap<Request, AbortSignal>();

  const toError = (request: Request, error: unknown): unknown => {
    if (!request.signal.aborted) {
      return unreachable(request, error);
    }
    const isLate = request.signal.reason === deadlines.get(request)?.reason;
    return isLate
      ? new UnreachableError(originOf(request), `no answer within ${timeoutMs} ms`, { cause: error })
      : error;
  };

  return {
    onRequest: async ({ request, schemaPath }) => {
      setMediaTypes(request.headers, schemaPath);
      request.headers.set('User-Agent', userAgent);
      if (token !== undefined) {
        request.headers.set('Authorization', `Bearer ${checkToken(typeof token === 'string' ? token : await token())}`);
      }
      const deadline = AbortSignal.timeout(timeoutMs);
      const signals = [request.signal, deadline, ...(signal === undefined ? [] : [signal])];
      const limited = new Request(request, { signal: AbortSignal.any(signals) });
      deadlines.set(limited, deadline);
      return limited;
    },
    onError: ({ request, error }) => toError(request, error) as Error,
    onResponse: async ({ request, response, options }) => {
      await rejectOthersThanJson(response, originOf(request), options.parseAs);
      // The caller reads a stream piece by piece; an error is read as a whole.
      const maxBytes = options.parseAs === 'stream' && response.ok ? Infinity : MAX_ANSWER_BYTES;
      return boundedAnswer(response, originOf(request), (error) => toError(request, error), maxBytes);
    },
  };
}

/** RFC 7644 §3.1: clients declare SCIM in Content-Type and Accept. */
function setMediaTypes(headers: Headers, schemaPath: string): void {
  const isScim = schemaPath.startsWith('/scim/');
  if (isScim && headers.get('Content-Type') === 'application/json') {
    headers.set('Content-Type', SCIM_MEDIA_TYPE);
  }
  if (!headers.has('Accept')) {
    const own = isScim ? SCIM_MEDIA_TYPE : 'application/problem+json';
    headers.set('Accept', `${own}, application/json, */*;q=0.5`);
  }
}

/** Rejects a token that a header cannot carry; the platform's own error would show it. */
function checkToken(token: string): string {
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new TypeError('token: expected a token, which has no spaces, line ends or letters outside of ASCII');
  }
  return token;
}

async function rejectOthersThanJson(response: Response, origin: string, parseAs: ParseAs): Promise<void> {
  const type = response.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase();
  if (parseAs === 'json' && response.ok && type !== undefined && !/[/+]json$/.test(type)) {
    await response.body?.cancel();
    throw new UnexpectedAnswerError(origin, `${type} instead of JSON`);
  }
}

function unreachable(request: Request, error: unknown): UnreachableError {
  // fetch only says that it failed; its cause has a code such as ECONNREFUSED.
  const cause = fieldOf(error, 'cause') ?? error;
  return new UnreachableError(originOf(request), String(fieldOf(cause, 'code') ?? cause), { cause: error });
}

function originOf(request: Request): string {
  return new URL(request.url).origin;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
