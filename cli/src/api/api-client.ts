import { FailureError } from '../failure.error.js';
import { readRefusal } from './read-refusal.js';
import { UnreachableError } from './unreachable.error.js';
import { systemErrorCode } from '../system-error-code.js';

/** One page of groups with very many members may be large; more than this is no answer of ours. */
const MAX_ANSWER_BYTES = 256 * 2 ** 20;

export interface ApiClientOptions {
  /** Scheme, host and port, and a path where a gateway has one. */
  readonly baseUrl: URL;
  readonly token?: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface ApiRequest {
  readonly method: string;
  /** With its parameters filled in. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface ApiAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers: Headers;
}

/** Asks one service, as the bearer of one token. Follows no redirect: the token is for this service only. */
export class ApiClient {
  constructor(private readonly options: ApiClientOptions) {}

  get origin(): string {
    return this.options.baseUrl.origin;
  }

  /**
   * The JSON of an answer; undefined when it has none.
   *
   * @throws {ApiError} when the service refuses; {@link UnreachableError} when there is no answer.
   */
  async send(request: ApiRequest): Promise<unknown> {
    const { body } = await this.sendForText(request);
    try {
      return body === '' ? undefined : (JSON.parse(body) as unknown);
    } catch (error) {
      throw new FailureError(`${this.origin} did not answer JSON: is it the right address?`, { cause: error });
    }
  }

  /** As {@link send}, but with the body as it came. */
  async sendForText(request: ApiRequest): Promise<ApiAnswer> {
    const answer = await this.fetch(request);
    const body = await this.read(answer);
    if (!answer.ok) {
      throw readRefusal(answer, body);
    }
    return { status: answer.status, body, headers: answer.headers };
  }

  /** Whatever the status. @throws {UnreachableError} */
  async probe(path: string): Promise<ApiAnswer> {
    const answer = await this.fetch({ method: 'GET', path });
    return { status: answer.status, body: await this.read(answer), headers: answer.headers };
  }

  private async fetch({ method, path, query = {}, body }: ApiRequest): Promise<Response> {
    const { baseUrl, token, timeoutMs, signal } = this.options;
    const url = new URL(`${baseUrl.pathname.replace(/\/$/, '')}${path}`, baseUrl);
    url.search = new URLSearchParams(query).toString();
    const mediaType = path.startsWith('/scim/') ? 'application/scim+json' : 'application/json';
    try {
      return await fetch(url, {
        method,
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        headers: {
          Accept: `${mediaType}, application/json, application/problem+json, text/plain;q=0.5`,
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'Content-Type': mediaType }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    } catch (error) {
      throw this.unreachable(error);
    }
  }

  private async read(answer: Response): Promise<string> {
    const decoder = new TextDecoder();
    let text = '';
    let bytes = 0;
    try {
      for await (const chunk of answer.body ?? []) {
        bytes += chunk.byteLength;
        if (bytes > MAX_ANSWER_BYTES) {
          throw new FailureError(`${this.origin} answered more than ${MAX_ANSWER_BYTES} bytes`);
        }
        text += decoder.decode(chunk, { stream: true });
      }
      return text + decoder.decode();
    } catch (error) {
      throw error instanceof FailureError ? error : this.unreachable(error);
    }
  }

  private unreachable(error: unknown): Error {
    this.options.signal.throwIfAborted();
    if (error instanceof Error && error.name === 'TimeoutError') {
      return new UnreachableError(this.origin, `no answer within ${this.options.timeoutMs} ms`, { cause: error });
    }
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    return new UnreachableError(this.origin, systemErrorCode(cause) ?? String(cause), { cause: error });
  }
}
