import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { PRODUCT_VERSION, inSubspan, traceHeaders } from '@palisade/platform';
import { parseJsonObject, messageOf } from '@palisade/domain';
import type { ClusterAccess } from './cluster-access.js';
import { Deadline, untilAborted } from '@palisade/async';
import { asFields, asInteger, asText, type Fields } from './objects.js';
import { KubernetesError } from './kubernetes.errors.js';
import { readLines, readText } from './read-body.js';

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** See {@link pathOf}. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** A PATCH is a merge (RFC 7386). */
  readonly body?: object;
}

export interface WatchRequest {
  readonly path: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** The API server is asked to end the watch after this time. */
  readonly lengthSeconds: number;
  /** A watch that has not ended this much later is given up as dead. */
  readonly graceMs: number;
  /** The API server has accepted the watch. */
  readonly onOpen: () => void;
}

export interface WatchEvent {
  /** `ADDED`, `MODIFIED`, `DELETED` or `BOOKMARK`. */
  readonly type: string;
  readonly object: Fields;
}

const MAX_BODY_BYTES = 64 * 2 ** 20;
/** Objects are at most 3 MiB in etcd. */
const MAX_EVENT_BYTES = 8 * 2 ** 20;
const MAX_ERROR_BYTES = 2 ** 16;
const MAX_RETRY_AFTER_MS = 60_000;
const USER_AGENT = `palisade-control-plane/${PRODUCT_VERSION}`;
const DEFAULT_TIMEOUT_MS = 10_000;

/**
 * Requests to the API server. Every failure is a {@link KubernetesError}, unless the caller's own signal has aborted the
 * request; nothing is retried.
 */
export class KubernetesApi {
  constructor(
    private readonly access: ClusterAccess,
    private readonly timeoutMs: number = DEFAULT_TIMEOUT_MS,
  ) {}

  /** @throws {KubernetesError} */
  request(request: ApiRequest, signal?: AbortSignal): Promise<Fields> {
    const attributes = { 'http.request.method': request.method };
    return inSubspan(request.method, { attributes, isClient: true }, () => this.exchange(request, signal));
  }

  private async exchange(request: ApiRequest, signal: AbortSignal | undefined): Promise<Fields> {
    using deadline = new Deadline(this.timeoutMs, signal);
    try {
      const response = await this.open(request, deadline.signal);
      await requireSuccess(response);
      const answer = parseJsonObject(await readText(response, MAX_BODY_BYTES));
      if (answer === undefined) {
        throw new KubernetesError('the answer is not a JSON object');
      }
      return answer;
    } catch (error) {
      throw this.explain(request, error, deadline, signal);
    }
  }

  /**
   * Events until the API server ends the watch. Ending it in time shows that the server was reachable all the while; bookmarks
   * do not show that, as a server need not send any.
   *
   * @throws {KubernetesError} also for an event that reports that the watch cannot continue
   */
  async *watch(request: WatchRequest, signal: AbortSignal): AsyncGenerator<WatchEvent> {
    const { path, lengthSeconds, graceMs, onOpen } = request;
    const query = { ...request.query, watch: 'true', timeoutSeconds: String(lengthSeconds) };
    const opening = { method: 'GET', path, query } as const;
    using deadline = new Deadline(this.timeoutMs, signal);
    let response: IncomingMessage | undefined;
    try {
      response = await this.open(opening, deadline.signal);
      await requireSuccess(response);
      deadline.extend(lengthSeconds * 1000 + graceMs);
      onOpen();
      for await (const line of readLines(response, MAX_EVENT_BYTES)) {
        yield readEvent(line);
      }
    } catch (error) {
      throw this.explain(opening, error, deadline, signal);
    } finally {
      response?.destroy();
    }
  }

  close(): void {
    this.access.close();
  }

  private async open({ method, path, query, body }: ApiRequest, signal: AbortSignal): Promise<IncomingMessage> {
    const { server, options } = await untilAborted(this.access.connection(), signal);
    const url = new URL(server + path);
    for (const [name, value] of Object.entries(query ?? {})) {
      if (value !== undefined) {
        url.searchParams.set(name, value);
      }
    }
    const headers = {
      ...options.headers,
      ...traceHeaders(),
      Accept: 'application/json',
      'User-Agent': USER_AGENT,
      ...(body !== undefined && {
        'Content-Type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
      }),
    };
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const send = url.protocol === 'http:' ? http.request : https.request;
    const request = send(url, { ...options, method, headers, signal });
    request.once('response', resolve);
    request.on('error', reject);
    request.end(body === undefined ? undefined : JSON.stringify(body));
    return promise;
  }

  private explain(
    { method, path }: Pick<ApiRequest, 'method' | 'path'>,
    error: unknown,
    deadline: Deadline,
    signal: AbortSignal | undefined,
  ): unknown {
    if (signal?.aborted) {
      return signal.reason;
    }
    const { status, retryAfterMs, hasLostTrack = deadline.hasPassed } = error instanceof KubernetesError ? error : {};
    if (status === undefined || status === 401) {
      this.access.forget();
    }
    const what = deadline.hasPassed ? 'no answer in time' : messageOf(error);
    return new KubernetesError(`${method} ${path}: ${what}`, { status, retryAfterMs, hasLostTrack, cause: error });
  }
}

/**
 * A path in a namespace; its parts are escaped.
 *
 * @throws {KubernetesError} when a part cannot be a name
 */
export function pathOf(base: '/api/v1' | `/apis/${string}`, namespace: string, ...parts: readonly string[]): string {
  const segments = [namespace, ...parts];
  if (segments.some((segment) => /^\.{0,2}$/.test(segment))) {
    throw new KubernetesError(`${JSON.stringify(segments)} is not a path of the API`);
  }
  return [base, 'namespaces', ...segments.map(encodeURIComponent)].join('/');
}

/** @throws {KubernetesError} */
async function requireSuccess(response: IncomingMessage): Promise<void> {
  const { statusCode: status = 0, headers } = response;
  if (status < 200 || status > 299) {
    const text = await readText(response, MAX_ERROR_BYTES);
    const message = asText(parseJsonObject(text)?.['message']) ?? text.trim();
    const retryAfterMs = Math.min(Number(headers['retry-after']) * 1000, MAX_RETRY_AFTER_MS);
    throw new KubernetesError(`${status}: ${message}`, { status, ...(retryAfterMs > 0 && { retryAfterMs }) });
  }
}

/** @throws {KubernetesError} */
function readEvent(line: string): WatchEvent {
  const event = parseJsonObject(line);
  const type = asText(event?.['type']);
  const object = asFields(event?.['object']);
  if (type === undefined || object === undefined) {
    throw new KubernetesError('a line of the watch is not an event', { hasLostTrack: true });
  }
  if (type === 'ERROR') {
    const status = asInteger(object['code']);
    throw new KubernetesError(`${status ?? ''}: ${asText(object['message']) ?? ''}`, { status });
  }
  return { type, object };
}
